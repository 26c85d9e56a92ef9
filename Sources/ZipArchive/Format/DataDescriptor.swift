/// The data descriptor after an entry's data (APPNOTE 4.3.9). It has four forms: with or without a signature, with
/// sizes of 4 or of 8 bytes.
///
/// No field of an archive reliably indicates the form; only the start of the next header does.
struct DataDescriptor {
  static let signature: UInt32 = 0x0807_4B50
  /// The length of the longest form.
  static let maximumLength = 24

  let crc32: UInt32
  let compressedSize: Int64
  let size: Int64

  private struct Layout {
    let hasSignature: Bool
    let isWide: Bool
    var length: Int { (hasSignature ? 4 : 0) + 4 + (isWide ? 16 : 8) }
  }

  private static let forms = [
    Layout(hasSignature: true, isWide: true), Layout(hasSignature: false, isWide: true),
    Layout(hasSignature: true, isWide: false), Layout(hasSignature: false, isWide: false),
  ]

  /// Returns the length of the form of this descriptor that `bytes` starts with, or nil if no form matches.
  ///
  /// Prefers a form that takes all of the bytes.
  func length(atStartOf bytes: ArraySlice<UInt8>) -> Int? {
    let fitting = Self.forms.filter { $0.length <= bytes.count && matches(bytes, $0) }
    return (fitting.first { $0.length == bytes.count } ?? fitting.first)?.length
  }

  private func matches(_ bytes: ArraySlice<UInt8>, _ form: Layout) -> Bool {
    if form.hasSignature, bytes.uint32(at: 0) != Self.signature { return false }
    let fields = form.hasSignature ? bytes.dropFirst(4) : bytes
    guard fields.uint32(at: 0) == crc32 else { return false }
    return form.isWide
      ? fields.uint64(at: 4) == compressedSize && fields.uint64(at: 12) == size
      : fields.uint32(at: 4) == compressedSize && fields.uint32(at: 8) == size
  }
}
