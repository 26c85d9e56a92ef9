import Support

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

  /// How many requests are worth it side by side: a limit of the rate is kept best by one.
  var connections: Int { rateLimit == nil ? HTTPLimits.connections : 1 }

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
