import ContentPackage
import PackageForge
import Testing

/// Data that contradict the headers.
struct DataTests {
  static let lengths: [HostilePackage] = [
    .init("stored data that are shorter than declared", .archiveOverlap) {
      $0[Name.stored].data.removeLast()
    },
    .init("stored data that are longer than declared", .archiveGap) { $0[Name.stored].data.append(0x78) },
    .init("deflated data that decode to more than declared", .archiveSizeMismatch) {
      $0[Name.deflated].central.size -= 1
    },
    .init("deflated data that decode to much more than declared", .archiveSizeMismatch) {
      $0.add(.zeros("Contents/zeros", count: 1_000_000))
      $0["Contents/zeros"].size = 1
    },
    .init("deflated data that decode to something where nothing is declared", .archiveSizeMismatch) {
      $0[Name.deflated].central.size = 0
      $0[Name.deflated].central.crc32 = 0
    },
    .init("deflated data that decode to less than declared", .archiveSizeMismatch) {
      $0[Name.deflated].central.size += 1
    },
    .init("deflated data that decode to far less than declared", .archiveSizeMismatch) {
      $0[Name.deflated].central.size = 0x7000_0000
    },
    .init("bytes after the end of the deflate stream", .archiveSizeMismatch) {
      $0[Name.deflated].data += Array("hidden".utf8)
      $0[Name.deflated].central.compressedSize += 6
    },
    .init("one byte after the end of the deflate stream", .archiveSizeMismatch) {
      $0[Name.deflated].data.append(0)
      $0[Name.deflated].central.compressedSize += 1
    },
    .init("a second deflate stream after the first", .archiveSizeMismatch) {
      $0[Name.deflated].data += $0[Name.deflated].data
      $0[Name.deflated].central.compressedSize *= 2
    },
    .init("a deflate stream that does not end within its bytes", .archiveSizeMismatch) {
      $0[Name.deflated].data.removeLast(2)
      $0[Name.deflated].central.compressedSize -= 2
    },
    .init("a deflate stream without a last block", .archiveSizeMismatch) {
      $0[Name.deflated].data = [0x00, 7, 0, 0xF8, 0xFF] + Array("a cover".utf8)
      $0[Name.deflated].central.compressedSize = 12
    },
    .init("compressed size 0 with a size", .archiveSizeMismatch) {
      $0[Name.deflated].data = []
      $0[Name.deflated].central.compressedSize = 0
    },
    .init("compressed size 0 with a checksum", .archiveChecksum) {
      $0.add(.file("Contents/empty", ""))
      $0["Contents/empty"].crc32 = 0xDEAD_BEEF
    },
    .init("deflated data of no bytes, which unzip and 7z refuse", .archiveSizeMismatch) {
      $0.add(.file("Contents/empty", "", method: .deflated))
      $0["Contents/empty"].data = []
      $0["Contents/empty"].compressedSize = 0
    },
    .init("deflated data of no bytes with a checksum and a descriptor", .archiveSizeMismatch) {
      $0.add(.file("Contents/empty", "", method: .deflated, descriptor: ForgedDescriptor()))
      $0["Contents/empty"].data = []
      $0["Contents/empty"].central.compressedSize = 0
      $0["Contents/empty"].central.crc32 = 1
    },
    .init("stored with a size above the compressed one", .archiveSizeMismatch) { $0[Name.stored].size = 9 },
    .init("stored with a size below the compressed one", .archiveSizeMismatch) { $0[Name.stored].size = 7 },
    .init("stored with a size and no compressed one", .archiveSizeMismatch) {
      $0[Name.stored].data = []
      $0[Name.stored].compressedSize = 0
    },
  ]

  @Test(arguments: lengths)
  func `data whose length differs from the declared one is refused`(_ package: HostilePackage) throws {
    try package.checkRefusal()
  }

