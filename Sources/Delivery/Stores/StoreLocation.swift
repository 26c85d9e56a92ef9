package import SafeFiles
package import Support

/// Where a store is, as people name it.
package enum StoreLocation {
  /// The name of a store that means the same from any folder.
  ///
  /// - Throws: `FileFailure` if a folder is not there.
  package static func absolute(_ text: String) throws(FileFailure) -> String {
    text.contains("://") ? text : try FileSystem.resolved(text)
  }

  /// Opens the store that a text names: `s3://bucket/prefix`, an address of a web server, or a folder. Nothing is asked
  /// of it yet.
  ///
  /// `isSinglePublisher` is for buckets that ignore the conditions of a write.
  ///
  /// - Throws: `.unsuitable` for a kind of address that is not known, and settings that are wrong; `.denied` where the
  ///   credentials of a bucket are missing.
  package static func open(
    _ text: String, isSinglePublisher: Bool = false, cancellation: Cancellation
  ) throws(StoreFailure) -> any Store {
    guard let colon = text.firstRange(of: "://") else { return FolderStore(text, cancellation: cancellation) }
    let now: @Sendable () -> Int64 = { Timestamp.now.seconds }
    switch text[..<colon.lowerBound] {
    case "s3":
      return try S3Store(
        S3Location(text), settings: .fromEnvironment(ProcessEnvironment.value), network: .fromEnvironment(),
        isSinglePublisher: isSinglePublisher, cancellation: cancellation, now: now)
    case "http", "https":
      return try HTTPStore(text, network: .fromEnvironment(), cancellation: cancellation, now: now)
    case let scheme:
      throw StoreFailure(
        .unsuitable, text,
        "a store cannot be an address that begins with '\(scheme)://', expected a folder, s3://, https:// or http://"
      )
    }
  }
}
