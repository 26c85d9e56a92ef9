import PropertyList
import Testing

@Suite struct `Binary property lists` {
  @Test(
    arguments: [
      ([0x08], PropertyListValue.boolean(false)),
      ([0x09], .boolean(true)),
      ([0x10, 0xFF], .integer(255)),
      ([0x11, 0xFF, 0xFE], .integer(65_534)),
      ([0x12, 0xFF, 0, 0, 0], .integer(4_278_190_080)),
      ([0x13] + [UInt8](repeating: 0xFF, count: 8), .integer(-1)),
      ([0x14] + number(0, size: 8) + number(.max, size: 8), .integer(Int128(UInt64.max))),
      ([0x14] + number(.max, size: 8) + number(.max, size: 8), .integer(-1)),
      ([0x22] + number(UInt64(Float(1.5).bitPattern), size: 4), .real(1.5)),
      ([0x23] + number((-2.25).bitPattern, size: 8), .real(-2.25)),
      ([0x33] + number((60.5).bitPattern, size: 8), .date(60.5)),
      ([0x42, 1, 2], .data([1, 2])),
      ([0x40], .data([])),
      ([0x50], .string("")),
      ([0x53, 0x61, 0x62, 0x00], .string("ab\u{0}")),
      ([0x5F, 0x10, 0x02, 0x61, 0x62], .string("ab")),
      ([0x63, 0x00, 0xE9, 0xD8, 0x3D, 0xDE, 0x00], .string("é😀")),
      ([0x80, 0x07], .uid(7)),
      ([0x83, 0, 1, 0, 0], .uid(65_536)),
      ([0xA0], .array([])),
      ([0xD0], .dictionary([])),
    ] as [([UInt8], PropertyListValue)])
  func `a binary list holds values of each type`(object: [UInt8], value: PropertyListValue) throws {
    let document = try PropertyListDocument.parse(ForgedBinary([object]).bytes)
    #expect(document.format == .binary)
    #expect(document.root == value)
    #expect(document.rootLine == nil)
  }

  @Test(arguments: 1...8)
  func `offsets and references of every size are read`(size: UInt8) throws {
    func reference(_ index: UInt64) -> [UInt8] { number(index, size: Int(size)) }
    var file = ForgedBinary([
      [0xD1] + reference(1) + reference(2), ascii("k"), [0xA2] + reference(1) + reference(1),
    ])
    file.offsetSize = size
    file.referenceSize = size
    let document = try PropertyListDocument.parse(file.bytes)
    #expect(document.root == .dictionary([.init(key: "k", value: .array([.string("k"), .string("k")]))]))
    #expect(document.line(ofKey: "k") == nil)
  }

  @Test(
    arguments: [
      [0x00], [0x0F], [0x01], [0x0A],
      [0x15], [0x1F, 0], [0x20, 0], [0x24] + [UInt8](repeating: 0, count: 16), [0x32, 0, 0, 0, 0],
      [0x33, 0x7F, 0xF0, 0, 0, 0, 0, 0, 0], [0x33, 0x7F, 0xF8, 0, 0, 0, 0, 0, 0],
      [0x70], [0x88] + [UInt8](repeating: 0, count: 9), [0x90], [0xB0], [0xC0], [0xE0], [0xF0],
      [0x51, 0x80], [0x61, 0xD8, 0x00], [0x61, 0xDC, 0x00], [0x62, 0xDC, 0x00, 0xD8, 0x00],
      [0x42, 0], [0x52, 0x61], [0x61, 0x00], [0x11, 0], [0xA1], [0xD1, 0],
      [0x5F], [0x5F, 0x10], [0x5F, 0x11, 0], [0x5F, 0x50], [0x5F, 0x14] + [UInt8](repeating: 0, count: 16),
      [0x4F, 0x13] + number(1 << 60, size: 8), [0x4F, 0x13] + number(.max, size: 8),
      [0x6F, 0x13] + number(1 << 62, size: 8), [0xAF, 0x13] + number(1 << 60, size: 8),
      [0xDF, 0x13] + number(UInt64(Int64.max), size: 8), [0xDF, 0x13] + number(1 << 62, size: 8),
      [0xA1, 1], [0xA1, 0xFF], [0xA1, 0], [0xD1, 0, 0],
    ] as [[UInt8]])
  func `a binary list with a damaged object is unreadable`(object: [UInt8]) {
    #expect(error(of: ForgedBinary([object]).bytes)?.kind == .unreadable)
  }

  @Test(
    arguments: [
      { $0.count = 0 }, { $0.count = 1 }, { $0.count = 3 }, { $0.count = 1 << 60 }, { $0.count = .max },
      { $0.root = 2 }, { $0.root = .max }, { $0.offsetSize = 0 }, { $0.offsetSize = 9 },
      { $0.offsetSize = 255 },
      { $0.referenceSize = 0 }, { $0.referenceSize = 9 },
      { $0.tableOffset = 0 }, { $0.tableOffset = 8 }, { $0.tableOffset = 11 }, { $0.tableOffset = 1 << 63 },
      { $0.tableOffset = .max }, { $0.gap = [0] },
      { $0.offsets = [0: 0] }, { $0.offsets = [0: 7] }, { $0.offsets = [1: 12] },
      { $0.offsets = [1: 0xFFFF] },
      { $0.header = "bplist01" }, { $0.header = "bplist15" }, { $0.header = "bplist" },
    ] as [@Sendable (inout ForgedBinary) -> Void])
  func `a binary list with a damaged header, table or trailer is unreadable`(
    damage: @Sendable (inout ForgedBinary) -> Void
  ) {
    var file = ForgedBinary([[0xA1, 1], [0x51, 0x61]])
    #expect(error(of: file.bytes) == nil)
    damage(&file)
    #expect(error(of: file.bytes)?.kind == .unreadable)
  }

