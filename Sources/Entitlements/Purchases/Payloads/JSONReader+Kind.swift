package import StrictJSON

extension JSONReader {
  /// Returns a message about the value at the reader's position: `amount is a string, expected an integer`. Returns nil
  /// if the value is not JSON, or for an error inside an expected object, which names its position.
  package func problem(with name: String, expected: String, _ error: DocumentError) -> String? {
    guard let kind, kind != "an object" || expected != kind else { return nil }
    guard expected.hasPrefix(kind) || kind == "a number" && expected == "an integer" else {
      return "\(name) is \(kind), expected \(expected)"
    }
    let message = error.message.firstRange(of: ", at byte ").map { error.message[..<$0.lowerBound] }
    return "\(name): \(message ?? error.message[...])"
  }

  /// The kind of the value at the reader's position; nil if the value is malformed.
  private var kind: String? {
    func canRead(_ body: (inout JSONReader) throws(DocumentError) -> Void) -> Bool {
      var copy = self
      do throws(DocumentError) { try body(&copy) } catch { return false }
      return true
    }
    var copy = self
    if (try? copy.takesNull()) == true { return "null" }
    if canRead({ (reader) throws(DocumentError) in _ = try reader.boolean() }) { return "a Boolean" }
    if canRead({ (reader) throws(DocumentError) in _ = try reader.string() }) { return "a string" }
    let isList = canRead { (reader) throws(DocumentError) in
      try reader.array { (element) throws(DocumentError) in try element.skip() }
    }
    if isList { return "a list" }
    let isObject = canRead { (reader) throws(DocumentError) in
      try reader.object { (_, value) throws(DocumentError) in try value.skip() }
    }
    if isObject { return "an object" }
    return canRead { (reader) throws(DocumentError) in try reader.skip() } ? "a number" : nil
  }
}
