import ContentPackage
package import HTTPTransport
package import SafeFiles
package import Support
import ZipArchive

/// The address of a store as the user specifies it.
package enum StoreLocation {
  /// Returns the address of a store that does not depend on the working directory.
  ///
  /// - Throws: `FileError` if a folder does not exist.
  package static func absolute(_ text: String) throws(FileError) -> String {
    guard scheme(of: text) != nil else { return try FileSystem.resolved(text) }
    var address = withPlainScheme(text)[...]
    while address.hasSuffix("/") { address.removeLast() }
    return String(address)
  }

  /// Returns the files and folders of a store on disk; empty for a store that is not a folder.
  package static func documents(of text: String) -> [String] {
    guard scheme(of: text) == nil else { return [] }
    return ([StorePath.catalog.text] + StorePath.folders).map { FileSystem.joined(text, $0) }
  }

  /// Checks that the folder of a store exists or can be created. Any other store passes.
  ///
  /// - Throws: `FileError` with operation `create`.
  package static func checkCreation(of text: String) throws(FileError) {
    // If the item exists but is not a folder, reading the store reports it.
    guard scheme(of: text) == nil, try FileSystem.statusForCreation(at: text) == nil else { return }
    try FileSystem.checkFolder(text)
  }

  /// Opens a store by its address, `s3://bucket/prefix`, a URL or a folder, without contacting it.
  ///
  /// `isSinglePublisher` is for buckets that ignore the conditions of writes, `headers` are sent to the web server
  /// only, and `rateLimit` is in bytes per second. `onRetry` is called once, when requests fail repeatedly.
  ///
  /// - Throws: `.unsuitable` for an unknown kind of address or invalid settings; `.denied` if the credentials of a
  ///   bucket are missing.
  package static func open(
    _ text: String, isSinglePublisher: Bool = false, headers: [HTTPHeader] = [], rateLimit: Int64? = nil,
    cancellation: Cancellation, pauseRequest: PauseRequest = PauseRequest(),
    onRetry: (@Sendable (_ reason: String) -> Void)? = nil
  ) throws(StoreError) -> any Store {
    var network = HTTPSettings.fromEnvironment()
    network.rateLimit = rateLimit
    network.pauseRequest = pauseRequest
    network.retries.report = onRetry.map { OneTimeReport($0) }
    try check(text, withHeaders: !headers.isEmpty)
    let text = withPlainScheme(text)
    guard let scheme = scheme(of: text) else { return FolderStore(text, cancellation: cancellation) }
    let now: @Sendable () -> Int64 = { Timestamp.now.seconds }
    switch scheme {
    case "s3":
      return try S3Store(
        S3Location(text), settings: .fromEnvironment(ProcessEnvironment.value), network: network,
        isSinglePublisher: isSinglePublisher, cancellation: cancellation, now: now)
    default:
      return try HTTPStore(text, headers: headers, network: network, cancellation: cancellation, now: now)
    }
  }

  /// Checks the kind of an address, without opening the store.
  ///
  /// - Parameters:
  ///   - text: The address.
  ///   - hasHeaders: Whether header fields would be sent to the store.
  /// - Throws: `.unsuitable` for an unknown kind, and for header fields of a store that is not behind a web server.
  package static func check(_ text: String, withHeaders hasHeaders: Bool) throws(StoreError) {
    let text = withPlainScheme(text)
    let scheme = scheme(of: text)
    let isWebServer = scheme == "http" || scheme == "https"
    if let scheme, scheme != "s3", !isWebServer {
      throw StoreError(
        .unsuitable, text,
        "a store cannot be an address that begins with '\(scheme)://', expected a folder, s3://, https:// or http://"
      )
    }
    guard !hasHeaders || isWebServer else {
      throw StoreError(
        .unsuitable, text,
        "\(text) is not the address of a web server; only web servers receive header fields and a token")
    }
  }

  /// Returns whether a text is a store rather than content: a URL, or a folder with a catalog and without a manifest.
  package static func isStore(_ text: String) -> Bool {
    func has(_ name: String) -> Bool {
      (try? FileSystem.status(of: FileSystem.joined(text, name), followingLinks: true)) != nil
    }
    return scheme(of: text) != nil || has(StorePath.catalog.text) && !has(PackageLayout.manifest.escaped)
  }

  /// Returns the part before `://` in lower case (RFC 3986, section 3.1); nil for a folder.
  ///
  /// An address without its slashes is not a folder either: messages about folders would show a secret in the address.
  package static func scheme(of text: String) -> String? {
    if let end = text.firstRange(of: "://") { return text[..<end.lowerBound].lowercased() }
    return ["https", "http", "s3"].first { text.lowercased().hasPrefix("\($0):") }
  }

  /// Returns the address with its scheme in lower case.
  static func withPlainScheme(_ text: String) -> String {
    scheme(of: text).map { $0 + text.dropFirst($0.count) } ?? text
  }
}
