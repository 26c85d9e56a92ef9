import StrictJSON

/// An object in the App Store's JSON. All fields are optional: Apple omits fields that do not apply and guarantees
/// none.
protocol PayloadObject {
  init()

  /// Reads the value of a field, or skips it.
  mutating func read(_ field: String, _ reader: inout JSONReader) throws(DocumentError)
}

/// A payload that the App Store signs.
protocol SignedPayload: PayloadObject {
  /// The time of the signature, in milliseconds since 1970.
  var signedDate: Int64? { get }
}

extension PayloadObject {
  /// Reads one object. A field that is `null` counts as missing.
  init(reader: inout JSONReader) throws(DocumentError) {
    var payload = Self()
    try reader.object { (field, reader) throws(DocumentError) in
      if try !reader.takesNull() { try payload.read(field, &reader) }
    }
    self = payload
  }
}

extension SignedPayload {
  /// Parses a payload.
  ///
  /// - Throws: `.malformed`, with the position.
  init(json: [UInt8]) throws(VerificationError) {
    do throws(DocumentError) {
      var reader = JSONReader(json)
      self = try reader.document { (reader) throws(DocumentError) in try Self(reader: &reader) }
    } catch {
      throw VerificationError(.malformed, "the payload cannot be read: \(error.message)")
    }
  }
}

extension JSONReader {
  /// The latest accepted date: the end of the year 9999, in milliseconds since 1970.
  static let latestDate: Int64 = 253_402_300_799_999
  /// The maximum length of an identifier or another short text, in bytes.
  private static let maximumShortTextLength = 1024

  /// Reads a date in milliseconds since 1970, and discards the fraction that Xcode writes.
  mutating func date() throws(DocumentError) -> Int64 { try truncatedInteger(in: 0...Self.latestDate) }

  mutating func shortText() throws(DocumentError) -> String {
    try string(atMost: Self.maximumShortTextLength)
  }

  mutating func number() throws(DocumentError) -> Int64 { try integer(in: .min ... .max) }
}
