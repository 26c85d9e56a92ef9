import Conversion

extension CommandError {
  /// Creates the exit code and message of a conversion error; nil for any other error.
  init?(conversion error: any Error) {
    switch error {
    case let error as ConversionError: self.init(error)
    case AppStoreError.invalidKey(let path):
      self.init(
        .usage,
        "\(path) is not a key of the App Store Connect API, expected the file AuthKey_….p8 from App Store Connect",
        path: path)
    default:
      guard let error = CommandError(assetPacks: error) else { return nil }
      self = error
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
}
