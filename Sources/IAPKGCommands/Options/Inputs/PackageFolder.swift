import ContentPackage
import SafeFiles
import Support
import ZipArchive

/// A folder as `--output`, in which packages get their default names.
struct PackageFolder {
  let path: String
  private let made = MadeFolders()
  /// The nearest existing folder, if a rehearsal does not create this one.
  private let folderForRehearsal: String?

  /// Whether an output path names a folder for packages.
  static func isMeant(by output: String?) -> Bool { output?.hasSuffix("/") == true }

  /// Creates the folder and those above it, if they are missing; a rehearsal only checks that. Returns nil if `output` names
  /// no folder.
  ///
  /// - Throws: `FileError`, after removing the folders that were created.
  init?(_ output: String?, isRehearsal: Bool) throws(FileError) {
    guard let output, Self.isMeant(by: output) else { return nil }
    path = output
    let present = FileSystem.existing(output)
    folderForRehearsal = isRehearsal && present != output ? present : nil
    if isRehearsal {
      try FileSystem.checkFolder(output, withParents: true)
    } else {
      try made.make(output, withParents: true)
    }
  }

  func path(of info: ContentInfo) -> String { FileSystem.joined(path, info.packageName) }

  /// Returns `place`, the checked destination of a package. If a rehearsal's folder is missing, returns a path in the
  /// nearest existing folder, where the rehearsal replaces nothing.
  func place(_ place: OutputPlace, of info: ContentInfo) -> OutputPlace {
    guard let folderForRehearsal else { return place }
    return OutputPlace(.file(FileSystem.joined(folderForRehearsal, info.packageName), replacing: true))
  }

  /// Removes the folders that this run created and that are empty.
  func removeIfEmpty() { made.removeEmpty() }
}
