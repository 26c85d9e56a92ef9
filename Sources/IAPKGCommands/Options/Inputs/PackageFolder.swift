import ContentPackage
import SafeFiles
import Support
import ZipArchive

/// A folder as `--output`, in which packages get their default names.
struct PackageFolder {
  let path: String
  /// Whether this run created the folder.
  private let isNew: Bool
  /// Whether the folder is missing because a rehearsal does not create it.
  private let isMissing: Bool

  /// Whether an output path names a folder for packages.
  static func isMeant(by output: String?) -> Bool { output?.hasSuffix("/") == true }

  /// Creates the folder if it is missing, except in a rehearsal. Returns nil if `output` names no folder.
  ///
  /// - Throws: `FileError`.
  init?(_ output: String?, isRehearsal: Bool) throws(FileError) {
    guard let output, Self.isMeant(by: output) else { return nil }
    path = output
    isNew = isRehearsal ? false : try FileSystem.makeFolderIfMissing(output)
    isMissing = isRehearsal ? try FileSystem.status(of: output, followingLinks: true) == nil : false
  }

  func path(of info: ContentInfo) -> String { FileSystem.joined(path, info.packageName) }

  /// Returns `place`, the checked destination of a package. If a rehearsal's folder is missing, returns a path in its
  /// parent folder, where the rehearsal replaces nothing.
  func place(_ place: OutputPlace, of info: ContentInfo) -> OutputPlace {
    guard isMissing else { return place }
    let above = FileSystem.folder(of: path)
    return OutputPlace(.file(FileSystem.joined(above, info.packageName), replacing: true))
  }

  /// Removes the folder if this run created it and it is empty.
  func removeIfEmpty() { if isNew { FileSystem.removeFolderIfEmpty(path) } }
}
