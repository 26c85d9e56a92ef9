/// The parts of an absolute URL.
struct ParsedURL {
  /// The scheme in lower case.
  var scheme: String
  /// Whether a user name or a password precedes the host.
  var hasUser: Bool
  /// The host in lower case; empty if there is none.
  var host: String
  /// The port, or the default of the scheme; nil for a scheme without one.
  var port: Int?
  /// The escaped path, which begins with `/`.
  var path: String
  /// The escaped query after `?`; nil if there is none.
  var query: String?
}
