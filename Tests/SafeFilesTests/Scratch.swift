import CLibrary
import Support
import TestSupport
import Testing

@testable import SafeFiles

/// An empty folder for one test, removed with everything in it.
final class Scratch: Sendable {
  let folder: DirectoryHandle
  private let temporary: TemporaryFolder
  var path: String { temporary.path }

  init(in parent: String = FileSystem.temporaryFolder) throws {
    temporary = try TemporaryFolder(in: parent)
    folder = try DirectoryHandle.open(temporary.path)
  }

  /// Creates a file with these bytes.
  func makeFile(_ name: String, _ contents: [UInt8] = [], permissions: UInt16 = 0o644) throws {
    try folder.makeFile(name, contents, permissions: permissions)
  }

  /// Returns all bytes of a file.
  func contents(_ name: String) throws -> [UInt8] {
    let file = try folder.openFile(name.utf8)
    return try file.bytes(at: 0, count: Int(file.byteCount))
  }

  func makeFifo(_ name: String) throws {
    try #require(unsafe mkfifo("\(path)/\(name)", 0o600) == 0)
  }

  /// Returns the names in the folder as text.
  func names() throws -> [String] { try folder.list().map { String(decoding: $0, as: UTF8.self) } }
}

extension DirectoryHandle {
  func makeFile(_ name: String, _ contents: [UInt8] = [], permissions: UInt16 = 0o644) throws {
    var file = try createFile(name.utf8, permissions: permissions)
    try file.write(contents)
    try file.close()
  }
}

extension OutputFile {
  mutating func write(_ bytes: [UInt8]) throws(FileError) { try write(unsafe bytes.borrowedSpan.bytes) }
}

extension StagedOutput {
  mutating func write(_ text: String) throws(FileError) {
    try write(unsafe Array(text.utf8).borrowedSpan.bytes)
  }
}

/// Returns bytes with a prime period, so that a shifted copy is detected.
func pattern(_ count: Int) -> [UInt8] {
  var bytes: [UInt8] = []
  bytes.reserveCapacity(count + 251)
  while bytes.count < count { bytes += 0..<251 }
  bytes.removeLast(bytes.count - count)
  return bytes
}

let isRoot = geteuid() == 0

/// Returns the error that `body` throws.
func error(_ body: () throws -> Void) -> FileError? {
  do {
    try body()
    return nil
  } catch {
    return error as? FileError
  }
}
