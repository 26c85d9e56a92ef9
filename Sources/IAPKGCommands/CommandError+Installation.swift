import ContentPackage
import Installation
import SafeFiles
import ZipArchive

extension CommandError {
  init(_ error: InstallationError) {
    switch error {
    case .unsuitable(let path, let found):
      self.init(
        .cannotCreate,
        "\(path) is \(found), expected a folder of this user or nothing; move it to another folder",
        path: path)
    case .parentMissing(let error):
      self.init(missingFolderAbove: error)
    case .namesNotKept(let path, let found, let expected):
      self.init(
        .cannotCreate,
        "\(path) is on a file system that changes names: it lists a file with the name \(expected) as "
          + "\(found.isEmpty ? "nothing" : found), expected the same bytes; choose a folder on a file system that keeps names, "
          + "as APFS, ext4 and NTFS do", path: path)
    case .otherSpelling(let product, let path, let installed?):
      self.init(
        .cannotCreate,
        "\(installed) is installed, and this file system treats \(product) as the same name; use iapkg remove \(installed) "
          + "first", path: path)
    case .otherSpelling(let product, let path, nil):
      self.init(
        .cannotCreate,
        "\(path) exists, and this file system treats \(product) as the same name; move it to another folder",
        path: path)
    case .otherKind(let path, let found, let expected):
      self.init(
        .cannotCreate,
        "\(path) is \(found), expected \(expected) that was installed; move it to another folder, and repair again",
        path: path)
    case .unmanaged(let path, let found):
      self.init(
        .cannotCreate,
        "\(path) is \(found) that iapkg did not install; move it to another folder, or use --force: "
          + "remove then deletes it, and every other command keeps it in .iapkg", path: path)
    case .unrecorded(let path, let places):
      let them = Self.pronoun(for: places)
      self.init(
        .cannotCreate,
        "\(path) has \(Quantity.count(places.count, "item")) that iapkg did not install, \(Self.names(places.lazy.map(\.escaped))); "
          + "move \(them) to another folder, or use --force: remove then deletes \(them), and every "
          + "other command keeps \(them), in .iapkg or beside the versions",
        path: path)
    case .modifiedFiles(let product, let files):
      self.init(
        .cannotCreate,
        "\(Quantity.count(files.count, "file")) of \(product) \(files.count == 1 ? "was" : "were") modified since the "
          + "installation, \(Self.names(files)); copy what you need, and use --force to delete \(Self.pronoun(for: files))",
        path: files.first ?? "")
    case .keptFiles(let path, let files):
      let them = Self.pronoun(for: files)
      self.init(
        .cannotCreate,
        "\(path) has \(Quantity.count(files.count, "file")) that iapkg did not install, "
          + "\(Self.names(files)); move \(them) to another folder, or use --force to delete \(them)",
        path: path)
    case .notInstalled(let product, let path):
      self.init(.invalid, "\(product) is not installed in \(path)", path: path)
    case .otherPackage(let version):
      self.init(
        .invalid,
        "the package is not the one that version \(version) was installed from; use extract --force to install it"
      )
    case .backupMarkConflict:
      self.init(
        .invalid, "the content has a file CACHEDIR.TAG, and --exclude-from-backup would need to write one")
    case .noPreviousVersion(let product):
      self.init(.invalid, "there is no previous version of \(product)")
    case .versionNotKept(let product, let version, let kept, let installed) where version == installed:
      self.init(
        .invalid, "version \(version) of \(product) is already in use, expected \(Suggestion.list(kept))")
    case .versionNotKept(let product, let version, let kept, let installed):
      let isLower = installed.map { version < $0 } ?? false
      self.init(
        .invalid,
        "version \(version) of \(product) is not kept, expected \(Suggestion.list(kept)); install its package"
          + (isLower ? " with --allow-downgrade" : ""))
    case .previousDamaged(let product, let version, let inspection, let files):
      self.init(
        .invalid,
        "the previous version \(version) of \(product) is not intact: \(Self.counts(in: inspection)), \(Self.names(files)); "
          + "install its package again, and iapkg keeps modified files in .iapkg/kept",
        path: files.first)
    }
  }

  /// Returns the counts of missing and modified items.
  static func counts(in inspection: ProductInspection) -> String {
    "\(inspection.missing.count) missing, \(inspection.modified.count) modified"
  }

  private static func pronoun(for items: some Collection) -> String { items.count == 1 ? "it" : "them" }

  private static let maximumNameCount = 3

  /// Returns the first names, with an ellipsis if there are more.
  private static func names(_ names: some RandomAccessCollection<String>) -> String {
    let shown = names.prefix(maximumNameCount).joined(separator: ", ")
    return names.count > maximumNameCount ? "\(shown), …" : shown
  }
}
