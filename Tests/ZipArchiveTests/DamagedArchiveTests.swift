import PackageForge
import SafeFiles
import Testing
import ZipArchive

/// Archives damaged at every position: a truncated or changed archive is never read with another meaning.
struct DamagedArchiveTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let layout: ForgedLayout
  }

  static let archives: [Case] = {
    var zip64 = ForgedArchive.book()
    zip64.zip64 = ForgedZip64()
    zip64[Name.stored].extra = [.time, .zip64(8, 8)]
    zip64[Name.stored].size = .max
    zip64[Name.stored].compressedSize = .max
    zip64.add(.link("Contents/link", to: "cover.txt"))
    zip64["Contents/link"].extra = [.owner]
    return [
      Case(testDescription: "plain", layout: ForgedArchive.book().layout()),
      Case(testDescription: "with ZIP64 and a link", layout: zip64.layout()),
    ]
  }()

  @Test(arguments: archives)
  func `an archive that is truncated anywhere is never sound`(_ archive: Case) throws {
    let bytes = archive.layout.bytes
    let accepted = try bytes.indices.filter { try ZipStructure(of: Array(bytes[..<$0])).isSound }
    #expect(accepted == [])
  }

  @Test(arguments: archives)
  func `an archive without its first bytes is never sound`(_ archive: Case) throws {
    let bytes = archive.layout.bytes
    let accepted = try bytes.indices.dropFirst().filter { try ZipStructure(of: Array(bytes[$0...])).isSound }
    #expect(accepted == [])
  }

  @Test(arguments: archives)
  func `an archive with a flipped header byte is never sound with other entries`(_ archive: Case) throws {
    let layout = archive.layout
    let whole = try ZipStructure(of: layout.bytes).entries.map(Meaning.init)
    var accepted: [String] = []
    try #require(!layout.records.isEmpty)
    for position in layout.records.values.joined() {
      for change in [1, 2, 4, 8, 16, 32, 64, 128, layout.bytes[position]] where change != 0 {
        var bytes = layout.bytes
        bytes[position] ^= change
        let structure = try ZipStructure(of: bytes)
        if structure.isSound, structure.entries.map(Meaning.init) != whole {
          accepted.append("byte \(position) changed by \(change)")
        }
      }
    }
    #expect(accepted == [])
  }

  @Test(arguments: archives)
  func `records full of absurd numbers are refused without a trap`(_ archive: Case) throws {
    let layout = archive.layout
    try #require(!layout.records.isEmpty)
    for (record, range) in layout.records {
      for position in range.dropFirst(4) {
        for width in [4, 8] where position + width <= range.upperBound {
          for filler: UInt8 in [0x7F, 0xFF] {
            var bytes = layout.bytes
            for index in position..<position + width { bytes[index] = filler }
            _ = try ZipStructure(of: bytes)
          }
        }
      }
      var bytes = layout.bytes
      for index in range.dropFirst(4) { bytes[index] = 0xFF }
      #expect(try !ZipStructure(of: bytes).isSound, "\(record)")
    }
  }

  /// The name, size, content and offsets of an entry.
  ///
  /// Kind and permissions are not included. Only the external attributes contain them, so no other field can reveal
  /// their damage.
  struct Meaning: Equatable {
    let path: EntryPath
    let method: ZipEntry.Method
    let crc32: UInt32
    let sizes: [Int64]
    let offsets: [Int64]

    init(_ entry: ZipEntry) {
      path = entry.path
      method = entry.method
      crc32 = entry.crc32
      sizes = [entry.compressedSize, entry.size]
      offsets = [entry.localHeaderOffset, entry.dataOffset, entry.endOffset]
    }
  }
}
