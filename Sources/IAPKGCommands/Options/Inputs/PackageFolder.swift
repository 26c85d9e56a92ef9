import ContentPackage
import SafeFiles
import Support
import ZipArchive

/// A folder given as `--output`, in which packages get their default names.
struct PackageFolder {
  let path: String
  private let made = MadeFolders()
  /// The nearest existing folder, if a dry run does not create the missing `path`; nil otherwise.
  private let folderForDryRun: String?

  /// Returns whether an output path names a folder for packages.
  static func isFolderPath(_ output: String?) -> Bool { output?.hasSuffix("/") == true }

  /// Creates the folder and its missing parents; a dry run only checks that they can be created. Returns nil if
  /// `output` does not name a folder.
  ///
  /// - Throws: `FileError`, after removing the folders that were created.
  init?(_ output: String?, isDryRun: Bool) throws(FileError) {
    guard let output, Self.isFolderPath(output) else { return nil }
    path = output
    let present = FileSystem.existing(output)
    folderForDryRun = isDryRun && present != output ? present : nil
    if isDryRun {
      try FileSystem.checkFolder(output, withParents: true)
    } else {
      try made.make(output, withParents: true)
    }
  }

  func path(of info: ContentInfo) -> String { FileSystem.joined(path, info.packageName) }

  /// Returns `destination`, the checked destination of a package. If a dry run's folder is missing, returns a path in
  /// the nearest existing folder, where the dry run replaces nothing.
  func destination(_ destination: OutputDestination, of info: ContentInfo) -> OutputDestination {
    guard let folderForDryRun else { return destination }
    return OutputDestination(.file(FileSystem.joined(folderForDryRun, info.packageName), replacing: true))
  }

  /// Removes the folders that this run created and that are empty.
  func removeIfEmpty() { made.removeEmpty() }
}
