import Foundation
import PackageForge
import SafeFiles

/// An empty folder for one test, deleted with its contents afterwards.
package final class TemporaryFolder: Sendable {
  package let path: String
  private let parent: String
  private let name: [UInt8]

  /// Creates the folder, with exactly these permissions, in `parent`.
  package init(in parent: String = FileSystem.temporaryFolder, permissions: UInt16 = 0o700) throws {
    self.parent = parent
    let text = "iapkg-tests-\(UInt64.random(in: .min ... .max))"
    name = Array(text.utf8)
    path = "\(parent)/\(text)"
    try DirectoryHandle.open(parent).makeFolder(name, permissions: permissions)
  }

  deinit { try? DirectoryHandle.open(parent).removeTree(name) }

  /// Returns the absolute path of an item in the folder.
  package func place(_ relative: String) -> String { "\(path)/\(relative)" }

  /// Creates or overwrites a file, and the folders above it.
  package func write(_ text: String, to relative: String) throws { try write(Array(text.utf8), to: relative) }

  package func write(_ bytes: [UInt8], to relative: String) throws {
    if relative.contains("/") { try makeFolder(FileSystem.folder(of: relative)) }
    try PlainFile.write(bytes, to: place(relative))
  }

  package func bytes(_ relative: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: place(relative))))
  }

  package func text(_ relative: String) throws -> String {
    String(decoding: try bytes(relative), as: UTF8.self)
  }

  package func has(_ relative: String) -> Bool { FileManager.default.fileExists(atPath: place(relative)) }

  /// Returns the sorted names in a folder.
  package func names(_ relative: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: place(relative)).sorted()
  }

  package func remove(_ relative: String) throws {
    try FileManager.default.removeItem(atPath: place(relative))
  }

  package func makeFolder(_ relative: String) throws {
    try FileManager.default.createDirectory(atPath: place(relative), withIntermediateDirectories: true)
  }
  package func makeLink(_ relative: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: place(relative), withDestinationPath: target)
  }

  package func setPermissions(_ permissions: Int, of relative: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: place(relative))
  }

  /// Returns everything in a folder with kind, permissions and content, for later comparison: "file 644 text".
  package func snapshot(_ relative: String = "") throws -> [String: String] {
    var result: [String: String] = [:]
    for case let name as String in FileManager.default.enumerator(atPath: place(relative)) ?? .init() {
      let item = place(relative) + "/" + name
      let attributes = try FileManager.default.attributesOfItem(atPath: item)
      let permissions = String((attributes[.posixPermissions] as? Int) ?? 0, radix: 8)
      switch attributes[.type] as? FileAttributeType {
      case .typeDirectory: result[name] = "folder \(permissions)"
      case .typeSymbolicLink:
        result[name] = "link to \(try FileManager.default.destinationOfSymbolicLink(atPath: item))"
      default:
        // Latin-1 maps every byte to a character.
        let content = String(data: try Data(contentsOf: URL(fileURLWithPath: item)), encoding: .isoLatin1)
        result[name] = "file \(permissions) \(content ?? "")"
      }
    }
    return result
  }
}
