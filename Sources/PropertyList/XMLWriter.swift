import Support

/// Writes property lists as XML in the layout of Apple's tools.
enum XMLWriter {
  static func text(of root: PropertyListValue) -> [UInt8] {
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">

      """
    add(root, indented: "", to: &text)
    return Array((text + "</plist>\n").utf8)
  }

  /// Adds a value and its members. The reader of the value has limited the depth of this recursion.
  private static func add(_ value: PropertyListValue, indented space: String, to text: inout String) {
    text += space
    switch value {
    case .string(let string): text += "<string>\(XMLStringEdit.escaped(string))</string>"
    case .integer(let number): text += "<integer>\(number)</integer>"
    case .real(let number): text += "<real>\(number)</real>"
    case .boolean(let isTrue): text += isTrue ? "<true/>" : "<false/>"
    case .date(let seconds): text += "<date>\(ScalarText.text(ofDate: seconds) ?? "")</date>"
    case .data(let bytes): text += "<data>\(Base64.standard.encode(bytes))</data>"
    case .uid: text += "<dict/>"  // a placeholder: XML cannot represent a reference
    case .array(let values):
      guard !values.isEmpty else {
        text += "<array/>"
        break
      }
      text += "<array>\n"
      for value in values { add(value, indented: space + "\t", to: &text) }
      text += "\(space)</array>"
    case .dictionary(let pairs):
      guard !pairs.isEmpty else {
        text += "<dict/>"
        break
      }
      text += "<dict>\n"
      for pair in pairs {
        text += "\(space)\t<key>\(XMLStringEdit.escaped(pair.key))</key>\n"
        add(pair.value, indented: space + "\t", to: &text)
      }
      text += "\(space)</dict>"
    }
    text += "\n"
  }
}

extension ScalarText {
  /// The approximate maximum number of seconds of a date with a four-digit year.
  private static let maximumSeconds = 252_000_000_000.0

  /// Returns a date such as `2001-01-01T00:00:00Z`; nil if it has a fraction of a second or no four-digit year.
  fileprivate static func text(ofDate seconds: Double) -> String? {
    guard seconds.rounded() == seconds, abs(seconds) < maximumSeconds else { return nil }
    let time = CivilTime(secondsSince1970: Int64(seconds) + referenceSeconds)
    return (0...9999).contains(time.date.year) ? time.text : nil
  }
}