  static let contents: [HostilePackage] = [
    .init("a stored file with another checksum", .archiveChecksum) { $0[Name.stored].crc32 ^= 1 },
    .init("a deflated file with another checksum", .archiveChecksum) { $0[Name.deflated].central.crc32 ^= 1 },
    .init("a stored file with another byte", .archiveChecksum) { $0[Name.stored].data[0] ^= 1 },
    .init("a stored manifest with another byte", .archiveChecksum) { $0[Name.manifest].data[0] ^= 1 },
    .init("a stored link with another byte", .archiveChecksum) {
      $0.add(.link("Contents/link", to: "cover.txt"))
      $0["Contents/link"].data[0] ^= 1
    },
    .init("a checksum of 0", .archiveChecksum) { $0[Name.stored].crc32 = 0 },
    .init("a deflate stream with a block of no known type", .archiveChecksum) {
      $0[Name.deflated].data[0] = 0xFF
    },
    .init("a deflate stream with a stored block that contradicts itself", .archiveChecksum) {
      $0[Name.deflated].data = [0x01, 7, 0, 0, 0] + Array("a cover".utf8)
      $0[Name.deflated].central.compressedSize = 12
    },
    .init("a deflate stream that reaches before its beginning", .archiveChecksum) {
      // A fixed block (RFC 1951, 3.2.6) whose first symbol is 257, length 3, with a distance of 1.
      $0[Name.deflated].data = [0x03, 0x02, 0x00]
      $0[Name.deflated].central.compressedSize = 3
    },
    .init("data of a deflated link that are no deflate stream", .archiveChecksum) {
      $0.add(.link("Contents/link", to: "cover.txt", method: .deflated))
      $0["Contents/link"].data = [0xFF, 0xFF]
      $0["Contents/link"].compressedSize = 2
    },
    .init("data of a deflated manifest that are no deflate stream", .archiveChecksum) {
      $0[Name.manifest].method = 8
    },
  ]

  /// libdeflate, 7-Zip and others accept these streams; zlib, and so most readers, do not.
  static let reserved: [HostilePackage] =
    [287, 288].map { count in
      .init("a deflate stream with \(count) literal and length codes", .archiveChecksum) {
        $0.add(.deflated(Deflate.letters(withCodes: count), letters: 20))
      }
    } + [
      .init("a deflate stream with a length that the format reserves", .archiveChecksum) {
        $0.add(.deflated(Deflate.reservedLength, letters: 259))
      }
    ]

  @Test(arguments: reserved)
  func `a deflate stream that not every reader accepts is refused`(_ package: HostilePackage) throws {
    try package.checkRefusal()
  }

  @Test func `a deflate stream with the maximum number of codes is accepted`() throws {
    var archive = ForgedArchive.book()
    archive.add(.deflated(Deflate.letters(withCodes: 286), letters: 20))
    #expect(try Bench(archive.layout().bytes).validate().areAcceptable)
  }

  @Test(arguments: contents)
  func `data with another checksum, or without a deflate stream, is refused`(_ package: HostilePackage) throws
  { try package.checkRefusal() }

  static let descriptors: [HostilePackage] = [true, false].flatMap { hasSignature in
    [true, false].flatMap { isWide in
      defects(of: ForgedDescriptor(hasSignature: hasSignature, isWide: isWide))
    }
  }

  private static func defects(of form: ForgedDescriptor) -> [HostilePackage] {
    let defects: [(String, @Sendable (inout ForgedEntry) -> Void)] = [
      ("another checksum", { $0.descriptor?.crc32 = 7 }),
      ("another compressed size", { $0.descriptor?.compressedSize = 7 }),
      ("another size", { $0.descriptor?.size = 1 << 20 }),
      ("zeros", { $0.descriptor = form.saying(crc32: 0, compressedSize: 0, size: 0) }),
      ("nothing", { $0.descriptor = nil }),
      (
        "another signature",
        {
          $0.descriptor?.signature ^= 1; $0.descriptor?.hasSignature = true
        }
      ),
    ]
    let name = (form.hasSignature ? "with" : "without") + " signature, " + (form.isWide ? "wide" : "narrow")
    return defects.map { description, defect in
      HostilePackage("\(name): \(description)", .archiveDescriptor) {
        $0[Name.deflated].descriptor = form
        defect(&$0[Name.deflated])
      }
    }
  }

  @Test(arguments: descriptors)
  func `an absent or wrong data descriptor is refused in each form`(_ package: HostilePackage) throws {
    try package.checkRefusal()
  }

  @Test func `the manifest of a package that is too large is not decoded`() throws {
    try HostilePackage("a manifest of 1 MiB and a byte", .manifestUnreadable) {
      $0.entries[0] = .zeros(Name.manifest, count: 1_048_577)
    }.checkRefusal()
  }
}

extension ForgedDescriptor {
  fileprivate func saying(crc32: UInt32, compressedSize: UInt64, size: UInt64) -> ForgedDescriptor {
    var copy = self
    copy.crc32 = crc32
    copy.compressedSize = compressedSize
    copy.size = size
    return copy
  }
}

extension ForgedEntry {
  /// Returns a file that declares `letters` letters A, with `stream` as its compressed data.
  fileprivate static func deflated(_ stream: [UInt8], letters: Int) -> ForgedEntry {
    var entry = file(
      "Contents/letters", [UInt8](repeating: UInt8(ascii: "A"), count: letters), method: .deflated)
    entry.data = stream
    entry.compressedSize = UInt32(stream.count)
    return entry
  }
}
