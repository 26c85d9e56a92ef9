import PackageForge

/// A package modified according to input bytes: each group of bytes selects an entry, a field and a value. Everything
/// else stays consistent, including checksums and offsets, so that many of the results are accepted.
enum Forgery {
  private static let groupSize = 8
  private static let maximumGroupCount = 32

  static func archive(from bytes: [UInt8]) -> ForgedArchive {
    var archive = ForgedArchive.book()
    archive.add(.link("Contents/link", to: "cover.txt"))
    var rest = bytes[...]
    for _ in 0..<maximumGroupCount where rest.count >= groupSize {
      let group = Array(rest.prefix(groupSize))
      rest = rest.dropFirst(groupSize)
      let value = group.dropFirst(4).reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
      let text = Array(rest.prefix(Int(group[2] % 24)))
      let index = Int(group[1]) % archive.entries.count
      spoil(&archive.entries[index], field: group[0], part: group[3], value, text)
      spoil(&archive, field: group[0], value, text, entry: index)
    }
    return archive
  }

  private static func spoil(
    _ entry: inout ForgedEntry, field: UInt8, part: UInt8, _ value: UInt32, _ text: [UInt8]
  ) {
    let half = UInt16(truncatingIfNeeded: value)
    switch field {
    case 0: entry.name = Array("Contents/".utf8) + text
    case 1: entry.name = text
    case 2: entry.local.name = text
    case 3: entry.flags ^= half
    case 4: entry.local.flags ^= half
    case 5: entry.method = half
    case 6: entry.local.method = half
    case 7: entry.size = value
    case 8: entry.central.size = value
    case 9: entry.compressedSize = value
    case 10: entry.local.compressedSize = value
    case 11: entry.crc32 ^= value
    case 12: entry.externalAttributes ^= value
    case 13: entry.mode = half
    case 14: entry.host = UInt8(truncatingIfNeeded: value)
    case 15: entry.extra.append(ForgedExtra(half, text))
    case 16: entry.local.extra.append(ForgedExtra(half, text))
    case 17: entry.central.extra.append(ForgedExtra(half, text))
    case 18: entry.extra.append(.zip64(UInt64(value), UInt64(text.count)))
    case 19: entry.extra.append(.unicodePath(text, for: part == 0 ? entry.name : text))
    case 20: entry.descriptor = ForgedDescriptor(hasSignature: value & 1 == 0, isWide: value & 2 == 0)
    case 21: entry.descriptor = nil
    case 22: entry.central.comment = text
    case 23: entry.central.offset = value
    case 24: entry.data += text
    case 25: entry.gapAfter = text
    case 26: entry.local.time = half
    case 27: entry.central.versionNeeded = half
    case 28: entry.central.internalAttributes = half
    case 29: entry.local.nameLength = half
    case 30: entry.local.extraLength = half
    case 31: entry.central.extraLength = half
    case 32: entry.central.extra.append(ForgedExtra(ForgedExtra.segments, text))
    default: break
    }
  }

  private static func spoil(
    _ archive: inout ForgedArchive, field: UInt8, _ value: UInt32, _ text: [UInt8], entry: Int
  ) {
    let half = UInt16(truncatingIfNeeded: value)
    switch field {
    case 40: archive.prefix = text
    case 41: archive.suffix = text
    case 42: archive.gapBeforeDirectory = text
    case 43: archive.gapBeforeEnd = text
    case 44: archive.end.comment = text
    case 45: archive.end.commentLength = half
    case 46: archive.end.entries = half
    case 47: archive.end.entriesOnDisk = half
    case 48: archive.end.directorySize = value
    case 49: archive.end.directoryOffset = value
    case 50: archive.zip64 = ForgedZip64()
    case 51: archive.zip64?.entries = UInt64(value)
    case 52: archive.zip64?.directoryOffset = UInt64(value)
    case 53: archive.zip64?.extensibleData = text
    case 54: archive.zip64?.gap = text
    case 55 where archive.entries.count > 1:
      archive.entries.remove(at: entry)
      archive.directoryOrder = nil  // an explicit order would list the removed entry
    case 56 where archive.entries.count < 64: archive.entries.append(archive.entries[entry])
    case 57: archive.entries.swapAt(0, entry)
    case 58: archive.add(.file("Contents/\(archive.entries.count)", text, method: .deflated))
    case 59:
      archive.add(.link("Contents/\(archive.entries.count)", to: String(decoding: text, as: UTF8.self)))
    case 60: archive.add(.folder("Contents/\(archive.entries.count)/"))
    case 61: archive.directoryOrder = archive.entries.indices.reversed()
    default: break
    }
  }
}
