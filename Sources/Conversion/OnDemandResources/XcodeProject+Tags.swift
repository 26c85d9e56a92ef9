import ContentPackage
import PropertyList
import SafeFiles
import Support
import ZipArchive

/// The tags of on-demand resources in a project.
extension XcodeProject {
  /// A file with tags.
  struct TaggedFile {
    let tags: [String]
    let resources: [ProjectResource]
  }

  /// Returns the targets that have files with tags, in the order of the project.
  ///
  /// - Throws: `ConversionError.damaged` for an invalid project, or if there are no such targets.
  func taggedTargets() throws -> [Target] {
    let all = objects.list("targets", of: objects.root).map { Target(name: $0.name, object: $0) }
    let synchronized = try synchronizedTags()
    let tagged = try all.filter { target in
      try synchronized[target.object.identifier] != nil || !taggedReferences(of: target).isEmpty
    }
    // All tags may be in the asset catalogs of the app.
    let targets = try tagged.isEmpty && !knownTags().isEmpty ? all.filter(isApp) : tagged
    guard !targets.isEmpty else {
      throw ConversionError.damaged(path, "none of its targets has tags of on-demand resources")
    }
    return targets
  }

  private func isApp(_ target: Target) -> Bool {
    target.object.text("productType") == "com.apple.product-type.application"
  }

  /// Returns the tags that Xcode lists for the project (`KnownAssetTags`).
  func knownTags() throws -> [String] {
    guard let attributes = objects.root.values["attributes"] else { return [] }
    return try tags(attributes.members["KnownAssetTags"], of: "KnownAssetTags")
  }

  /// Returns the tags in a list, such as `ASSET_TAGS`; empty for a missing list.
  private func tags(_ value: PropertyListValue?, of name: String) throws(ConversionError) -> [String] {
    guard let value else { return [] }
    guard case .array(let elements) = value, case let texts = elements.compactMap(\.string),
      texts.count == elements.count
    else { throw .damaged(path, "the tags of '\(name)' are not a list of texts") }
    do throws(InvalidTag) {
      return try ResourceTag.checked(texts)
    } catch {
      throw .damaged(path, "'\(name)' cannot be read: \(error.message)")
    }
  }

  /// Returns the references with tags in the resource phases of a target.
  private func taggedReferences(
    of target: Target
  ) throws(ConversionError) -> [(reference: ProjectObject, tags: [String])] {
    var found: [(ProjectObject, [String])] = []
    for file in resourceFiles(of: target) {
      guard let settings = file.values["settings"] else { continue }
      guard case .dictionary = settings else {
        throw .damaged(path, "the settings of the file '\(file.identifier)' in a phase are not a dictionary")
      }
      let reference = objects[file.text("fileRef")]
      let tags = try tags(settings.members["ASSET_TAGS"], of: reference?.name ?? file.identifier)
      guard !tags.isEmpty else { continue }
      guard let reference else {
        throw .damaged(
          path, "a phase of the target '\(target.name)' has a file with tags that is not in the project")
      }
      found.append((reference, tags))
    }
    return found
  }

  private func resourceFiles(of target: Target) -> [ProjectObject] {
    var known: Set<String> = []
    return objects.list("buildPhases", of: target.object)
      .filter { $0.kind == "PBXResourcesBuildPhase" && known.insert($0.identifier).inserted }
      .flatMap { objects.list("files", of: $0) }
  }

  /// Returns the files with tags that a target copies.
  ///
  /// - Throws: `ConversionError.damaged`, also for a path that leads out of the project; `FileError` for a missing
  ///   file.
  func taggedFiles(of target: Target) throws -> [TaggedFile] {
    var files: [TaggedFile] = []
    var count = 0
    func add(_ resources: [ProjectResource], _ tags: [String]) throws {
      count += resources.count
      guard count <= Limits.maximumEntryCount else {
        throw ConversionError.damaged(path, "it has more than \(Limits.maximumEntryCount) files with tags")
      }
      for resource in resources { try checkInside(resource.source) }
      files.append(TaggedFile(tags: tags, resources: resources))
    }
    for (reference, tags) in try taggedReferences(of: target) {
      try add(resources(reference, to: PackageLayout.contents), tags)
    }
    for (source, tags) in try synchronizedTags()[target.object.identifier] ?? [] {
      try add([Self.resource(at: source, to: PackageLayout.contents)], tags)
    }
    try checkSeparate(files.flatMap(\.resources).map(\.source))
    return files
  }

  /// Verifies that no file with tags lies in a folder with tags: it would be in two packs.
  private func checkSeparate(_ sources: [String]) throws(ConversionError) {
    let all = Set(sources)
    for source in sources {
      var parts = source.split(separator: "/", omittingEmptySubsequences: false)
      while parts.count > 1 {
        parts.removeLast()
        guard all.contains(parts.joined(separator: "/")) else { continue }
        throw .damaged(
          path,
          "'\(source)' and the folder '\(parts.joined(separator: "/"))' that contains it both have tags, expected tags for one"
        )
      }
    }
  }

