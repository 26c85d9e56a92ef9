/// The parts of an absolute URL.
struct ParsedURL {
  /// In lower case.
  var scheme: String
  /// Whether a user name or a password precedes the host.
  var hasUser: Bool
  /// In lower case; empty if there is none.
  var host: String
  /// The port, or the default of the scheme; nil for a scheme without one.
  var port: Int?
  /// The escaped path, which begins with `/`.
  var path: String
  /// The escaped query after `?`.
  var query: String?
}
