import SafeFiles
import Support

/// The path of an entry in an archive or content folder: bytes, with parts separated by `/`.
///
/// Swift compares strings by canonical equivalence, but two names with different Unicode forms are two entries.
/// Therefore paths are kept, compared and sorted as bytes.
public struct EntryPath: Hashable, Comparable, Sendable {
  /// The bytes of the path, alone or together with those of other paths; see `joined`.
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

  /// Creates a path of the string's UTF-8.
  public init(_ string: String) { self.init(bytes: string.utf8) }

  private init(_ storage: [UInt8], _ range: Range<Int>) {
    self.storage = storage
    start = UInt32(clamping: range.lowerBound)
    length = UInt32(clamping: range.count)
  }

  /// The bytes of the path, without a trailing `/`. They need not be UTF-8, nor a valid path.
  ///
  /// The bytes are copied if their array also has those of other paths. `count`, `part` and the subscript copy nothing.
  public var bytes: [UInt8] { length == storage.count ? storage : Array(slice) }

  /// The number of bytes.
  package var count: Int { Int(length) }

  /// The byte at `position`, which is counted from 0.
  package subscript(position: Int) -> UInt8 { storage[Int(start) + position] }

  /// Returns the bytes at `range`. The indices of the slice need not begin at 0.
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

  /// The last part. The indices of the slice need not begin at 0.
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

  /// Returns the path of the first `count` bytes.
  package func prefix(_ count: Int) -> EntryPath { EntryPath(storage, Int(start)..<Int(start) + count) }

  /// Returns the path of the bytes from `position` on.
  package func suffix(from position: Int) -> EntryPath {
    EntryPath(storage, Int(start) + position..<Int(start) + count)
  }

  /// Returns whether the path begins with the bytes of `other`, which may end inside a part.
  package func starts(with other: EntryPath) -> Bool {
    count >= other.count
      && withBytes { bytes in other.withBytes { bytes.extracting(first: other.count).isEqual(to: $0) } }
  }

  /// Returns whether the path is inside `folder`, at any depth.
  package func isBeneath(_ folder: EntryPath) -> Bool {
    count > folder.count && self[folder.count] == UInt8(ascii: "/") && starts(with: folder)
  }

  /// Returns the path with a slash and `part` at its end; only `part` for an empty path.
  package func appending(_ part: some Sequence<UInt8>) -> EntryPath {
    length == 0 ? EntryPath(bytes: part) : EntryPath(bytes: slice + [UInt8(ascii: "/")] + part)
  }

  /// Returns the path with a slash and the UTF-8 of `part` at its end; only `part` for an empty path.
  package func appending(_ part: String) -> EntryPath { appending(part.utf8) }

  private var slice: ArraySlice<UInt8> { storage[Int(start)..<Int(start) + Int(length)] }

  private func withBytes<Result>(_ body: (RawSpan) -> Result) -> Result {
    // Any UInt8 is a byte.
    body(unsafe storage.borrowedSpan.bytes.extracting(Int(start)..<Int(start) + Int(length)))
  }
}

extension EntryPath {
  /// Whether the array has the bytes of this path only.
  fileprivate var isAlone: Bool { length == storage.count }

  /// Returns the same paths with their bytes in one array. Paths that already share an array keep it.
  ///
  /// The overhead of an array for each path is as large as a typical name. The shared array stays in memory as long as
  /// any of the paths.
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

/// A list of very many paths, whose bytes are joined as the paths are appended.
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
