internal import CCurl

/// The date format of HTTP (RFC 9110, section 5.6.7).
package enum HTTPDate {
  /// Parses a date to seconds since 1970; nil for other text (`curl_getdate`).
  package static func seconds(_ text: String) -> Int64? {
    let seconds = unsafe curl_getdate(text, nil)
    return seconds < 0 ? nil : Int64(seconds)
  }
}
