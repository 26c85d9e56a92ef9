package import ZipArchive

/// Why a `Documents` folder is left as it is.
package enum InstallationRefusal: Error {
  /// Something other than a folder of our own stands at `path`; the text says what.
  case unsuitable(path: String, found: String)
  /// What has the product's name was not installed by iapkg.
  case foreign(path: String, found: String)
  /// Files that iapkg did not install lie in the product's folder.
  case unrecorded(path: String, [EntryPath])
  case notInstalled(ProductIdentifier, path: String)
  /// Another package than the one that is installed cannot repair it.
  case otherPackage(installedVersion: String)
  /// The content itself has a file of the name that the mark would get.
  case backupMarkTaken
  case nothingToRollBackTo(ProductIdentifier)
  /// The version before is no longer as it was installed.
  case previousDamaged(ProductIdentifier, ProductInspection)
}

/// Another iapkg holds the lock on this `Documents` folder.
package struct DocumentsBusy: Error { package let path: String }
