import ContentPackage
import SafeFiles
import StrictJSON
import Support
import ZipArchive

/// An asset catalog. Its tags have no counterpart in asset packs: only Xcode compiles catalogs, and the system looks up
/// tags in compiled catalogs only for on-demand resources.
enum AssetCatalog {
  private static let suffix = ".xcassets"
  private static let fileName = "Contents.json"
  /// The maximum size of a `Contents.json` in bytes.
  private static let maximumByteCount: Int64 = 1 << 20

  static func isCatalog(_ path: String) -> Bool { path.hasSuffix(suffix) }

  /// Returns the catalogs in a folder at any depth.
  ///
  /// - Throws: `FileError`, `Interruption`.
  static func catalogs(in folder: String, _ cancellation: Cancellation) throws -> [String] {
    var found: [String] = []
    try FileTree.open(folder).visit(cancellation: cancellation) { item in
      guard item.status.kind == .folder else { return .pass }
      let path = FileSystem.joined(folder, String(decoding: item.relativePath, as: UTF8.self))
      guard isCatalog(path) else { return .enter }
      found.append(path)
      return .pass
    }
    try cancellation.check()
    return found
  }

  /// Returns the tags of each item of a catalog (Asset Catalog Format Reference, "on-demand-resource-tags"), and
  /// whether every part of the catalog could be read.
  ///
  /// - Throws: `FileError`, `Interruption`.
  static func tags(
    in catalog: String, _ cancellation: Cancellation
  ) throws -> (tags: [(item: String, tags: [String])], isComplete: Bool) {
    let tree = try FileTree.open(catalog)
    var paths: [[UInt8]] = []
    var isComplete = true
    var count = 0
    try tree.visit(cancellation: cancellation) { item in
      count += 1
      guard count <= Limits.maximumEntryCount else {
        isComplete = false
        return .stop
      }
      if item.status.kind == .folder { return .enter }
      if EntryPath(bytes: item.relativePath).name.elementsEqual(fileName.utf8) {
        paths.append(item.relativePath)
      }
      return .pass
    }
    var found: [(String, [String])] = []
    for path in paths.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      try cancellation.check()
      guard let file = try? tree.openFile(path), file.byteCount <= maximumByteCount,
        let bytes = try? file.bytes(at: 0, count: Int(maximumByteCount)), let value = value(bytes)
      else {
        isComplete = false
        continue
      }
      guard case .array(let elements)? = value["properties"]?["on-demand-resource-tags"] else { continue }
      let names = elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
      guard let tags = try? ResourceTag.checked(names), names.count == elements.count else {
        isComplete = false
        continue
      }
      let item = EntryPath(bytes: path).parent?.escaped ?? ""
      if !tags.isEmpty { found.append((item, tags)) }
    }
    return (found, isComplete)
  }

  private static func value(_ bytes: [UInt8]) -> JSONValue? {
    var reader = JSONReader(bytes)
    return try? reader.document { (reader) throws(DocumentError) in try reader.value() }
  }
}
