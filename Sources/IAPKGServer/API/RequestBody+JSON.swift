import Entitlements
import HTTPTypes
import Hummingbird
import NIOCore
import StrictJSON

extension Request {
  /// Returns all bytes of a JSON body.
  ///
  /// - Parameters:
  ///   - limit: The maximum size of the body in bytes.
  ///   - reservation: The memory for the body.
  /// - Returns: The bytes.
  /// - Throws: `Problem` if the content type is not JSON, or the body exceeds a limit or is incomplete.
  func json(atMost limit: Int, _ reservation: BodyReservation) async throws -> [UInt8] {
    if let type = headers[.contentType] {
      // White space may precede the semicolon (RFC 9110, section 5.6.6).
      let padded = type.prefix { $0 != ";" }.reversed().drop { $0 == " " || $0 == "\t" }
      let name = String(padded.reversed()).lowercased()
      guard name == "application/json" || name.hasSuffix("+json") else {
        throw Problem(.unsupportedMediaType, "the body is '\(name)', expected application/json")
      }
    }
    if let length = headers[.contentLength].flatMap(Int.init), length > limit {
      throw Problem(.tooLarge, "the body has \(length) bytes, expected at most \(limit)")
    }
    do {
      var bytes: [UInt8] = []
      for try await part in body {
        guard part.readableBytes <= limit - bytes.count else {
          throw Problem(.tooLarge, "the body has more than \(limit) bytes")
        }
        try reservation.reserve(part.readableBytes)
        bytes += part.readableBytesView
      }
      return bytes
    } catch let problem as Problem {
      throw problem
    } catch is CancellationError {
      throw Problem(.unavailable, "the server is stopping")
    } catch {
      // The connection broke, the client stalled, or the framing is wrong.
      throw Problem(.malformedRequest, "the body is incomplete")
    }
  }
}

/// Reads the object in a body. `member` reads the value of a key. `keys` are the permitted keys, with descriptions of
/// the expected values.
///
/// - Throws: `Problem` if the body is malformed, or has an unknown key, which may be misspelled.
func readObject(
  _ bytes: [UInt8], _ keys: KeyValuePairs<String, String>,
  _ member: (String, inout JSONReader) throws(DocumentError) -> Void
) throws(Problem) {
  guard !bytes.isEmpty else { throw Problem(.malformedRequest, "the body is empty, expected an object") }
  // The problem with a value, which is more useful than its position.
  var wrong: String?
  do throws(DocumentError) {
    var reader = JSONReader(bytes)
    try reader.document { (reader) throws(DocumentError) in
      try reader.object { (key, reader) throws(DocumentError) in
        guard let expected = keys.first(where: { $0.key == key })?.value else {
          let names = keys.map(\.key).joined(separator: ", ")
          wrong = "there is no key '\(key)', expected \(names)"
          throw reader.error("")
        }
        let value = reader
        do throws(DocumentError) { try member(key, &reader) } catch {
          wrong = value.problem(with: key, expected: expected, error)
          throw error
        }
      }
    }
  } catch {
    throw Problem(.malformedRequest, wrong ?? "the body cannot be read: \(error.message)")
  }
}
