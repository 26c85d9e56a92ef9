import ZipArchive

/// All paths of a package or content folder as a tree, with the folders that only longer paths imply.
///
/// Every distinct spelling of a path has one node, so that a flaw of a folder is found once and not again for
/// every file in it. Building the tree takes time and memory linear in the bytes of the paths.
package struct PathTree: Sendable {
  struct Node: Sendable {
    /// The node of the folder that holds this one; the root is its own parent.
    let parent: Int
    /// The whole path, and where its last part begins in it.
    private let whole: ArraySlice<UInt8>
    private let nameStart: Int
    /// The first node of the same folder whose name is the same once folded; nil if that is this one.
    let twin: Int?
    /// The first item with exactly this path; nil while only longer paths imply it.
    var item: Int?
    /// The second item with exactly this path.
    var repetition: Int?
    /// The first item that lies somewhere beneath.
    var firstBeneath: Int?

    var path: EntryPath { EntryPath(bytes: whole) }
    var name: ArraySlice<UInt8> { whole[nameStart...] }

    init(parent: Int, whole: ArraySlice<UInt8>, nameStart: Int, twin: Int?) {
      self.parent = parent
      self.whole = whole
      self.nameStart = nameStart
      self.twin = twin
    }
  }

  /// The nodes that every tree has: `Contents` and `ContentInfo.plist` are taken, whether or not they exist.
  static let root = 0
  static let contents = 1
  static let manifest = 2

  let items: [PathItem]
  /// The nodes, each behind its parent.
  private(set) var nodes = [Node(parent: PathTree.root, whole: [], nameStart: 0, twin: nil)]
  private var exact: [ExactKey: Int] = [:]
  private var folded: [FoldedKey: Int] = [:]

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
    if let node = exact[ExactKey(parent: parent, name: name)] { return (node, true) }
    guard let name = NameFolding.key(for: name), let node = folded[FoldedKey(parent: parent, name: name)]
    else { return nil }
    return (node, false)
  }

  private mutating func insert(_ path: EntryPath, as item: Int) {
    let node = makeNode(for: path)
    if nodes[node].item == nil {
      nodes[node].item = item
    } else if nodes[node].repetition == nil {
      nodes[node].repetition = item
    }
    var above = nodes[node].parent
    while nodes[above].firstBeneath == nil {
      nodes[above].firstBeneath = item
      above = nodes[above].parent
    }
  }

  /// The node of a path, made with all above it if it is not there yet.
  private mutating func makeNode(for path: EntryPath) -> Int {
    var place = Self.root
    for part in path.parts {
      let key = ExactKey(parent: place, name: part)
      if let known = exact[key] {
        place = known
        continue
      }
      let new = nodes.count
      exact[key] = new
      let twin = noteFolded(part, in: place, as: new)
      let whole = path.bytes.prefix(part.endIndex)
      nodes.append(Node(parent: place, whole: whole, nameStart: part.startIndex, twin: twin))
      place = new
    }
    return place
  }

  /// - Returns: the first node in the folder whose name is the same once folded, if that is not the new one.
  private mutating func noteFolded(_ name: ArraySlice<UInt8>, in parent: Int, as new: Int) -> Int? {
    guard let name = NameFolding.key(for: name) else { return nil }
    let key = FoldedKey(parent: parent, name: name)
    if let first = folded[key] { return first }
    folded[key] = new
    return nil
  }
}

/// A name in a folder, byte for byte.
private struct ExactKey: Hashable, Sendable {
  let parent: Int
  let name: ArraySlice<UInt8>

  func hash(into hasher: inout Hasher) {
    hasher.combine(parent)
    // Byte by byte, as the slice itself would do it, takes ten times as long.
    unsafe name.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
  }
}

/// A name in a folder, folded; strings are equal if they are canonically equivalent.
private struct FoldedKey: Hashable, Sendable {
  let parent: Int
  let name: String
}
