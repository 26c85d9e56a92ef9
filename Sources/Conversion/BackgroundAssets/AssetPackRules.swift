import ContentPackage
import Support
import ZipArchive

/// The rules on asset packs.
enum AssetPackRules {
  /// Returns the findings about one pack.
  static func findings(
    for manifest: AssetPackManifest, _ selection: AssetPackSelection, at manifestPath: EntryPath
  ) -> [Finding] {
    var findings: [Finding] = []
    if AssetPackIdentifier(manifest.identifier) == nil {
      findings.append(
        Finding(
          .assetPackIdentifier, at: manifestPath,
          "the ID is '\(String(displaying: manifest.identifier.utf8))', and App Store Connect accepts only "
            + AssetPackIdentifier.form))
    }
    for index in selection.unmatched {
      let selector = manifest.selectors[index]
      let isExclusion = if case .exclusion = selector { true } else { false }
      findings.append(
        Finding(
          .assetPackSelector, at: manifestPath, severity: isExclusion ? .warning : nil,
          "selector \(index + 1) of fileSelectors matches nothing: \(selector.text)"))
    }
    findings += selection.conflicts.map { path in
      Finding(
        .assetPackCollision, at: manifestPath, "two files of the pack have the path '\(path.escaped)' in it")
    }
    let policy = manifest.policy
    if policy.kind != .onDemand, !policy.events.contains(.firstInstallation) {
      findings.append(
        Finding(
          .assetPackPolicy, at: manifestPath,
          "the policy \(policy.kind.manifestName) lacks firstInstallation, so new users get the pack only after an update "
            + "of the app"))
    }
    if manifest.language != nil {
      findings.append(
        Finding(
          .assetPackPolicy, at: manifestPath, severity: .note,
          "the pack has a language, which systems before version 27 do not know",
          remedy: "nothing needs to be done"))
    }
    if manifest.userInfo != nil {
      findings.append(
        Finding(
          .assetPackPolicy, at: manifestPath, severity: .note,
          "the pack has userInfo, which only self-hosted packs may have", remedy: "nothing needs to be done"))
    }
    return findings
  }

  /// Returns the findings about all packs of an app.
  static func findings(for packs: [AssetPackProject.Pack], _ maximumPackCount: Int) -> [Finding] {
    var findings: [Finding] = []
    if packs.count > maximumPackCount {
      findings.append(
        Finding(
          .assetPackLimit,
          "there are \(packs.count) asset packs, expected at most \(maximumPackCount)"))
    }
    let bytes = SizeRules.sum(packs.lazy.compactMap(\.archiveBytes))
    if bytes > AssetPackLimits.maximumArchiveBytes {
      findings.append(
        Finding(
          .assetPackLimit,
          "the archives have \(bytes) bytes together, expected at most \(AssetPackLimits.maximumArchiveBytes), "
            + "the limit of an app"
        ))
    }
    return findings + sharedIdentifiers(packs) + sharedPaths(packs)
  }

  private static func sharedIdentifiers(_ packs: [AssetPackProject.Pack]) -> [Finding] {
    var known: [String: AssetPackProject.Pack] = [:]
    return packs.compactMap { pack in
      guard let manifest = pack.manifest,
        let other = known.updateValue(pack, forKey: manifest.identifier.lowercased())
      else { return nil }
      return Finding(
        .assetPackIdentifier, at: pack.name.appending(AssetPackManifest.fileName), severity: .error,
        "the pack in '\(other.name.escaped)' has the same ID, or an ID that differs only in case")
    }
  }

  /// Returns a finding for each pair of packs that can be on one device and share paths.
  private static func sharedPaths(_ packs: [AssetPackProject.Pack]) -> [Finding] {
    let paths = packs.map { Array($0.selection.sources.keys) }
    let shared = SharedPaths(paths) { canShareDevice(packs[$0].manifest, packs[$1].manifest) }
    return shared.pairs.map { pair in
      let more = pair.count > 1 ? " and \(pair.count - 1) more" : ""
      return Finding(
        .assetPackCollision, at: packs[pair.index].name.appending(AssetPackManifest.fileName),
        "the pack shares the path '\(pair.path.escaped)'\(more) with the pack in '\(packs[pair.other].name.escaped)'"
      )
    }
  }

  /// Returns whether two packs can be on one device: they share a platform, and are not for different languages.
  static func canShareDevice(_ one: AssetPackManifest?, _ other: AssetPackManifest?) -> Bool {
    guard let one, let other else { return false }
    if let first = one.language, let second = other.language, first.lowercased() != second.lowercased() {
      return false
    }
    return !Set(one.platforms).isDisjoint(with: other.platforms)
  }
}

extension AssetPackSelector {
  /// The selector for messages, safe to print.
  fileprivate var text: String {
    let text =
      switch self {
      case .file(let path): "file '\(path)'"
      case .directory(let path): "directory '\(path)'"
      case .pattern(let pattern): "filePattern '\(pattern)'"
      case .movedFile(let source, _): "fileSource '\(source)'"
      case .movedDirectory(let source, _): "directorySource '\(source)'"
      case .exclusion(let pattern): "fileExclusion '\(pattern)'"
      }
    return String(displaying: text.utf8)
  }
}
