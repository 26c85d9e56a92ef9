/// The status and the header fields of a response.
package struct HTTPHead: Sendable {
  /// The status code, 100 to 999.
  package let status: Int
  /// The values by lower-case name.
  private var fields: [String: String] = [:]

  /// Parses the status line, "HTTP/1.1 200 OK" or "HTTP/2 200"; nil for other lines.
  init?(statusLine: some StringProtocol) {
    let words = statusLine.split(separator: " ", maxSplits: 2)
    guard words.count >= 2, words[0].hasPrefix("HTTP/"), let status = Int(words[1]), (100...999) ~= status
    else { return nil }
    self.status = status
  }

  /// Parses a line "Name: value". The first of several fields with one name is kept.
  mutating func add(line: some StringProtocol) {
    guard let colon = line.firstIndex(of: ":") else { return }
    let name = line[..<colon].lowercased()
    guard fields[name] == nil else { return }
    fields[name] = Self.trimmed(line[line.index(after: colon)...])
  }

  /// Returns a value without the white space around it, which is no part of it (RFC 9110, section 5.5).
  private static func trimmed(_ value: some StringProtocol) -> String {
    let end = value.lastIndex { $0 != " " && $0 != "\t" }.map(value.index(after:)) ?? value.startIndex
    return String(value[..<end].drop { $0 == " " || $0 == "\t" })
  }

  /// The value of the field with a lower-case name; nil if there is none.
  package subscript(name: String) -> String? { fields[name] }

  /// Whether the status is 200 to 299.
  package var isSuccess: Bool { (200...299).contains(status) }

  /// The content encoding of the body, which no request asks for; nil if there is none.
  package var contentEncoding: String? {
    self["content-encoding"].flatMap { $0.isEmpty || $0.lowercased() == "identity" ? nil : $0 }
  }

  /// The value of `Content-Length` in bytes; nil without a valid header.
  package var contentLength: Int64? { self["content-length"].flatMap(Int64.init) }

  /// The strong ETag; nil for a weak or missing one.
  package var strongTag: String? { self["etag"].flatMap { $0.hasPrefix("W/") ? nil : $0 } }

  /// The range and the total of `Content-Range: bytes 0-99/1000` (RFC 9110, section 14.4); nil without a valid
  /// header. The total is nil for `*`.
  package var contentRange: (range: Range<Int64>, total: Int64?)? {
    guard let text = self["content-range"], text.lowercased().hasPrefix("bytes ") else { return nil }
    let parts = text.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let total = Self.number(parts[1])
    guard total != nil || parts[1] == "*" else { return nil }
    let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]),
      first <= last, last < total ?? .max
    else { return nil }
    return (first..<last + 1, total)
  }

  /// Parses a number of digits only.
  private static func number(_ text: Substring) -> Int64? {
    text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int64(text) : nil
  }
}
