import ContentPackage
import ZipArchive

extension CommandFailure {
  init(_ refusal: InstallationRefusal) {
    switch refusal {
    case .unsuitable(let path, let found):
      self.init(
        .cannotCreate, "\(path) is \(found), expected a folder of this user or nothing; move it away",
        path: path)
    case .foreign(let path, let found):
      self.init(
        .cannotCreate,
        "\(path) exists, \(found) that was not installed by iapkg; move it away, or use --force: extract keeps it as the "
          + "version before, remove deletes it", path: path)
    case .unrecorded(let path, let places):
      self.init(
        .cannotCreate,
        "\(path) holds \(Quantity.count(places.count, "item")) that iapkg did not install, \(Self.names(places)); "
          + "move them away, or use --force: extract keeps them in the version before, remove deletes them",
        path: path)
    case .wouldBeDeleted(let path):
      self.init(
        .cannotCreate,
        "\(path), the version before, holds what iapkg did not install, and would be deleted now; move it away, "
          + "or use --force", path: path)
    case .notInstalled(let product, let path):
      self.init(.rejected, "\(product) is not installed in \(path)", path: path)
    case .otherPackage(let version):
      self.init(
        .rejected,
        "the package is not the one that version \(version) was installed from; use --force to install it")
    case .backupMarkTaken:
      self.init(
        .rejected, "the content has a CACHEDIR.TAG of its own, where --exclude-from-backup would put one")
    case .nothingToRollBackTo(let product):
      self.init(.rejected, "there is no version before of \(product)")
    case .previousDamaged(let product, let inspection):
      self.init(
        .rejected,
        "the version before of \(product) is damaged: \(Self.words(inspection)); install its package again")
    }
  }

  /// How many things are missing or modified.
  static func words(_ inspection: ProductInspection) -> String {
    "\(inspection.missing.count) missing, \(inspection.modified.count) modified"
  }

  private static let mostNames = 3

  /// The first few names.
  private static func names(_ places: [EntryPath]) -> String {
    let shown = places.prefix(mostNames).map(\.escaped).joined(separator: ", ")
    return places.count > mostNames ? "\(shown), …" : shown
  }
}
