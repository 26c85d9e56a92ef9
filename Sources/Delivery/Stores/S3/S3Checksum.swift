extension SHA256Digest {
  /// The digest in base64 (RFC 4648, section 4), the format of S3's checksums.
  var base64: String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    // Three digits of 4 bits form two of 6 bits; the last group is padded.
    let digits = hexadecimal.compactMap { $0.hexDigitValue }
    var text = ""
    for start in stride(from: 0, to: digits.count, by: 3) {
      let group = digits[start...].prefix(3) + repeatElement(0, count: max(0, start + 3 - digits.count))
      let bits = group.reduce(0) { $0 << 4 | $1 }
      text.append(alphabet[bits >> 6])
      text.append(alphabet[bits & 0x3F])
    }
    // 256 bits are 42 characters of 6 bits and one of 4.
    return String(text.prefix(43)) + "="
  }
}
