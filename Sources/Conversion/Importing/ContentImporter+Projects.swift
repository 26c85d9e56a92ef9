import ContentPackage
import SafeFiles
import Support

extension ContentImporter {
  /// Whether a path is that of an Xcode project.
  public static func isProject(_ path: String) -> Bool { XcodeProject.isProject(path) }

  /// The names of the targets of an Xcode project that make content, in the order of the project.
  ///
  /// - Throws: `ConversionError` if there are none, `FileError`, `SourceError`.
  public static func targets(ofProject path: String) throws -> [String] {
    try XcodeProject(path).targets().map(\.name)
  }

  /// Opens what a target of an Xcode project copies.
  ///
  /// - Parameters:
  ///   - name: the name of the target.
  ///   - path: the project, a folder whose name ends in `.xcodeproj`.
  ///   - spoolFolder: a folder on a file system with room for the content.
  /// - Returns: the content, none of which is checked yet.
  /// - Throws: `ConversionError`, `FileError` also for a file of the project that is not there, `SourceError`,
  ///   `Interruption`.
  public func open(target name: String, ofProject path: String, spoolFolder: String) throws -> ImportedContent
  {
    let project = try XcodeProject(path)
    let targets = try project.targets()
    guard let target = targets.first(where: { $0.name == name }) else {
      throw ConversionError.noTarget(path, wanted: name, targets.map(\.name))
    }
    let source = try ProjectSource(project, target, cancellation: context.cancellation)
    let changes =
      source.uncompiled.map { "\($0) is copied as it is, although Xcode would compile it" }
      + source.foreign.map { "\($0) was taken from outside of the folder of the project" }
    return try cleaned(source, adding: changes, spoolFolder: spoolFolder)
  }
}

extension ContentImporter {
  /// The paths that opening the targets of an Xcode project reads: the project, the folder that its paths begin at, and what
  /// its targets copy. What cannot be found out is left out.
  package static func inputs(ofProject path: String) -> [String] {
    guard let project = try? XcodeProject(path) else { return [path] }
    let resources = (try? project.targets())?.flatMap { (try? project.resources(of: $0)) ?? [] } ?? []
    return [path, project.folder] + resources.map(\.source)
  }
}
