extension HTTPHead {
  /// Returns the delay of `Retry-After`, which is a number of seconds or a date (RFC 9110, section 10.2.3).
  ///
  /// - Parameter now: The time in seconds since 1970.
  /// - Returns: The delay; nil without a valid header.
  package func retryAfter(now: Int64) -> Duration? {
    guard let text = self["retry-after"] else { return nil }
    if let seconds = Int64(text) { return seconds >= 0 ? .seconds(min(seconds, 1_000_000)) : nil }
    return HTTPDate.seconds(text).map { .seconds(max(0, $0 - now)) }
  }

  /// The time of the response by the server's clock, in seconds since 1970.
  package var date: Int64? { self["date"].flatMap(HTTPDate.seconds) }

  /// Returns the error for an unsuccessful status.
  package func error(_ address: HTTPAddress, now: Int64) -> HTTPError {
    HTTPError(
      .status(status), Self.statusMessage(status, of: "\(address)"), retryAfter: retryAfter(now: now))
  }

  /// Returns the message for an unsuccessful status.
  static func statusMessage(_ status: Int, of name: String) -> String {
    let message = "\(name) answered with status \(status)"
    return switch status {
    case 407:
      message
        + ": a proxy requires a user name and password; add them to the address of the proxy, as in "
        + "https_proxy=http://USER:PASSWORD@HOST:PORT"
    case 511: message + ": " + WebPage.question
    default: message
    }
  }
}
