import Conversion

extension CommandError {
  /// Creates the exit code and message of a conversion error; nil for any other error.
  init?(conversion error: any Error) {
    switch error {
    case let error as ConversionError: self.init(error)
    case let error as ExportError: self.init(error)
    case let error as InvalidAssetPack:
      self.init(
        .configuration, "background-assets of \(error.product) does not suit its content",
        findings: error.findings)
    case let error as AssetPackFileError:
      self.init(.configuration, "\(error.path) is not valid: \(error.message)", path: error.path)
    case AppStoreError.noKey(let path):
      self.init(
        .usage,
        "\(path) is not a key of the App Store Connect API, expected the file AuthKey_….p8 from App Store Connect",
        path: path)
    default: return nil
    }
  }

  private init(_ error: ConversionError) {
    switch error {
    case .damaged(let path, let reason):
      self.init(.notAPackage, "\(path) cannot be imported: \(reason)", path: path)
    case .noTarget(let path, let wanted, let names):
      self.init(
        .usage, "\(path) has no target '\(wanted)' that makes content, expected \(Suggestion.list(names))",
        path: path)
    }
  }

  private init(_ error: ExportError) {
    switch error {
    case .tooManyPacks(let count, let most):
      self.init(
        .invalid,
        "there are \(count) packages, and an app may have \(most) asset packs; use --max-packs for another number"
      )
    case .collision(let product, let other) where product == other:
      self.init(.invalid, "two packages are of the product \(product); give one of them")
    case .collision(let product, let other):
      self.init(
        .invalid,
        "the products \(product) and \(other) differ only in case, so that the files of their asset packs would collide; "
          + "export one of them for another app")
    case .noIdentifier(let product):
      self.init(
        .invalid,
        "the product \(product) has no letter or digit for an asset pack ID; name one with --asset-pack-id")
    case .takenIdentifier(let identifier, let product, let other):
      self.init(
        .invalid,
        "the asset pack ID \(identifier) of \(product) is that of \(other); name another one for \(product) with "
          + "--asset-pack-id")
    case .archived(let identifier, let product):
      self.init(
        .invalid,
        "the asset pack ID \(identifier) is archived, and App Store Connect never accepts it again; name another one for "
          + "\(product) with --asset-pack-id")
    case .otherIdentifier(let product, let recorded, let wanted):
      self.init(
        .invalid,
        "the asset pack of \(product) has the ID \(recorded), found --asset-pack-id \(wanted); to replace the ID, mark the "
          + "old one in the file of IDs with \"archived\": true")
    }
  }
}
