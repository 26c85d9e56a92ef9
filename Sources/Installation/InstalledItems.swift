import ZipArchive

/// The items of an installed version, sorted by the bytes of their paths.
///
/// An item is made each time it is accessed. An update knows three versions of a product, and as arrays their items
/// would take more memory than everything else about it.
package struct InstalledItems: RandomAccessCollection, Sendable, Equatable {
  /// What is known of an item beside its path.
  private struct Facts: Sendable, Equatable {
    /// Bytes of a file, `folder` for a folder, and below that a link: the complement of the length of its target.
    let size: Int64
    let digest: ContentDigest

    static let folder: Int64 = -1

    init(_ kind: InstalledItem.Kind) {
      switch kind {
      case .file(let size, let digest): (self.size, self.digest) = (Swift.max(0, size), digest)
      case .folder: (size, digest) = (Self.folder, .none)
      case .link(let target): (size, digest) = (Self.folder - 1 - Int64(target.count), .none)
      }
    }

    /// The number of bytes of the target of a link, or nil for anything else.
    var targetLength: Int? { size < Self.folder ? Int(Self.folder - 1 - size) : nil }
  }

  /// The path of each item, followed by its target if it is a link.
  private var text: [UInt8] = []
  /// The position in `text` behind each item.
  private var ends: [Int] = []
  private var facts: [Facts] = []

  /// No items.
  init() {}

  /// The same items, sorted.
  init(_ items: some Sequence<InstalledItem>) {
    for item in items.sorted(by: { $0.path < $1.path }) { append(item.path.bytes, item.kind) }
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { facts.count }

  package subscript(position: Int) -> InstalledItem {
    let pathRange = pathRange(position)
    let facts = facts[position]
    let kind: InstalledItem.Kind =
      if facts.targetLength != nil {
        .link(target: Array(text[pathRange.upperBound..<ends[position]]))
      } else if facts.size == Facts.folder {
        .folder
      } else {
        .file(size: facts.size, facts.digest)
      }
    return InstalledItem(path: EntryPath(bytes: text[pathRange]), kind: kind)
  }

  /// Adds an item whose path comes after all others.
  ///
  /// - Returns: false if it does not, and is not added.
  @discardableResult
  mutating func append(_ path: some Collection<UInt8>, _ kind: InstalledItem.Kind) -> Bool {
    if !isEmpty, !text[pathRange(endIndex - 1)].lexicographicallyPrecedes(path) { return false }
    text += path
    if case .link(let target) = kind { text += target }
    ends.append(text.count)
    facts.append(Facts(kind))
    return true
  }

  /// The index of the item with this path, or nil if there is none.
  func index(of path: EntryPath) -> Int? {
    let place = place(of: path)
    return place < endIndex && text[pathRange(place)].elementsEqual(path.bytes) ? place : nil
  }

  func item(at path: EntryPath) -> InstalledItem? { index(of: path).map { self[$0] } }

  /// Bytes of the file at a position, and 0 for anything else.
  func size(at position: Int) -> Int64 { Swift.max(0, facts[position].size) }

  /// The same items and another one.
  func adding(_ item: InstalledItem) -> InstalledItems {
    let place = place(of: item.path)
    var items = InstalledItems()
    for known in self[..<place] { items.append(known.path.bytes, known.kind) }
    items.append(item.path.bytes, item.kind)
    for known in self[place...] { items.append(known.path.bytes, known.kind) }
    return items
  }

  private func pathRange(_ position: Int) -> Range<Int> {
    let start = position == 0 ? 0 : ends[position - 1]
    return start..<ends[position] - (facts[position].targetLength ?? 0)
  }

  /// The index of the first item whose path is not before this one.
  private func place(of path: EntryPath) -> Int {
    var range = indices
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      let isBefore = text[pathRange(middle)].lexicographicallyPrecedes(path.bytes)
      range = isBefore ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }
}

extension InstalledItems: ExpressibleByArrayLiteral {
  package init(arrayLiteral elements: InstalledItem...) { self.init(elements) }
}
