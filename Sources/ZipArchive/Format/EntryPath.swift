import SafeFiles
import Support

/// The path of an entry in an archive or content folder: bytes, with parts separated by `/`.
///
/// Swift compares strings by canonical equivalence, but two names with different Unicode forms are two entries.
/// Therefore paths are kept, compared and sorted as bytes.
public struct EntryPath: Hashable, Comparable, Sendable {
  /// The bytes of the path, alone or joined with those of other paths: see `joined`.
  private let storage: [UInt8]
  private let start: UInt32
  /// The number of bytes.
  private let length: UInt32

  /// Creates a path of these bytes.
  public init(bytes: some Sequence<UInt8>) {
    storage = Array(bytes)
    start = 0
    length = UInt32(clamping: storage.count)
  }

  /// A path of the string's UTF-8.
  public init(_ string: String) { self.init(bytes: string.utf8) }

  private init(_ storage: [UInt8], _ range: Range<Int>) {
    self.storage = storage
    start = UInt32(clamping: range.lowerBound)
    length = UInt32(clamping: range.count)
  }

  /// The path without a trailing `/`. It need not be UTF-8, nor a valid path.
  ///
  /// They are copied where other paths have theirs beside them; `count`, `part` and the subscript copy nothing.
  public var bytes: [UInt8] { length == storage.count ? storage : Array(slice) }

  /// The number of bytes.
  package var count: Int { Int(length) }

  package subscript(position: Int) -> UInt8 { storage[Int(start) + position] }

  /// The bytes at `range`, in a slice whose indices begin anywhere.
  package func part(_ range: Range<Int>) -> ArraySlice<UInt8> {
    storage[(Int(start) + range.lowerBound)..<(Int(start) + range.upperBound)]
  }

  /// Compares the bytes.
  public static func < (left: EntryPath, right: EntryPath) -> Bool {
    left.withBytes { bytes in right.withBytes { bytes.precedes($0) } }
  }

  public static func == (left: EntryPath, right: EntryPath) -> Bool {
    left.withBytes { bytes in right.withBytes { bytes.isEqual(to: $0) } }
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(length)
    unsafe slice.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
  }

  /// The path as text, or nil if its bytes are not UTF-8.
  public var string: String? { String(validating: slice, as: UTF8.self) }

  /// The path as text that is safe in a message or on a terminal.
  public var escaped: String { String(displaying: slice) }

  /// The parts between the slashes. An empty path has one empty part.
  package var parts: [ArraySlice<UInt8>] {
    bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
  }

  /// The last part, in a slice whose indices begin anywhere.
  package var name: ArraySlice<UInt8> { part(nameStart..<count) }

  /// The index at which the last part begins.
  package var nameStart: Int {
    let slice = slice
    return slice.lastIndex(of: UInt8(ascii: "/")).map { $0 - slice.startIndex + 1 } ?? 0
  }

  /// The path without its last part, or nil at the root.
  package var parent: EntryPath? {
    let end = nameStart - 1
    return end < 0 ? nil : prefix(end)
  }

  /// The path of the first bytes.
  package func prefix(_ count: Int) -> EntryPath { EntryPath(storage, Int(start)..<Int(start) + count) }

  /// The path of the bytes from `position` on.
  package func suffix(from position: Int) -> EntryPath {
    EntryPath(storage, Int(start) + position..<Int(start) + count)
  }

  package func starts(with other: EntryPath) -> Bool {
    count >= other.count
      && withBytes { bytes in other.withBytes { bytes.extracting(first: other.count).isEqual(to: $0) } }
  }

  /// Whether it is the path of something in `folder`, however deep.
  package func isBeneath(_ folder: EntryPath) -> Bool {
    count > folder.count && self[folder.count] == UInt8(ascii: "/") && starts(with: folder)
  }

  package func appending(_ part: some Sequence<UInt8>) -> EntryPath {
    length == 0 ? EntryPath(bytes: part) : EntryPath(bytes: slice + [UInt8(ascii: "/")] + part)
  }

  package func appending(_ part: String) -> EntryPath { appending(part.utf8) }

  private var slice: ArraySlice<UInt8> { storage[Int(start)..<Int(start) + Int(length)] }

  private func withBytes<Result>(_ body: (RawSpan) -> Result) -> Result {
    // Any UInt8 is a byte.
    body(unsafe storage.borrowedSpan.bytes.extracting(Int(start)..<Int(start) + Int(length)))
  }
}

extension EntryPath {
  /// Whether no other path has its bytes beside it.
  fileprivate var isAlone: Bool { length == storage.count }

  /// The same paths with their bytes beside one another, except for those that lie beside others already.
  ///
  /// An array for each takes as much memory again as a name of ordinary length. As long as one of them is needed, the
  /// bytes of all stay.
  package static func joined(_ paths: some Collection<EntryPath>) -> [EntryPath] {
    let alone = paths.lazy.filter(\.isAlone)
    var storage: [UInt8] = []
    storage.reserveCapacity(alone.reduce(0) { $0 + $1.count })
    for path in alone { storage += path.storage }
    var start = 0
    return paths.map { path in
      guard path.isAlone else { return path }
      defer { start += path.count }
      return EntryPath(storage, start..<start + path.count)
    }
  }
}

/// A list of very many paths, whose bytes are joined as they come.
package struct PathList: Sendable {
  /// The number of unjoined path bytes at which paths are joined.
  package static let joinedBytes = 4096

  package private(set) var paths: [EntryPath] = []
  /// The number of joined paths, and the total size of the paths stored individually.
  private var joinedCount = 0
  private var otherBytes = 0

  package init() {}

  package init(_ paths: some Sequence<EntryPath>) {
    for path in paths { append(path) }
  }

  package var count: Int { paths.count }

  package subscript(position: Int) -> EntryPath { paths[position] }

  package mutating func reserveCapacity(_ count: Int) { paths.reserveCapacity(count) }

  package mutating func append(_ path: EntryPath) {
    paths.append(path)
    if path.isAlone { otherBytes += path.count }
    guard otherBytes >= Self.joinedBytes else { return }
    paths.replaceSubrange(joinedCount..., with: EntryPath.joined(paths[joinedCount...]))
    joinedCount = paths.count
    otherBytes = 0
  }
}

extension PathList: Equatable {
  package static func == (left: PathList, right: PathList) -> Bool { left.paths == right.paths }
}
