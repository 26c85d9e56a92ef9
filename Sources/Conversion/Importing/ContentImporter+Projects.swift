package import ContentPackage
import SafeFiles
import Support

extension ContentImporter {
  /// Returns whether a path is that of an Xcode project.
  public static func isProject(_ path: String) -> Bool { XcodeProject.isProject(path) }

  /// Returns the names of the content targets of an Xcode project, in the order of the project.
  ///
  /// - Throws: `ConversionError` if there are none, `FileError`, `SourceError`.
  public static func targets(ofProject path: String) throws -> [String] {
    try XcodeProject(path).targets().map(\.name)
  }

  /// Opens the files that a target of an Xcode project copies.
  ///
  /// - Parameters:
  ///   - name: The name of the target.
  ///   - path: The project, a folder whose name ends in `.xcodeproj`.
  ///   - spoolFolder: A folder on a file system with space for the content.
  /// - Returns: The content, which is not checked yet.
  /// - Throws: `ConversionError`, `FileError`, also for a missing file of the project, `SourceError`, `Interruption`.
  public func open(target name: String, ofProject path: String, spoolFolder: String) throws -> ImportedContent
  {
    let project = try XcodeProject(path)
    let targets = try project.targets()
    guard let target = targets.first(where: { $0.name == name }) else {
      throw ConversionError.noTarget(path, wanted: name, targets.map(\.name))
    }
    let source = try ProjectSource(project, target, cancellation: context.cancellation)
    let changes = source.uncompiled.map { "\($0) is copied as it is, although Xcode would compile it" }
    return try cleaned(source, adding: changes, spoolFolder: spoolFolder)
  }

  /// Returns the identity of the content of a target; nil if its manifest is invalid.
  ///
  /// - Throws: The errors of `open(target:ofProject:spoolFolder:)`.
  package func info(ofTarget name: String, project path: String) throws -> ContentInfo? {
    // The files of a project need no decoding, so nothing is spooled.
    let source = try open(target: name, ofProject: path, spoolFolder: FileSystem.temporaryFolder).source
    return try ContentReview(
      of: source, for: .pack, limits: context.limits, cancellation: context.cancellation
    ).contentInfo
  }
}

extension ContentImporter {
  /// Returns the paths that are read for the targets of an Xcode project: the project, and its root folder.
  package static func inputs(ofProject path: String) -> [String] {
    [path] + [try? XcodeProject(path).folder].compactMap(\.self)
  }

  /// Returns the paths in which no output may lie: the project, and the manifests, files and folders that its targets
  /// copy. Its root folder may contain outputs beside them.
  package static func protectedPaths(ofProject path: String) -> [String] {
    guard let project = try? XcodeProject(path) else { return [path] }
    return [path] + ((try? project.targets()) ?? []).flatMap(project.sources)
  }
}
