// The errors of this library. It also throws those of `ContentPackage`.

public import ContentPackage
public import SafeFiles
public import ZipArchive

/// Why a `Documents` folder is left as it is.
public enum InstallationError: Error, Equatable {
  /// Something other than a folder of our own stands at `path`; the text says what.
  case unsuitable(path: String, found: String)
  /// The folder cannot be made, because the one above it is missing.
  case parentMissing(FileError)
  /// In place of a file or folder that was installed stands something else, which may be somebody's own; the texts say
  /// what, and what was installed.
  case otherKind(path: String, found: String, expected: String)
  /// What has the product's name was not installed by iapkg.
  case foreign(path: String, found: String)
  /// Files that iapkg did not install lie in the product's folder.
  case unrecorded(path: String, [EntryPath])
  /// Files that iapkg did not install are kept at `path`, and would be deleted.
  case keptFiles(path: String, LocatedPaths)
  /// There is no such product in the folder at `path`.
  case notInstalled(ProductIdentifier, path: String)
  /// Another package than the one that is installed cannot repair it.
  case otherPackage(installedVersion: String)
  /// The content itself has a file of the name that the mark would get.
  case backupMarkTaken
  /// The product has no previous version.
  case noPreviousVersion(ProductIdentifier)
  /// This version of the product is not kept; the texts are those that are.
  case versionNotKept(ProductIdentifier, ContentVersion, kept: [String])
  /// A previous version is no longer as it was installed.
  case previousDamaged(ProductIdentifier, ContentVersion, ProductInspection)
}

/// Another process is at work in a `Documents` folder.
public struct DocumentsBusy: Error {
  /// The folder, as it was given.
  public let path: String
}

/// A record in `Documents/.iapkg/` is not one of ours, or of a later iapkg.
public struct RecordUnreadable: Error {
  /// The record's file, which is not safe to print.
  public let path: String
}
