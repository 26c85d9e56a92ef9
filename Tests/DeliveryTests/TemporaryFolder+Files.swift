import Foundation
import PackageForge

extension TemporaryFolder {
  /// Returns the absolute path of an item in the folder.
  func place(_ relative: String) -> String { "\(path)/\(relative)" }

  func write(_ text: String, to relative: String) throws { try write(Array(text.utf8), to: relative) }

  func write(_ bytes: [UInt8], to relative: String) throws {
    try PlainFile.write(bytes, to: place(relative))
  }

  func bytes(_ relative: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: place(relative))))
  }

  func has(_ relative: String) -> Bool { FileManager.default.fileExists(atPath: place(relative)) }

  /// Returns the sorted names in a folder.
  func names(_ relative: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: place(relative)).sorted()
  }

  func remove(_ relative: String) throws { try FileManager.default.removeItem(atPath: place(relative)) }

  func makeFolder(_ relative: String) throws {
    try FileManager.default.createDirectory(atPath: place(relative), withIntermediateDirectories: true)
  }
}
