import SafeFiles
package import Support
package import ZipArchive

/// All paths of a package or content folder as a tree, including folders that appear only in longer paths.
///
/// Every distinct spelling of a path has one node, so that a finding about a folder is reported only once. Building the
/// tree takes time and memory linear in the bytes of the paths.
package struct PathTree: Sendable {
  struct Node: Sendable {
    /// A path through this node, with the node's name from `nameStart` to `nameEnd`.
    private let spelling: EntryPath
    private let nameStart: UInt16
    private let nameEnd: UInt16
    /// The node of the parent folder; nil for the root.
    @CompactIndex var parent: Int?
    /// The first node of the same folder with an equal folded name; nil if this node is the first.
    @CompactIndex var sameName: Int?
    /// The first item with exactly this path; nil if the path appears only in longer paths.
    @CompactIndex var item: Int?
    /// The second item with exactly this path, if any.
    @CompactIndex var repetition: Int?
    /// The first item below this node.
    @CompactIndex var firstDescendant: Int?

    var path: EntryPath { spelling.prefix(Int(nameEnd)) }
    var name: ArraySlice<UInt8> { spelling.part(Int(nameStart)..<Int(nameEnd)) }

    /// Creates a node. `name` is the range of its name in `spelling`, which has at most `PathRules.maximumPathLength`
    /// bytes.
    init(parent: Int?, name: Range<Int>, in spelling: EntryPath, sameName: Int?) {
      self.spelling = spelling
      nameStart = UInt16(name.lowerBound)
      nameEnd = UInt16(name.upperBound)
      self.parent = parent
      self.sameName = sameName
    }
  }

  /// The nodes of every tree. `Contents` and `ContentInfo.plist` are reserved, whether or not they exist.
  static let root = 0
  static let contents = 1
  static let manifest = 2

  let items: PathItems
  /// The nodes, each after its parent.
  private(set) var nodes = [Node(parent: nil, name: 0..<0, in: EntryPath(""), sameName: nil)]
  /// All nodes except the root, by parent and name.
  private var exact: HashedNodes
  /// The nodes without a `sameName`, by parent and folded name.
  private var folded: HashedNodes
  /// The folder of the previous path, with a trailing slash.
  private var lastFolder: (bytes: ArraySlice<UInt8>, node: Int)?

  /// Builds the tree of all paths.
  ///
  /// - Parameters:
  ///   - items: The items in the order of their findings. The tree omits paths over the limits.
  ///   - cancellation: Ends the work early. The tree is then incomplete, and the caller must check for cancellation.
  package init(_ items: PathItems, cancellation: Cancellation = Cancellation()) {
    self.items = items
    // At most one node for each item and each implied folder, the root, and the two reserved nodes.
    let maximumNodeCount =
      items.count + Self.impliedFolderCount(items.lazy.map { ($0.path, $0.kind == .folder) }) + 3
    nodes.reserveCapacity(maximumNodeCount)
    exact = HashedNodes(capacity: maximumNodeCount)
    folded = HashedNodes(capacity: maximumNodeCount)
    for reserved in [EntryPath("Contents"), EntryPath("ContentInfo.plist")] { _ = makeNode(for: reserved) }
    for (index, item) in items.enumerated() where !PathRules.isTooLong(item.path) {
      if cancellation.isCancelled { return }
      insert(item.path, as: index)
    }
  }

  /// Counts the folders that appear only in the paths of other items.
  ///
  /// - Parameter items: The items, sorted by the bytes of their paths; in another order, the result is too large. Paths
  ///   over the limits do not count.
  /// - Returns: The number of folders.
  package static func impliedFolderCount(_ items: some Sequence<(path: EntryPath, isFolder: Bool)>) -> Int {
    var count = 0
    var last: ArraySlice<UInt8> = []
    // The lengths of the folder items that are prefixes of the previous path.
    var listed: [Int] = []
    for (path, isFolder) in items where !PathRules.isTooLong(path) {
      let bytes = path.part(0..<path.count)
      // The folders in the common prefix with the previous path have been counted.
      let common = zip(bytes, last).prefix { $0 == $1 }.count
      while let length = listed.last, length > common { listed.removeLast() }
      for position in common..<max(common, bytes.count)
      where bytes[bytes.startIndex + position] == UInt8(ascii: "/") && !listed.contains(position) {
        count += 1
      }
      if isFolder, listed.last != bytes.count { listed.append(bytes.count) }
      last = bytes
    }
    return count
  }

  /// Returns the node with this name in a folder, or else a node whose name a file system may treat as the same; nil if
  /// there is neither.
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
    while let folder = above, nodes[folder].firstDescendant == nil {
      nodes[folder].firstDescendant = item
      above = nodes[folder].parent
    }
  }

  /// Returns the node of a path, and creates it and its parents if they do not exist.
  private mutating func makeNode(for path: EntryPath) -> Int {
    // Most paths are in the folder of the previous path.
    let bytes = path.bytes
    let name = bytes[path.nameStart...]
    let folder = bytes[..<name.startIndex]
    let known = folder == lastFolder?.bytes ? lastFolder?.node : nil
    var node = known ?? Self.root
    for part in known == nil ? path.parts : [name] {
      if part.startIndex == name.startIndex { lastFolder = (folder, node) }
      let hash = Self.hash(part, in: node)
      if let known = child(of: node, named: part, hash: hash) {
        node = known
        continue
      }
      let new = nodes.count
      exact.insert(new, hash)
      let sameName = insertFolded(part, in: node, as: new)
      nodes.append(Node(parent: node, name: part.startIndex..<part.endIndex, in: path, sameName: sameName))
      node = new
    }
    return node
  }

  /// Adds a new node by its folded name, unless the folder already has a node with an equal folded name.
  ///
  /// - Returns: The existing node with an equal folded name; nil if the new node was added or its name is not UTF-8.
  private mutating func insertFolded(_ name: ArraySlice<UInt8>, in parent: Int, as new: Int) -> Int? {
    guard let key = NameFolding.key(for: name) else { return nil }
    let hash = Self.hash(key, in: parent)
    if let first = child(of: parent, folded: key, hash: hash) { return first }
    folded.insert(new, hash)
    return nil
  }

  /// Returns the hash of the bytes of a name.
  private static func hash(_ name: ArraySlice<UInt8>, in parent: Int) -> Int {
    var hasher = Hasher()
    hasher.combine(parent)
    // Hashing the slice itself would go byte by byte and take ten times as long.
    unsafe name.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    return hasher.finalize()
  }

  /// Returns the hash of a folded name. Canonically equivalent strings are equal and have the same hash.
  private static func hash(_ key: String, in parent: Int) -> Int {
    var hasher = Hasher()
    hasher.combine(parent)
    hasher.combine(key)
    return hasher.finalize()
  }
}