  @Test func `a binary list that contains itself is unreadable`() {
    for objects in [[[0xA1, 0]], [[0xA1, 1], [0xA1, 0]], [[0xD1, 1, 2], ascii("k"), [0xA1, 0]]] as [[[UInt8]]]
    {
      #expect(error(of: ForgedBinary(objects).bytes)?.message.hasSuffix("object 0 contains itself") == true)
    }
  }

  @Test func `two equal keys are a duplicate key`() {
    let inOneEncoding = ForgedBinary([[0xD2, 1, 2, 3, 3], ascii("k"), ascii("k"), [9]])
    let inTwoEncodings = ForgedBinary([[0xD2, 1, 2, 3, 3], ascii("k"), [0x61, 0, 0x6B], [9]])
    let shared = ForgedBinary([[0xA1, 4], ascii("k"), ascii("k"), [9], [0xD2, 1, 1, 3, 3]])
    for file in [inOneEncoding, inTwoEncodings, shared] {
      #expect(error(of: file.bytes)?.kind == .duplicateKey)
    }
  }

  @Test func `a binary list with a key that is not a string is unreadable`() {
    #expect(error(of: ForgedBinary([[0xD1, 1, 1], [9]]).bytes)?.kind == .unreadable)
  }

  @Test func `a binary list has at most 64 levels`() {
    func nested(_ levels: Int) -> [UInt8] {
      ForgedBinary((1...levels).map { [0xA1, UInt8($0)] } + [[9]]).bytes
    }
    #expect(error(of: nested(64)) == nil)
    #expect(error(of: nested(65))?.message == "arrays and dictionaries are nested deeper than 64 levels")
    // The same depth through objects that are read already: 40 levels, and 40 more above them.
    let chain = (1...40).map { [0xA1, UInt8($0)] } + [[9]]
    let above = (41...80).map { [0xA1, UInt8($0 + 1)] } + [[0xA1, 0]]
    var file = ForgedBinary(chain + above + [[0xA2, 0, 41]])
    file.root = 82
    #expect(error(of: file.bytes)?.message == "arrays and dictionaries are nested deeper than 64 levels")
  }

  @Test func `a binary list that multiplies shared objects is refused, and a few shared objects are read`()
    throws
  {
    func doubling(_ levels: Int) -> [UInt8] {
      ForgedBinary((1...levels).map { [0xA2, UInt8($0), UInt8($0)] } + [[9]]).bytes
    }
    #expect(error(of: doubling(10)) == nil)
    #expect(error(of: doubling(60))?.kind == .unreadable)
    let text = [0x5F, 0x12] + number(500_000, size: 4) + [UInt8](repeating: 0x61, count: 500_000)
    var file = ForgedBinary([[0xAF, 0x10, 20] + [UInt8](repeating: 1, count: 20), text])
    file.offsetSize = 4
    #expect(error(of: file.bytes)?.kind == .unreadable)
  }

  @Test func `a truncated binary list is refused, and an edit of a changed one keeps its entries`() throws {
    let good = Self.sample.bytes
    let root = try PropertyListDocument.parse(good).root
    for length in 0..<good.count {
      #expect(error(of: Array(good.prefix(length))) != nil, "cut at \(length)")
    }
    for index in good.indices {
      for mask in [0x01, 0x10, 0x80, 0xFF] as [UInt8] {
        var bytes = good
        bytes[index] ^= mask
        // An edit of a readable list, if it succeeds, must keep the number of entries.
        guard let changed = try? PropertyListDocument.parse(bytes) else { continue }
        let edited = try? PropertyListDocument.replacingString(inKey: "ContentVersion", with: "2", of: bytes)
        if let edited, let old = changed.entries {
          #expect(try PropertyListDocument.parse(edited).entries?.count == old.count)
        }
      }
    }
    #expect(try PropertyListDocument.parse(good).root == root)
  }

  /// A manifest with a value of each type.
  static let sample = ForgedBinary([
    [0xD4, 1, 2, 3, 4, 5, 6, 7, 8],
    ascii("ContentVersion"), ascii("IAPProductIdentifier"), ascii("Files"), [0x62, 0x00, 0xE9, 0x00, 0x78],
    ascii("1.9"), ascii("com.example.book"), [0xA4, 9, 10, 11, 5], [0xD1, 1, 12],
    [0x10, 3], [0x23] + number((0.5).bitPattern, size: 8), [0x33] + number(0, size: 8),
    [0x43, 1, 2, 3],
  ])
}
