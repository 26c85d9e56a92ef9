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
  /// The retries after transient errors.
  package var retries = RetryPolicy()

  /// The request to pause all transfers.
  package var pauseRequest = PauseRequest()

  /// The size of the receive buffer in bytes. With a rate limit, the buffer fills in at most 1/16 s, unless it has the
  /// minimum size.
  var receiveBufferSize: Int {
    guard let rateLimit else { return HTTPLimits.bufferSize }
    return max(HTTPLimits.minimumBufferSize, min(HTTPLimits.bufferSize, Int(clamping: rateLimit / 16)))
  }

  /// The rate in bytes per second below which a connection counts as stalled.
  var minimumRate: Int {
    guard let rateLimit else { return HTTPLimits.minimumRate }
    return min(
      HTTPLimits.minimumRate, Int(clamping: rateLimit / Int64(2 * HTTPLimits.maximumConnectionCount)))
  }

  /// The minimum number of bytes between two errors that counts as progress: one second at the minimum rate. Transfers
  /// that share a slow network may all stall although they use its full capacity.
  var minimumProgress: Int64 { Int64(minimumRate) }

  /// Creates the default settings, without those of the environment.
  package init() {}

  #if COMMAND_LINE_TOOL
  /// Returns the settings from the environment variables of curl and OpenSSL.
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
