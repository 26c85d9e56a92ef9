import SafeFiles
import Support
import SystemPackage

/// The leading bytes of an object in a folder store, which remain when a run is killed and which a later run completes.
///
/// The file has a temporary name beside the object: no reader looks for it, and `prune` deletes it when it is old. A
/// lock ensures that one process writes it at a time. Belongs to one thread.
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

  /// Opens the part of the object `name`, or creates an empty part. Bytes beyond `limit` are discarded.
  ///
  /// - Returns: Nil if another process writes the part, another user owns it, its name is too long, or it has other
  ///   hard links, whose content would change with it.
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
      // Another process has just completed the part, or another user has left it.
      guard error.errno == .noSuchFileOrDirectory || error.errno == .permissionDenied else { throw error }
      return nil
    }
    guard try present.lock(), try folder.status(of: partName)?.identity == present.identity else {
      return nil
    }
    do throws(FileError) {
      guard present.status.linkCount == 1 else {
        try folder.remove(partName)
        return nil
      }
      let output = try folder.openFile(partName, toWriteAfter: min(present.byteCount, limit))
      return StoredPart(name, partName, present, output, in: folder)
    } catch {
      // The part of another user may be readable, but neither writable nor, in a folder with the sticky bit, removable.
      guard error.errno == .permissionDenied || error.errno == .notPermitted else { throw error }
      return nil
    }
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

  /// Passes the bytes that the part had when it was opened to `body`.
  ///
  /// - Throws: `SourceError`.
  func readPresent(_ body: (RawSpan) -> Void) throws(SourceError) {
    var buffer = [UInt8](repeating: 0, count: Self.blockSize)
    var position: Int64 = 0
    while position < presentByteCount {
      let read = try present.read(
        at: position, into: &buffer, count: Int(min(Int64(buffer.count), presentByteCount - position)))
      guard read > 0 else { throw .changed(present.path) }
      body(unsafe buffer.borrowedSpan.bytes.extracting(first: read))  // UInt8 has no padding
      position += Int64(read)
    }
  }

  /// The number of bytes read at a time.
  private static let blockSize = 256 << 10

  /// Appends bytes to the part.
  ///
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
