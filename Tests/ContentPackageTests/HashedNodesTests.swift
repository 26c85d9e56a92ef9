import ContentPackage
import Testing

struct HashedNodesTests {
  @Test func nodesWithOneHashAreToldApart() {
    var nodes = HashedNodes()
    for node in [3, 5, 8] { nodes.note(node, 42) }
    nodes.note(9, 43)
    for node in [3, 5, 8] { #expect(nodes.first(42) { $0 == node } == node) }
    #expect(nodes.first(42) { $0 == 9 } == nil)
    #expect(nodes.first(44) { _ in true } == nil)
  }
}
