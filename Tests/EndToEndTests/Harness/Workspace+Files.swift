import Foundation
import PackageForge
import TestSupport

extension Workspace {
  /// Returns the full path of an item in the folder.
  func place(_ relative: String) -> String { "\(path)/\(relative)" }

  /// Creates a file and its parent folders.
  func write(_ text: String, to relative: String, permissions: Int = 0o644) throws {
    try write(Array(text.utf8), to: relative, permissions: permissions)
  }

  func write(_ bytes: [UInt8], to relative: String, permissions: Int = 0o644) throws {
    let folder = (place(relative) as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try PlainFile.write(bytes, to: place(relative))
    try setPermissions(permissions, of: relative)
  }

  func write(_ archive: ForgedArchive, to relative: String) throws {
    try write(archive.bytes(), to: relative)
  }

  func setPermissions(_ permissions: Int, of relative: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: place(relative))
  }

  func makeFolder(_ relative: String) throws {
    try FileManager.default.createDirectory(atPath: place(relative), withIntermediateDirectories: true)
  }

  func makeLink(_ relative: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: place(relative), withDestinationPath: target)
  }

  /// Creates a file of `bytes` zero bytes that takes no space on disk.
  func makeSparseFile(_ relative: String, bytes: UInt64, beginning start: String = "") throws {
    try write(start, to: relative)
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: place(relative)))
    try file.truncate(atOffset: bytes)
    try file.close()
  }

  func remove(_ relative: String) throws { try FileManager.default.removeItem(atPath: place(relative)) }

  func bytes(_ relative: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: place(relative))))
  }

  func text(_ relative: String) throws -> String { String(decoding: try bytes(relative), as: UTF8.self) }

  func exists(_ relative: String) -> Bool {
    (try? FileManager.default.attributesOfItem(atPath: place(relative))) != nil
  }

  /// Returns the inode number of a file or folder, which identifies it.
  func inode(_ relative: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: place(relative))[.systemFileNumber] as? Int
  }

  /// Returns the names in a folder, including hidden ones.
  func names(in relative: String = "") throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: place(relative)))
  }

  /// Returns everything in a folder with kind, permissions and content, for later comparison.
  func snapshot(_ relative: String = "") throws -> [String: String] {
    try root.snapshot("work/\(relative)")
  }
}
