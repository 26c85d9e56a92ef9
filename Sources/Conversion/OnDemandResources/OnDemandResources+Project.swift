import ContentPackage
package import Support
import ZipArchive

extension OnDemandResources {
  /// Returns the names of the targets of an Xcode project that have tags, in the order of the project.
  ///
  /// - Throws: `ConversionError` if there are none, `FileError`, `SourceError`.
  package static func targets(ofProject path: String) throws -> [String] {
    try XcodeProject(path).taggedTargets().map(\.name)
  }

  /// Returns the paths in which no output may lie: the project, and the files and folders with tags.
  package static func sources(ofProject path: String) -> [String] {
    guard let project = try? XcodeProject(path) else { return [path] }
    let files = ((try? project.taggedTargets()) ?? []).flatMap { (try? project.taggedFiles(of: $0)) ?? [] }
    return [path] + files.flatMap(\.resources).map(\.source)
  }

  /// Reads the tags and files of a target.
  ///
  /// - Parameters:
  ///   - name: The name of the target.
  ///   - path: The project.
  ///   - platforms: The platforms of the packs; those of the target if empty.
  ///   - cancellation: Ends the reading early.
  /// - Throws: `ConversionError`; `FileError` for a missing file; `SourceError`, `Interruption`.
  package init(
    target name: String, ofProject path: String, platforms: [AssetPlatform], _ cancellation: Cancellation
  ) throws {
    let project = try XcodeProject(path)
    let targets = try project.taggedTargets()
    guard let target = targets.first(where: { $0.name == name }) else {
      throw ConversionError.noTarget(path, wanted: name, targets.map(\.name))
    }
    let files = try project.taggedFiles(of: target)
    let catalogs = try project.assetCatalogs(of: target, cancellation)
    let scans = try catalogs.map { (path: $0, scan: try AssetCatalog.tags(in: $0, cancellation)) }
    let category = try project.categories(of: target)
    let names = Set(
      try project.knownTags() + files.flatMap(\.tags) + scans.flatMap { $0.scan.tags.flatMap(\.tags) })
    self.init(path: path, tags: names.map { ResourceTag(name: $0, category: category($0)) })
    self.platforms = try platforms.isEmpty ? project.platforms(of: target) : platforms
    for file in files {
      let (compiled, copied) = (
        file.resources.filter { AssetCatalog.isCatalog($0.source) },
        file.resources.filter { !AssetCatalog.isCatalog($0.source) }
      )
      losses += compiled.map {
        Self.loss(of: $0.destination.suffix(from: 1 + PackageLayout.contents.count).escaped, file.tags)
      }
      if !copied.isEmpty { add(copied, tags: file.tags) }
    }
    sort()
    for (path, scan) in scans {
      let shown = Self.relative(path, to: project.folder)
      losses += scan.tags.map { Self.loss(of: $0.item.isEmpty ? shown : "\(shown)/\($0.item)", $0.tags) }
      if !scan.isComplete {
        losses.append("\(shown): a part of the asset catalog cannot be read, so its tags are unknown")
      }
    }
    let prefetched = tags.filter { if case .prefetched = $0.category { true } else { false } }
    if prefetched.count > 1 {
      losses.append("the order of the prefetched tags: the system chooses the order of asset packs")
    }
    if try project.ignoresTags(of: target) {
      losses.append("ENABLE_ON_DEMAND_RESOURCES is NO, so Xcode puts files with tags into the app")
    }
    losses += compiledFiles.map {
      "\($0): copied as it is, although Xcode would compile it; import the .assetpack folders of a build instead"
    }
  }

  /// The paths in the app of files that Xcode compiles.
  private var compiledFiles: [String] {
    groups.flatMap(\.resources).map(\.destination).filter(ProjectSource.isCompiled).map {
      $0.suffix(from: 1 + PackageLayout.contents.count).escaped
    }
  }

  private static func loss(of item: String, _ tags: [String]) -> String {
    let names = tags.map { "'\(String(displaying: $0.utf8))'" }.joined(separator: ", ")
    return
      "\(String(displaying: item.utf8)): only Xcode compiles asset catalogs, and asset packs contain files; the tags "
      + "\(names) need files instead"
  }

  private static func relative(_ path: String, to folder: String) -> String {
    let rest = path.hasPrefix(folder) ? String(path.dropFirst(folder.count).drop { $0 == "/" }) : path
    return String(displaying: rest.utf8)
  }
}
