import Foundation
import SafeFiles
import Support
import SystemPackage

/// A small file of secrets. Only its owner can read it, and a crash leaves the old or the new content.
struct PrivateFile: Sendable {
  /// The maximum number of bytes read. The largest content, 20 signed transactions, has about 100,000 bytes.
  private static let maximumSize = 4 << 20

  private let path: String
  private let name: String

  init(_ file: URL) {
    path = file.path
    name = file.lastPathComponent
  }

  /// Returns the content; nil if there is no file.
  func read() throws -> Data? {
    do {
      let file = try InputFile.open(path)
      return Data(try file.bytes(at: 0, count: Self.maximumSize))
    } catch let error as FileError where error.errno == .noSuchFileOrDirectory {
      return nil
    }
  }

  /// Replaces the content, which is on disk when the function returns.
  func write(_ content: Data) throws {
    var output = try StagedOutput.create(at: path, replacing: true, isPrivate: true)
    let bytes = Array(content)
    try output.write(unsafe bytes.borrowedSpan.bytes)  // UInt8 has no padding
    try output.commit()
  }

  /// Removes the file, if there is one.
  func remove() throws {
    let folder = try DirectoryHandle.open(FileSystem.folder(of: path))
    guard try folder.status(of: name.utf8) != nil else { return }
    try folder.remove(name.utf8)
    try folder.synchronize()
  }
}
