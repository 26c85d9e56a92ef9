import ContentPackage
import SafeFiles
import SystemPackage
import ZipArchive

/// The rules on the kinds of the items that a pack selects. Apple does not document whether `ba-package` follows links,
/// so a link must lead to an item in the source root.
enum AssetPackItemRules {
  /// Returns the findings about selected items.
  ///
  /// - Parameters:
  ///   - selection: The selected files.
  ///   - items: The items below the source root.
  ///   - root: The source root.
  ///   - name: The folder of the pack.
  /// - Returns: The findings, in the order of the items.
  /// - Throws: `FileError`.
  static func findings(
    for selection: AssetPackSelection, among items: [FileTree.Item], in root: String, of name: EntryPath
  ) throws(FileError) -> [Finding] {
    let selected = Set(selection.sources.values)
    let resolvedRoot = try FileSystem.resolved(root)
    var findings: [Finding] = []
    for item in items {
      let path = EntryPath(bytes: item.relativePath)
      guard selected.contains(path) else { continue }
      let itemPath = name.appending(item.relativePath)
      guard path.string != nil else {
        findings.append(Finding(.pathEncoding, at: itemPath, "the path \(path.escaped) is not UTF-8"))
        continue
      }
      switch item.status.kind {
      case .file, .folder: continue
      case .special(let kind):
        findings.append(Finding(.fileSpecial, at: itemPath, "found a \(kind.rawValue)"))
      case .link:
        if let finding = try linkFinding(path, in: root, resolvedRoot, at: itemPath) {
          findings.append(finding)
        }
      }
    }
    return findings
  }

  private static func linkFinding(
    _ path: EntryPath, in root: String, _ resolvedRoot: String, at itemPath: EntryPath
  ) throws(FileError) -> Finding? {
    let folder = FileSystem.joined(root, path.parent?.string ?? ".")
    let target = try DirectoryHandle.open(folder).readLink(path.name)
    let shown = EntryPath(bytes: target).escaped
    guard target.first != UInt8(ascii: "/") else {
      return Finding(
        .linkAbsolute, at: itemPath, "the target \(shown) is absolute, expected a path relative to the link")
    }
    do throws(FileError) {
      let destination = try FileSystem.resolved(
        FileSystem.joined(folder, String(decoding: path.name, as: UTF8.self)))
      guard !FileSystem.isPath(destination, in: resolvedRoot) else { return nil }
      return Finding(
        .linkEscapes, at: itemPath, "the target \(shown) leads outside the source root of the pack")
    } catch  where error.errno == .tooManySymbolicLinkLevels {
      return Finding(.linkLoop, at: itemPath, "the target \(shown) leads back to the link")
    } catch  where error.errno == .noSuchFileOrDirectory || error.errno == .notDirectory {
      return Finding(.linkDangling, at: itemPath, "the target \(shown) does not exist")
    }
  }
}
