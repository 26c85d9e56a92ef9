/// The header formats of cpio archives: magic bytes, numbers as text, and the name.
enum CpioFormat: String {
  /// Octal digits; no alignment.
  case portable = "070707"
  /// Hexadecimal digits; name and data are padded to a multiple of 4 bytes.
  case newer = "070701"
  /// Like `newer`, with a checksum for each file.
  case checked = "070702"

  static let magicLength = 6

  /// The required fields of a header.
  struct Fields {
    let inode, mode, links, nameSize, size: Int64
    let device: UInt32
    let checksum: UInt32?
  }

  init?(magic: [UInt8]) { self.init(rawValue: String(decoding: magic, as: UTF8.self)) }

  /// The length of a header in bytes, including the magic bytes.
  var headerLength: Int { self == .portable ? 76 : 110 }

  /// Returns the number of padding bytes after a part that ends at `position`.
  func padding(after position: Int64) -> Int { self == .portable ? 0 : Int((4 - position % 4) % 4) }

  /// Parses the digits of a header after the magic bytes; nil if they are not digits. User, group, time and
  /// the device number of a special file are not used.
  func fields(of digits: [UInt8]) -> Fields? {
    switch self {
    case .portable:
      // c_dev, c_ino, c_mode, c_uid, c_gid, c_nlink, c_rdev, c_mtime, c_namesize, c_filesize
      guard let numbers = Self.numbers(digits, [6, 6, 6, 6, 6, 6, 6, 11, 6, 11], base: 8) else { return nil }
      return Fields(
        inode: numbers[1], mode: numbers[2], links: numbers[5], nameSize: numbers[8], size: numbers[9],
        device: UInt32(numbers[0]), checksum: nil)
    case .newer, .checked:
      // c_ino, c_mode, c_uid, c_gid, c_nlink, c_mtime, c_filesize, c_devmajor, c_devminor, c_rdevmajor, c_rdevminor,
      // c_namesize, c_check
      guard let numbers = Self.numbers(digits, Array(repeating: 8, count: 13), base: 16) else { return nil }
      return Fields(
        inode: numbers[0], mode: numbers[1], links: numbers[4], nameSize: numbers[11], size: numbers[6],
        device: UInt32(truncatingIfNeeded: numbers[7] << 20 | numbers[8]),
        checksum: self == .checked ? UInt32(truncatingIfNeeded: numbers[12]) : nil)
    }
  }

  /// Parses consecutive numbers of the given widths; nil if they are not digits.
  private static func numbers(_ digits: [UInt8], _ widths: [Int], base: Int64) -> [Int64]? {
    var numbers: [Int64] = []
    var rest = digits[...]
    for width in widths {
      var number: Int64 = 0
      for byte in rest.prefix(width) {
        guard let digit = Character(UnicodeScalar(byte)).hexDigitValue, digit < base else { return nil }
        number = number * base + Int64(digit)
      }
      numbers.append(number)
      rest = rest.dropFirst(width)
    }
    return numbers
  }
}
