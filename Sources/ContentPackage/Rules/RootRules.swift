import ZipArchive

/// What may lie at the root of a package, and what must.
enum RootRules {
  static func findings(for items: [ContentItem]) -> [Finding] {
    if let folder = folderAroundContent(items) {
      return [
        Finding(
          .packageRootItem, at: folder,
          "the content lies one folder too deep: found '\(folder.escaped)/ContentInfo.plist', expected "
            + "'ContentInfo.plist' at the root",
          remedy: "package what is inside '\(folder.escaped)', not the folder itself")
      ]
    }
    return strangers(items) + manifestPlace(items) + contentsPlace(items)
  }

  /// The one folder that holds a manifest and all else, as when a folder is zipped in the Finder.
  private static func folderAroundContent(_ items: [ContentItem]) -> EntryPath? {
    var folders: Set<EntryPath> = []
    for item in items {
      let first = item.path.first
      if first != PackageLayout.metaInf, !NameRecognizer.isJunk(first) { folders.insert(first) }
      if folders.count > 1 { return nil }
    }
    guard let folder = folders.first, folder != PackageLayout.contents else { return nil }
    let manifest = folder.appending("ContentInfo.plist")
    return items.contains { $0.path == manifest } ? folder : nil
  }

  /// One finding for each name at the root that does not belong there, not for each file beneath it.
  private static func strangers(_ items: [ContentItem]) -> [Finding] {
    let expected = [PackageLayout.manifest, PackageLayout.contents, PackageLayout.metaInf]
    var seen: Set<EntryPath> = []
    var findings: [Finding] = []
    for item in items {
      let first = item.path.first
      guard !expected.contains(first), !NameRecognizer.isJunk(first), !isJudgedByPath(item.path) else {
        continue
      }
      guard seen.insert(first).inserted else { continue }
      findings.append(
        Finding(
          .packageRootItem, at: first,
          "found '\(first.escaped)' at the root, expected only ContentInfo.plist and Contents"))
    }
    return findings
  }

  /// Whether the rules on paths find what is wrong at the root: a path that does not begin with a name there, or
  /// another spelling of a name that belongs there.
  private static func isJudgedByPath(_ path: EntryPath) -> Bool {
    let first = path.first.bytes[...]
    if first.isEmpty || PathRules.isStep(first) || PathRules.isAbsolute(path.bytes) { return true }
    guard let key = NameFolding.key(for: first) else { return false }
    return [PackageLayout.manifest, PackageLayout.contents].contains {
      NameFolding.key(for: $0.bytes[...]) == key
    }
  }

  private static func manifestPlace(_ items: [ContentItem]) -> [Finding] {
    let place = PackageLayout.manifest
    let item = items.first { $0.path == place }
    if let item, item.kind != .folder { return [] }  // links and special files have rules of their own
    // A folder need not be listed, if something in it is.
    if item != nil || items.contains(where: { $0.path.first == place }) {
      return [Finding(.manifestNotAFile, at: place, "found a folder, expected a file")]
    }
    return [Finding(.manifestMissing, at: place, "there is no ContentInfo.plist at the root")]
  }

  private static func contentsPlace(_ items: [ContentItem]) -> [Finding] {
    let content = items.filter { $0.isContent }
    guard !content.isEmpty else {
      return [
        Finding(
          .packageContentsMissing, at: PackageLayout.contents, "there is no folder Contents at the root")
      ]
    }
    // What stands in the place of the folder has a rule of its own.
    if content.contains(where: { $0.path == PackageLayout.contents && $0.kind != .folder }) { return [] }
    guard content.allSatisfy({ $0.kind == .folder || NameRecognizer.isJunk($0.path) }) else { return [] }
    return [Finding(.packageContentsEmpty, at: PackageLayout.contents, "the folder Contents holds no file")]
  }
}
