import Delivery

/// An object of the App Store's JSON. All of its fields are optional, since Apple leaves out what does not apply and says of
/// none that it is always there.
protocol PayloadObject {
  init()

  /// Reads the value of a field, or skips it.
  mutating func read(_ field: String, _ reader: inout JSONReader) throws(DocumentError)
}

/// The JSON that the App Store signs, as a value.
protocol SignedPayload: PayloadObject {
  /// When it was signed, in milliseconds since 1970.
  var signedDate: Int64? { get }
}

extension PayloadObject {
  /// Reads one object. A field that is `null` is as one that is not there.
  init(reader: inout JSONReader) throws(DocumentError) {
    var payload = Self()
    try reader.object { (field, reader) throws(DocumentError) in
      if try !reader.takesNull() { try payload.read(field, &reader) }
    }
    self = payload
  }
}

extension SignedPayload {
  /// - Throws: `.malformed`, with the place.
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
  /// The latest moment that is believed: the end of the year 9999, in milliseconds since 1970.
  static let latestDate: Int64 = 253_402_300_799_999
  /// The most bytes of an identifier or word.
  private static let longestWord = 1024

  /// Milliseconds since 1970; Xcode signs fractions of them too.
  mutating func date() throws(DocumentError) -> Int64 { try truncatedInteger(in: 0...Self.latestDate) }

  mutating func word() throws(DocumentError) -> String { try string(atMost: Self.longestWord) }

  mutating func number() throws(DocumentError) -> Int64 { try integer(in: .min ... .max) }
}
