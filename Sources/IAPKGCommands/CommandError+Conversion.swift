import Conversion

extension CommandError {
  /// Creates the exit code and message of a conversion error; nil for any other error.
  init?(conversion error: any Error) {
    switch error {
    case let error as ConversionError: self.init(error)
    case let error as ExportError: self.init(error)
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
    case .tooLarge(let bytes, let most):
      self.init(
        .invalid,
        "the content of all packages has \(bytes) bytes, expected at most \(most), the limit for an app")
    case .collision(let product, let other) where product == other:
      self.init(.invalid, "two packages are of the product \(product); give one of them")
    case .collision(let product, let other):
      self.init(
        .invalid,
        "the products \(product) and \(other) differ only in case, so that the files of their asset packs would collide; "
          + "export one of them for another app")
    }
  }
}
