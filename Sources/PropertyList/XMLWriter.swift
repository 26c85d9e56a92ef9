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

  /// The depth of this recursion is that of the value, which was limited when it was read.
  private static func add(_ value: PropertyListValue, indented space: String, to text: inout String) {
    text += space
    switch value {
    case .string(let string): text += "<string>\(XMLStringEdit.escaped(string))</string>"
    case .integer(let number): text += "<integer>\(number)</integer>"
    case .real(let number): text += "<real>\(number)</real>"
    case .boolean(let isTrue): text += isTrue ? "<true/>" : "<false/>"
    case .date(let seconds): text += "<date>\(ScalarText.text(ofDate: seconds) ?? "")</date>"
    case .data(let bytes): text += "<data>\(ScalarText.base64(of: bytes))</data>"
    case .uid: text += "<dict/>"  // exists in binary property lists only
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
  private static let secondsPerDay = 86_400

  /// Returns a date such as `2001-01-01T00:00:00Z`; nil if it has a fraction of a second or no four-digit year.
  fileprivate static func text(ofDate seconds: Double) -> String? {
    guard seconds.rounded() == seconds, abs(seconds) < maximumSeconds else { return nil }
    let whole = Int(seconds)
    let days = floorDivide(whole, secondsPerDay)
    let time = whole - days * secondsPerDay
    // Years begin in March here, so that the leap day is the last day of a year; an era has 400 years.
    let shifted = days + referenceDay
    let era = floorDivide(shifted, daysOfEra)
    let dayOfEra = shifted - era * daysOfEra
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    guard (0...9999).contains(year) else { return nil }
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
      + "T\(padded(time / 3600, 2)):\(padded(time / 60 % 60, 2)):\(padded(time % 60, 2))Z"
  }

  private static let daysOfEra = 146_097

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  /// Returns base64 text (RFC 4648, section 4).
  fileprivate static func base64(of bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let part = bytes[start..<min(start + 3, bytes.count)]
      let number = (0..<3).reduce(UInt32(0)) { $0 << 8 | UInt32($1 < part.count ? part[start + $1] : 0) }
      for place in 0..<4 {
        let isUsed = place <= part.count
        text.append(isUsed ? digits[Int(number >> (18 - 6 * UInt32(place)) & 63)] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
