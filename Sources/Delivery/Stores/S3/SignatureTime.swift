import Support

/// A time in the format of version 4 signatures: `20130524T000000Z`.
struct SignatureTime: Sendable, Equatable {
  /// The date and the time.
  let text: String
  /// The date only: `20130524`.
  var date: String { String(text.prefix(8)) }

  /// Formats a time.
  ///
  /// - Parameter seconds: The seconds since 1970-01-01 00:00:00 UTC.
  init(_ seconds: Int64) { text = CivilTime(secondsSince1970: seconds).basicText }
}
