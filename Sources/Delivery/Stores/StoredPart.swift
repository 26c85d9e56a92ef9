import SafeFiles
import Support
import SystemPackage

/// The leading bytes of an object in a folder store, which survive a kill and which a later run completes.
///
/// The file has a temporary name beside the object: no reader looks for it, and `prune` deletes an old one. It is
/// locked, so that one process writes it at a time. Belongs to one thread.
package final class StoredPart {
  private let folder: DirectoryHandle
  private let name: [UInt8]
  private let partName: [UInt8]
  /// The locked file, with the bytes that were present when it was opened.
  private let present: InputFile
  private let presentByteCount: Int64
  private var output: OutputFile?
  /// The number of bytes present and appended.
  package private(set) var byteCount: Int64

  /// Opens the part of the object `name`, or creates an empty one. More than `limit` bytes are discarded.
  ///
  /// - Returns: Nil if another process writes it, or it has other names, which would change with it.
  /// - Throws: `FileError`.
  static func open(
    _ name: [UInt8], in folder: consuming DirectoryHandle, atMost limit: Int64, permissions: UInt16
  ) throws(FileError) -> StoredPart? {
    let partName = Array(".".utf8) + name + Array(".iapkg-part".utf8)
    do throws(FileError) {
      try folder.createFile(partName, permissions: permissions).close()
    } catch {
      guard error.errno != .fileNameTooLong else { return nil }
      guard error.errno == .fileExists else { throw error }
    }
    let present: InputFile
    do throws(FileError) { present = try folder.openFile(partName) } catch {
      // Another process has just completed it, or another user has left it.
      guard error.errno == .noSuchFileOrDirectory || error.errno == .permissionDenied else { throw error }
      return nil
    }
    guard try present.lock(), try folder.status(of: partName)?.identity == present.identity else {
      return nil
    }
    guard present.status.linkCount == 1 else {
      try folder.remove(partName)
      return nil
    }
    let output = try folder.openFile(partName, toWriteBehind: min(present.byteCount, limit))
    return StoredPart(name, partName, present, output, in: folder)
  }

  private init(
    _ name: [UInt8], _ partName: [UInt8], _ present: InputFile, _ output: consuming OutputFile,
    in folder: consuming DirectoryHandle
  ) {
    self.folder = folder
    self.name = name
    self.partName = partName
    self.present = present
    byteCount = output.byteCount
    presentByteCount = output.byteCount
    self.output = consume output
  }

  /// Passes the bytes that were present at opening to `body`.
  ///
  /// - Throws: `SourceError`.
  func readPresent(_ body: (RawSpan) -> Void) throws(SourceError) {
    var buffer = [UInt8](repeating: 0, count: Self.blockSize)
    var position: Int64 = 0
    while position < presentByteCount {
      let read = try present.read(
        at: position, into: &buffer, count: Int(min(Int64(buffer.count), presentByteCount - position)))
      guard read > 0 else { throw .changed(present.path) }
      body(unsafe buffer.borrowedSpan.bytes.extracting(first: read))  // any UInt8 is a byte
      position += Int64(read)
    }
  }

  /// The number of bytes read at a time.
  private static let blockSize = 256 << 10

  /// - Throws: `FileError`.
  func append(_ bytes: RawSpan) throws(FileError) {
    try output?.write(bytes)
    byteCount += Int64(bytes.byteCount)
  }

  /// Gives the file the name of the object, durably.
  ///
  /// - Throws: `FileError`.
  func commit() throws(FileError) {
    try output?.synchronize()
    try output.take()?.close()
    try folder.rename(partName, to: name, in: folder, mode: .replace)
    try folder.synchronize()
  }

  /// Deletes the file, whose bytes are not those of the object.
  ///
  /// - Throws: `FileError`.
  func discard() throws(FileError) { try folder.remove(partName) }
}
