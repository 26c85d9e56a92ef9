package import ZipArchive

/// The rules for the root of a package.
package enum RootRules {
  static func review(_ items: ContentItems, _ report: (Finding) -> Void) {
    if let folder = enclosingFolder(of: items) {
      return report(
        Finding(
          .packageRootItem, at: folder,
          "the content is one folder too deep: found '\(folder.escaped)/ContentInfo.plist', expected "
            + "'ContentInfo.plist' at the root",
          remedy: "pack the items of '\(folder.escaped)' instead of the folder itself"))
    }
    reviewUnexpectedItems(items, report)
    manifestFindings(items).forEach(report)
    contentsFindings(items).forEach(report)
  }

  /// Returns whether the first part of an item's path is the name of junk.
  private static func isJunk(_ first: EntryPath, _ item: ContentItem) -> Bool {
    NameRecognizer.isJunk(first, isFolder: item.kind == .folder || first != item.path)
  }

  /// Returns the only folder at the root if it has a manifest, as in a folder that was zipped in the Finder.
  package static func enclosingFolder(of items: ContentItems) -> EntryPath? {
    var folders: Set<EntryPath> = []
    for item in items {
      let first = item.path.first
      if first != PackageLayout.metaInf, !isJunk(first, item) { folders.insert(first) }
      if folders.count > 1 { return nil }
    }
    guard let folder = folders.first, folder != PackageLayout.contents else { return nil }
    let manifest = folder.appending("ContentInfo.plist")
    return items.contains { $0.path == manifest } ? folder : nil
  }

  /// Reports one finding for each unexpected name at the root, not for each file below it.
  private static func reviewUnexpectedItems(_ items: ContentItems, _ report: (Finding) -> Void) {
    let expected = [PackageLayout.manifest, PackageLayout.contents, PackageLayout.metaInf]
    var seen: Set<EntryPath> = []
    for item in items where !item.isContent {
      let first = item.path.first
      guard !expected.contains(first), !isJunk(first, item), !isReportedByPathRules(item.path) else {
        continue
      }
      guard seen.insert(first).inserted else { continue }
      report(
        Finding(
          .packageRootItem, at: first,
          "found '\(first.escaped)' at the root, expected only ContentInfo.plist and Contents"))
    }
  }

  /// Returns whether the rules on paths report an item at the root: its path does not start with a name, or starts with
  /// another spelling of a reserved name.
  private static func isReportedByPathRules(_ path: EntryPath) -> Bool {
    let first = path.first.bytes[...]
    if first.isEmpty || PathRules.isStep(first) || PathRules.isAbsolute(path.bytes[...]) { return true }
    guard let key = NameFolding.key(for: first) else { return false }
    return [PackageLayout.manifest, PackageLayout.contents].contains {
      NameFolding.key(for: $0.bytes[...]) == key
    }
  }

  private static func manifestFindings(_ items: ContentItems) -> [Finding] {
    let path = PackageLayout.manifest
    let item = items.first { $0.path == path }
    if let item, item.kind != .folder { return [] }  // links and special files have their own rules
    // Archives need not list a folder; it may appear only in the paths of other items.
    if item != nil || items.contains(where: { $0.path.first == path }) {
      return [Finding(.manifestNotAFile, at: path, "found a folder, expected a file")]
    }
    return [Finding(.manifestMissing, at: path, "there is no ContentInfo.plist at the root")]
  }

  private static func contentsFindings(_ items: ContentItems) -> [Finding] {
    let content = items.lazy.filter { $0.isContent }
    guard content.first != nil else {
      return [
        Finding(
          .packageContentsMissing, at: PackageLayout.contents, "there is no folder Contents at the root")
      ]
    }
    // An item that is not a folder has its own rule.
    if content.contains(where: { $0.path == PackageLayout.contents && $0.kind != .folder }) { return [] }
    guard content.allSatisfy({ $0.kind == .folder || NameRecognizer.isJunk($0.path, isFolder: false) }) else {
      return []
    }
    return [Finding(.packageContentsEmpty, at: PackageLayout.contents, "the folder Contents has no files")]
  }
}
