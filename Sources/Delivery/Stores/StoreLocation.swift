import ContentPackage
package import SafeFiles
package import Support
import ZipArchive

/// Where a store is, as people name it.
package enum StoreLocation {
  /// The name of a store that means the same from any folder.
  ///
  /// - Throws: `FileError` if a folder is not there.
  package static func absolute(_ text: String) throws(FileError) -> String {
    guard scheme(of: text) != nil else { return try FileSystem.resolved(text) }
    var address = withPlainScheme(text)[...]
    while address.hasSuffix("/") { address.removeLast() }
    return String(address)
  }

  /// The files and folders of a store on disk; empty for a store that is not a folder.
  package static func documents(of text: String) -> [String] {
    guard scheme(of: text) == nil else { return [] }
    return ([StorePath.catalog.text] + StorePath.folders).map { FileSystem.joined(text, $0) }
  }

  /// Opens the store that a text names: `s3://bucket/prefix`, an address of a web server, or a folder. Nothing is asked
  /// of it yet.
  ///
  /// `isSinglePublisher` is for buckets that ignore the conditions of a write, `headers` are for the web server alone,
  /// and `rateLimit` is in bytes per second. `onRetry` is called once, when requests fail again and again.
  ///
  /// - Throws: `.unsuitable` for a kind of address that is not known, and settings that are wrong; `.denied` where the
  ///   credentials of a bucket are missing.
  package static func open(
    _ text: String, isSinglePublisher: Bool = false, headers: [HTTPHeader] = [], rateLimit: Int64? = nil,
    cancellation: Cancellation, pauseRequest: PauseRequest = PauseRequest(),
    onRetry: (@Sendable (_ reason: String) -> Void)? = nil
  ) throws(StoreError) -> any Store {
    var network = HTTPSettings.fromEnvironment()
    network.rateLimit = rateLimit
    network.pauseRequest = pauseRequest
    network.retries.report = onRetry.map { RetryReport($0) }
    let text = withPlainScheme(text)
    let scheme = scheme(of: text)
    guard headers.isEmpty || scheme == "http" || scheme == "https" else {
      throw StoreError(
        .unsuitable, text,
        "\(text) is not the address of a web server, which alone gets header fields and a token")
    }
    guard let scheme else { return FolderStore(text, cancellation: cancellation) }
    let now: @Sendable () -> Int64 = { Timestamp.now.seconds }
    switch scheme {
    case "s3":
      return try S3Store(
        S3Location(text), settings: .fromEnvironment(ProcessEnvironment.value), network: network,
        isSinglePublisher: isSinglePublisher, cancellation: cancellation, now: now)
    case "http", "https":
      return try HTTPStore(text, headers: headers, network: network, cancellation: cancellation, now: now)
    default:
      throw StoreError(
        .unsuitable, text,
        "a store cannot be an address that begins with '\(scheme)://', expected a folder, s3://, https:// or http://"
      )
    }
  }

  /// Whether a text names a store and no content: an address, or a folder with a catalog and no manifest.
  package static func isStore(_ text: String) -> Bool {
    func has(_ name: String) -> Bool {
      (try? FileSystem.status(of: FileSystem.joined(text, name), followingLinks: true)) != nil
    }
    return scheme(of: text) != nil || has(StorePath.catalog.text) && !has(PackageLayout.manifest.escaped)
  }

  /// What stands before `://` (RFC 3986, section 3.1), in lower case; nil for a folder.
  package static func scheme(of text: String) -> String? {
    text.firstRange(of: "://").map { text[..<$0.lowerBound].lowercased() }
  }

  /// The same address with its scheme in lower case.
  static func withPlainScheme(_ text: String) -> String {
    scheme(of: text).map { $0 + text.dropFirst($0.count) } ?? text
  }
}
