import ContentPackage
import PropertyList
import SafeFiles
package import Support
import ZipArchive

extension OnDemandResources {
  /// The suffix of the name of a pack that Xcode has built.
  private static let builtSuffix = ".assetpack"
  private static let infoName = "Info.plist"
  /// The items of a built pack that are not resources.
  private static let builtItems: Set<String> = [infoName, "_CodeSignature"]

  /// Returns whether a path is that of a pack that Xcode has built.
  package static func isBuiltPack(_ path: String) -> Bool {
    FileSystem.name(of: path).reversed().starts(with: builtSuffix.utf8.reversed())
      && (try? FileSystem.kind(of: path)) == .folder
  }

  /// Reads a pack that Xcode has built, or a folder of them, such as `OnDemandResources` beside an app.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - platforms: The platforms of the packs; iOS if empty.
  ///   - cancellation: Ends the reading early.
  /// - Throws: `ConversionError`, `FileError`, `SourceError`, `Interruption`.
  package init(builtIn path: String, platforms: [AssetPlatform], _ cancellation: Cancellation) throws {
    let paths = Self.isBuiltPack(path) ? [path] : try Self.builtPacks(in: path)
    let packs = try paths.map { path in
      try cancellation.check()
      return try BuiltPack(path)
    }
    // A pack of one tag has the category of the tag; a pack of several tags has the earliest of their categories.
    var categories: [String: ResourceTag.Category] = [:]
    for pack in packs.sorted(by: { $0.tags.count > $1.tags.count }) {
      for tag in pack.tags { categories[tag] = pack.category }
    }
    self.init(path: path, tags: categories.map { ResourceTag(name: $0.key, category: $0.value) })
    if !platforms.isEmpty { self.platforms = platforms }
    for pack in packs {
      guard !groups.contains(where: { $0.tags == pack.tags }) else {
        throw ConversionError.damaged(
          path,
          "two packs have the tags '\(pack.tags.joined(separator: "', '"))', expected the packs of one build")
      }
      let resource = ProjectResource(
        source: pack.path, destination: PackageLayout.contents, excludedNames: Self.builtItems)
      add([resource], tags: pack.tags, policy: pack.category.policy)
      if try FileSystem.status(of: FileSystem.joined(pack.path, "Assets.car"), followingLinks: false) != nil {
        losses.append(
          "Assets.car with the tags '\(pack.tags.map { String(displaying: $0.utf8) }.joined(separator: "', '"))': it is "
            + "copied, but the system finds images of a compiled asset catalog only in bundles; use files instead"
        )
      }
    }
    sort()
  }

  private static func builtPacks(in folder: String) throws -> [String] {
    let handle = try DirectoryHandle.open(folder)
    let names = try handle.list().filter { name in
      try name.reversed().starts(with: builtSuffix.utf8.reversed())
        && handle.status(of: name)?.kind == .folder
    }
    guard !names.isEmpty else {
      throw ConversionError.damaged(
        folder,
        "it is neither a project nor a folder whose name ends in \(builtSuffix), and contains no such folder")
    }
    return names.map { FileSystem.joined(folder, String(decoding: $0, as: UTF8.self)) }
  }

  /// A pack that Xcode has built.
  private struct BuiltPack {
    let path: String
    let tags: [String]
    let category: ResourceTag.Category

    init(_ path: String) throws {
      self.path = path
      let file = try DirectoryHandle.open(path).openFile(infoName.utf8)
      let bytes = try file.bytes(at: 0, count: PropertyListLimits.maximumFileSize + 1)
      let entries: [String: PropertyListValue]
      do throws(PropertyListError) {
        entries = try PropertyListDocument.parse(bytes).root.members
      } catch {
        throw ConversionError.damaged(file.path, "\(error)")
      }
      guard case .array(let elements)? = entries["Tags"], !elements.isEmpty,
        case let texts = elements.compactMap(\.string), texts.count == elements.count
      else { throw ConversionError.damaged(file.path, "Tags is not a list of texts, as Xcode writes it") }
      do throws(InvalidTag) {
        tags = try ResourceTag.checked(texts)
      } catch {
        throw ConversionError.damaged(file.path, error.message)
      }
      category = try Self.category(entries["Priority"], file.path)
    }

    /// Returns the category of a priority: Xcode writes 1 for tags of the initial installation, and lower ones for
    /// prefetched tags, in descending order (swift-build, TaskProducerContext).
    private static func category(
      _ value: PropertyListValue?, _ path: String
    ) throws(ConversionError) -> ResourceTag.Category {
      let priority: Double
      switch value {
      case nil: return .onDemand
      case .real(let number): priority = number
      case .integer(let number): priority = Double(number)
      default: throw .damaged(path, "Priority is not a number")
      }
      guard priority >= 0, priority <= 1 else {
        throw .damaged(path, "Priority is \(priority), expected 0 to 1")
      }
      return priority == 1 ? .initialInstall : priority == 0 ? .onDemand : .prefetched(0)
    }
  }
}