  /// Returns the paths of the files and folders with tags in synchronized groups, by the identifiers of their targets
  /// (`PBXFileSystemSynchronizedBuildFileExceptionSet`, `assetTagsByRelativePath`).
  private func synchronizedTags() throws -> [String: [(source: String, tags: [String])]] {
    let owners = synchronizedOwners
    var found: [String: [(source: String, tags: [String])]] = [:]
    var count = 0
    for group in objects.all(of: Self.synchronizedGroup) {
      var known: Set<String> = []
      for set in objects.list("exceptions", of: group) where known.insert(set.identifier).inserted {
        guard let target = set.text("target"), let value = set.values["assetTagsByRelativePath"] else {
          continue
        }
        guard case .dictionary(let pairs) = value else {
          throw ConversionError.damaged(
            path, "assetTagsByRelativePath of '\(group.name)' is not a dictionary")
        }
        count += pairs.count
        guard count <= Limits.maximumEntryCount else {
          throw ConversionError.damaged(path, "it has more than \(Limits.maximumEntryCount) files with tags")
        }
        let isMember = owners[group.identifier]?.contains(target) == true
        let exceptions = Set(set.values["membershipExceptions"]?.elements.compactMap(\.string) ?? [])
        let folder = try location(of: group)
        for pair in pairs {
          let tags = try tags(pair.value, of: pair.key)
          try checkRelative(pair.key, in: group.name)
          // In a group of the target, exceptions are not members; in another group, only they are.
          guard !tags.isEmpty, exceptions.contains(pair.key) != isMember else { continue }
          found[target, default: []].append((Self.joined(folder, pair.key), tags))
        }
      }
    }
    return found
  }

  private static let synchronizedGroup = "PBXFileSystemSynchronizedRootGroup"

  /// The identifiers of the targets that a synchronized group belongs to, by the identifier of the group.
  private var synchronizedOwners: [String: Set<String>] {
    var owners: [String: Set<String>] = [:]
    for target in objects.list("targets", of: objects.root) {
      for group in objects.list("fileSystemSynchronizedGroups", of: target) {
        owners[group.identifier, default: []].insert(target.identifier)
      }
    }
    return owners
  }

  private func checkRelative(_ relative: String, in group: String) throws(ConversionError) {
    let parts = relative.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !["", ".", ".."].contains($0) }) else {
      throw .damaged(
        path,
        "the path '\(relative)' with tags in '\(group)' has empty parts, '.' or '..', expected one within the group"
      )
    }
  }

  /// Returns the paths of the asset catalogs of a target, with or without tags.
  func assetCatalogs(of target: Target, _ cancellation: Cancellation) throws -> [String] {
    var paths: [String] = []
    for file in resourceFiles(of: target) {
      guard let reference = objects[file.text("fileRef")], let catalog = try? location(of: reference),
        AssetCatalog.isCatalog(catalog), (try? checkInside(catalog)) != nil
      else { continue }
      paths.append(catalog)
    }
    var known: Set<String> = []
    for group in objects.list("fileSystemSynchronizedGroups", of: target.object)
    where known.insert(group.identifier).inserted {
      let folder = try location(of: group)
      try checkInside(folder)
      paths += try AssetCatalog.catalogs(in: folder, cancellation)
    }
    return Set(paths).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Returns a function that maps a tag to its category, according to the build settings of a target.
  func categories(of target: Target) throws -> (String) -> ResourceTag.Category {
    let settings = try settings(of: target)
    func words(_ name: String) throws -> [String] {
      try settings.value(name).map(BuildSettingList.words) ?? []
    }
    let initial = Set(try words("ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS"))
    let order = try words("ON_DEMAND_RESOURCES_PREFETCH_ORDER")
    return { tag in
      if initial.contains(tag) { return .initialInstall }
      return order.firstIndex(of: tag).map { .prefetched($0 + 1) } ?? .onDemand
    }
  }

  /// Returns the platforms of a target that can have on-demand resources; iOS if its settings name none.
  func platforms(of target: Target) throws -> [AssetPlatform] {
    let settings = try settings(of: target)
    let names =
      try settings.value("SUPPORTED_PLATFORMS").map(BuildSettingList.words)
      ?? settings.value("SDKROOT").map { [$0] } ?? []
    let sdks: [(AssetPlatform, String)] = [(.iOS, "iphoneos"), (.tvOS, "appletvos"), (.visionOS, "xros")]
    let found = sdks.filter { sdk in names.contains { $0.hasPrefix(sdk.1) } }
    return found.isEmpty ? [.iOS] : found.map(\.0)
  }

  /// Returns whether Xcode ignores the tags of a target.
  func ignoresTags(of target: Target) throws -> Bool {
    try settings(of: target).value("ENABLE_ON_DEMAND_RESOURCES") == "NO"
  }
}
