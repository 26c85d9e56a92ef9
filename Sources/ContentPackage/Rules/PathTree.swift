import ZipArchive

/// All paths of a package or content folder as a tree, with the folders that only longer paths imply.
///
/// Every distinct spelling of a path has one node, so that a flaw of a folder is found once and not again for
/// every file in it. Building the tree takes time and memory linear in the bytes of the paths.
package struct PathTree: Sendable {
  struct Node: Sendable {
    /// A path that leads here or on from here, and where in its bytes this node's name lies.
    private let spelling: EntryPath
    private let nameStart: UInt16
    private let nameEnd: UInt16
    /// The node of the folder that holds this one; the root has none.
    @CompactIndex var parent: Int?
    /// The first node of the same folder whose name is the same once folded; nil if that is this one.
    @CompactIndex var twin: Int?
    /// The first item with exactly this path; nil while only longer paths imply it.
    @CompactIndex var item: Int?
    /// The second item with exactly this path.
    @CompactIndex var repetition: Int?
    /// The first item that lies somewhere beneath.
    @CompactIndex var firstBeneath: Int?

    var path: EntryPath { EntryPath(bytes: spelling.bytes.prefix(Int(nameEnd))) }
    var name: ArraySlice<UInt8> { spelling.bytes[Int(nameStart)..<Int(nameEnd)] }

    /// The name lies at `name` in `spelling`, which is at most `PathRules.longestPath` bytes long.
    init(parent: Int?, name: Range<Int>, in spelling: EntryPath, twin: Int?) {
      self.spelling = spelling
      nameStart = UInt16(name.lowerBound)
      nameEnd = UInt16(name.upperBound)
      self.parent = parent
      self.twin = twin
    }
  }

  /// The nodes that every tree has: `Contents` and `ContentInfo.plist` are taken, whether or not they exist.
  static let root = 0
  static let contents = 1
  static let manifest = 2

  let items: [PathItem]
  /// The nodes, each behind its parent.
  private(set) var nodes = [Node(parent: nil, name: 0..<0, in: EntryPath(""), twin: nil)]
  /// All nodes but the root, by parent and name.
  private var exact = HashedNodes()
  /// Those without a twin, by parent and folded name.
  private var folded = HashedNodes()
  /// The folder of the last path, with the slash behind it.
  private var lastFolder: (bytes: ArraySlice<UInt8>, node: Int)?

  /// - Parameter items: in the order in which findings shall name them; those with a path over the limits are
  ///   left out of the tree.
  package init(_ items: [PathItem]) {
    self.items = items
    for reserved in [EntryPath("Contents"), EntryPath("ContentInfo.plist")] { _ = makeNode(for: reserved) }
    for (index, item) in items.enumerated() where !PathRules.isTooLong(item.path) {
      insert(item.path, as: index)
    }
  }

  /// The node of the part in a folder, or of one that a file system may take for it.
  func child(of parent: Int, named name: ArraySlice<UInt8>) -> (node: Int, isExact: Bool)? {
    if let node = child(of: parent, named: name, hash: Self.hash(name, in: parent)) { return (node, true) }
    guard let key = NameFolding.key(for: name) else { return nil }
    return child(of: parent, folded: key, hash: Self.hash(key, in: parent)).map { ($0, false) }
  }

  private func child(of parent: Int, named name: ArraySlice<UInt8>, hash: Int) -> Int? {
    exact.first(hash) { nodes[$0].parent == parent && nodes[$0].name == name }
  }

  private func child(of parent: Int, folded key: String, hash: Int) -> Int? {
    folded.first(hash) { nodes[$0].parent == parent && NameFolding.key(for: nodes[$0].name) == key }
  }

  private mutating func insert(_ path: EntryPath, as item: Int) {
    let node = makeNode(for: path)
    if nodes[node].item == nil {
      nodes[node].item = item
    } else if nodes[node].repetition == nil {
      nodes[node].repetition = item
    }
    var above = nodes[node].parent
    while let folder = above, nodes[folder].firstBeneath == nil {
      nodes[folder].firstBeneath = item
      above = nodes[folder].parent
    }
  }

  /// The node of a path, made with all above it if it is not there yet.
  private mutating func makeNode(for path: EntryPath) -> Int {
    // Most paths lie in the folder of the one before.
    let name = path.name
    let folder = path.bytes[..<name.startIndex]
    let known = folder == lastFolder?.bytes ? lastFolder?.node : nil
    var place = known ?? Self.root
    for part in known == nil ? path.parts : [name] {
      if part.startIndex == name.startIndex { lastFolder = (folder, place) }
      let hash = Self.hash(part, in: place)
      if let known = child(of: place, named: part, hash: hash) {
        place = known
        continue
      }
      let new = nodes.count
      exact.note(new, hash)
      let twin = noteFolded(part, in: place, as: new)
      nodes.append(Node(parent: place, name: part.startIndex..<part.endIndex, in: path, twin: twin))
      place = new
    }
    return place
  }

  /// - Returns: the first node in the folder whose name is the same once folded, if that is not the new one.
  private mutating func noteFolded(_ name: ArraySlice<UInt8>, in parent: Int, as new: Int) -> Int? {
    guard let key = NameFolding.key(for: name) else { return nil }
    let hash = Self.hash(key, in: parent)
    if let first = child(of: parent, folded: key, hash: hash) { return first }
    folded.note(new, hash)
    return nil
  }

  /// Of a name, byte for byte.
  private static func hash(_ name: ArraySlice<UInt8>, in parent: Int) -> Int {
    var hasher = Hasher()
    hasher.combine(parent)
    // Byte by byte, as the slice itself would do it, takes ten times as long.
    unsafe name.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    return hasher.finalize()
  }

  /// Of a folded name; strings are equal, and hash alike, if they are canonically equivalent.
  private static func hash(_ key: String, in parent: Int) -> Int {
    var hasher = Hasher()
    hasher.combine(parent)
    hasher.combine(key)
    return hasher.finalize()
  }
}
