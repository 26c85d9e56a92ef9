// The errors of this library, which also throws those of `ContentPackage`.

public import ContentPackage
public import SafeFiles
public import ZipArchive

/// A reason to leave a `Documents` folder unchanged.
public enum InstallationError: Error, Equatable {
  /// The item at `path` is not a folder of this user; `found` names its kind.
  case unsuitable(path: String, found: String)
  /// The folder cannot be created because its parent is missing.
  case parentMissing(FileError)
  /// The folder at `path` is on a file system that changes names. `found` and `expected` are the bytes of a name as
  /// listed and as given, in hexadecimal digits.
  case namesNotKept(path: String, found: String, expected: String)
  /// The item at `path` has another spelling of a product's name, and the file system treats both as the same name.
  /// `installed` is the product with that spelling; nil if iapkg did not install it.
  case otherSpelling(of: ProductIdentifier, path: String, installed: ProductIdentifier?)
  /// An item of another kind, possibly the user's own, is in place of an installed file or folder. `found` and
  /// `expected` name the kinds.
  case otherKind(path: String, found: String, expected: String)
  /// The item at `path` has the product's name, but iapkg did not install the item; `found` names its kind.
  case unmanaged(path: String, found: String)
  /// The product's folder at `path` contains these items, which iapkg did not install.
  case unrecorded(path: String, [EntryPath])
  /// Installed files of the product were modified since, and would be deleted.
  case modifiedFiles(ProductIdentifier, LocatedPaths)
  /// Files that iapkg did not install are kept at `path` and would be deleted.
  case keptFiles(path: String, LocatedPaths)
  /// The folder at `path` has no such product.
  case notInstalled(ProductIdentifier, path: String)
  /// The package for a repair is not the installed package, which has the version `installedVersion`.
  case otherPackage(installedVersion: String)
  /// The content itself has an item with the name of the backup mark.
  case backupMarkConflict
  /// The product has no previous version.
  case noPreviousVersion(ProductIdentifier)
  /// This version of the product is not kept; `kept` are the kept versions, and `installed` is the version in use.
  case versionNotKept(ProductIdentifier, ContentVersion, kept: [String], installed: ContentVersion?)
  /// A previous version differs from its record; the paths are those of its missing and modified files.
  case previousDamaged(ProductIdentifier, ContentVersion, ProductInspection, LocatedPaths)
}

/// Another process has locked the `Documents` folder.
public struct DocumentsBusy: Error {
  /// The folder, as it was given.
  public let path: String
}

/// A record in `Documents/.iapkg/` is damaged, is not a record, or was written by a later iapkg.
public struct RecordUnreadable: Error {
  /// The path of the record, which is not safe to print.
  public let path: String
}
