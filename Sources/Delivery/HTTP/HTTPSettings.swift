package import Support

/// How requests are sent, whatever they are. Proxies are libcurl's own matter: it reads `https_proxy`, `http_proxy`,
/// `ALL_PROXY` and `NO_PROXY` itself.
package struct HTTPSettings: Sendable {
  /// A file of certificates to trust in place of the system's.
  package var certificates: String?
  /// A folder of such files, named by their hashes.
  package var certificateFolder: String?
  /// Bytes per second, of all requests together.
  package var rateLimit: Int64?
  package var retries = RetryPolicy()

  /// Pauses everything that is sent and received.
  package var pauseRequest = PauseRequest()

  /// How much is read at once: no more than comes in a short time where the rate is limited.
  var block: Int {
    guard let rateLimit else { return HTTPLimits.block }
    return max(HTTPLimits.smallestBlock, min(HTTPLimits.block, Int(clamping: rateLimit / 16)))
  }

  /// A connection that carries less, in bytes per second, is stalled.
  var slowest: Int {
    guard let rateLimit else { return HTTPLimits.slowest }
    return min(HTTPLimits.slowest, Int(clamping: rateLimit / Int64(2 * HTTPLimits.connections)))
  }

  /// The fewest bytes that are progress where a connection stalls again and again: those of one second. Several connections
  /// share a slow line, and all of them may stall while it does what it can.
  var minimumProgress: Int64 { Int64(slowest) }

  package init() {}

  /// As the variables say that curl's tool and OpenSSL know.
  package static func fromEnvironment() -> HTTPSettings {
    var settings = HTTPSettings()
    settings.certificates =
      ProcessEnvironment.value("CURL_CA_BUNDLE") ?? ProcessEnvironment.value("SSL_CERT_FILE")
    settings.certificateFolder = ProcessEnvironment.value("SSL_CERT_DIR")
    return settings
  }
}
