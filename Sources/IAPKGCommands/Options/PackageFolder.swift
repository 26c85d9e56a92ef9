import ContentPackage
import SafeFiles
import Support
import ZipArchive

/// The folder of `--output` that gets packages under their usual names.
struct PackageFolder {
  let path: String
  /// Whether the folder was made for the packages.
  private let isNew: Bool
  /// Whether it was not made since nothing is to be written.
  private let isMissing: Bool

  /// Whether an output says that it is a folder for packages.
  static func isMeant(by output: String?) -> Bool { output?.hasSuffix("/") == true }

  /// Makes the folder if it is missing, unless it is a rehearsal.
  ///
  /// - Returns: nil if no folder is meant.
  /// - Throws: `FileError`.
  init?(_ output: String?, isRehearsal: Bool) throws(FileError) {
    guard let output, Self.isMeant(by: output) else { return nil }
    path = output
    isNew = isRehearsal ? false : try FileSystem.makeFolderIfMissing(output)
    isMissing = isRehearsal ? try FileSystem.status(of: output, followingLinks: true) == nil : false
  }

  func path(of info: ContentInfo) -> String { FileSystem.joined(path, info.packageName) }

  /// Where a package goes: `place`, which was checked. A rehearsal for a folder that is missing tries the one above it, where nothing is replaced.
  func place(_ place: OutputPlace, of info: ContentInfo) -> OutputPlace {
    guard isMissing else { return place }
    let above = FileSystem.folder(of: path)
    return OutputPlace(.file(FileSystem.joined(above, info.packageName), replacing: true))
  }

  /// Removes the folder that was made if nothing went into it.
  func removeIfEmpty() { if isNew { FileSystem.removeFolderIfEmpty(path) } }
}
