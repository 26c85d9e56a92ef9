import ContentPackage
import Testing

struct HashedNodesTests {
  @Test func `distinguishes nodes with the same hash`() {
    var nodes = HashedNodes(capacity: 4)
    for node in [3, 5, 8] { nodes.insert(node, 42) }
    nodes.insert(9, 42 + 1 << 32)
    for node in [3, 5, 8] { #expect(nodes.first(42) { $0 == node } == node) }
    #expect(nodes.first(42) { $0 == 9 } == nil)
    #expect(nodes.first(44) { $0 > 9 } == nil)
  }

  @Test func `a full table finds all of its nodes`() {
    var nodes = HashedNodes(capacity: 1000)
    for node in 0..<1000 { nodes.insert(node, node * 7) }
    for node in 0..<1000 { #expect(nodes.first(node * 7) { $0 == node } == node) }
  }
}
