package import Support

/// The settings of all requests. libcurl itself reads the proxy variables https_proxy, http_proxy, ALL_PROXY and
/// NO_PROXY; URLSession uses the proxy settings of the system.
package struct HTTPSettings: Sendable {
  #if COMMAND_LINE_TOOL
  /// A file of trusted certificates that replaces the system's.
  package var certificates: String?
  /// A folder of such files, named by their hashes.
  package var certificateFolder: String?
  #endif
  /// The maximum total rate in bytes per second; nil for no limit.
  package var rateLimit: Int64?
  package var retries = RetryPolicy()

  /// Pauses all transfers.
  package var pauseRequest = PauseRequest()

  /// The size of the receive buffer. With a rate limit, it is small enough to fill in a short time.
  var block: Int {
    guard let rateLimit else { return HTTPLimits.block }
    return max(HTTPLimits.minimumBlock, min(HTTPLimits.block, Int(clamping: rateLimit / 16)))
  }

  /// The rate in bytes per second below which a connection is stalled.
  var minimumRate: Int {
    guard let rateLimit else { return HTTPLimits.minimumRate }
    return min(HTTPLimits.minimumRate, Int(clamping: rateLimit / Int64(2 * HTTPLimits.connections)))
  }

  /// The minimum number of bytes between two errors that counts as progress: those of one second. Several connections
  /// share a slow line, and all of them may stall at its full rate.
  var minimumProgress: Int64 { Int64(minimumRate) }

  package init() {}

  #if COMMAND_LINE_TOOL
  /// Returns the settings of the environment variables of curl and OpenSSL.
  package static func fromEnvironment() -> HTTPSettings {
    var settings = HTTPSettings()
    settings.certificates =
      ProcessEnvironment.value("CURL_CA_BUNDLE") ?? ProcessEnvironment.value("SSL_CERT_FILE")
    settings.certificateFolder = ProcessEnvironment.value("SSL_CERT_DIR")
    return settings
  }
  #else
  /// Returns the default settings: URLSession trusts the certificates of the system only.
  package static func fromEnvironment() -> HTTPSettings { HTTPSettings() }
  #endif
}
