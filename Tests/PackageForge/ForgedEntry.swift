/// One entry of a forged archive: local header, data, data descriptor and central record, independent of each other.
package struct ForgedEntry: Sendable {
  /// The compression method of a valid entry.
  package enum Method: UInt16, Sendable { case stored = 0, deflated = 8 }

  /// The name that the entry was created with.
  package let madeAs: String
  package var local: ForgedLocalHeader
  package var data: [UInt8]
  package var descriptor: ForgedDescriptor?
  package var central: ForgedCentralRecord
  /// Whether only the central directory lists the entry; its offset should then be set.
  package var isOnlyListed = false
  /// Bytes after the entry that belong to no entry.
  package var gapAfter: [UInt8] = []

  /// A valid entry, with a Unix mode including its file type; without a descriptor, the local header
  /// has the sizes and the checksum.
  package init(
    _ name: String, _ content: [UInt8], method: Method = .stored, mode: UInt16,
    descriptor: ForgedDescriptor? = nil
  ) {
    let data = method == .stored ? content : Deflate.literals(content)
    let crc32 = ForgedCRC32.checksum(content)
    let flags: UInt16 = name.utf8.allSatisfy { $0 < 0x80 } ? 0 : 1 << 11
    madeAs = name
    self.data = data
    self.descriptor = descriptor
    local = ForgedLocalHeader(
      flags: flags | (descriptor == nil ? 0 : 1 << 3), method: method.rawValue,
      crc32: descriptor == nil ? crc32 : 0, compressedSize: descriptor == nil ? UInt32(data.count) : 0,
      size: descriptor == nil ? UInt32(content.count) : 0, name: Array(name.utf8))
    central = ForgedCentralRecord(
      flags: local.flags, method: method.rawValue, crc32: crc32, compressedSize: UInt32(data.count),
      size: UInt32(content.count), name: Array(name.utf8), externalAttributes: UInt32(mode) << 16)
  }

  package static func file(
    _ name: String, _ text: String, method: Method = .stored, permissions: UInt16 = 0o644,
    descriptor: ForgedDescriptor? = nil
  ) -> ForgedEntry {
    file(name, Array(text.utf8), method: method, permissions: permissions, descriptor: descriptor)
  }

  package static func file(
    _ name: String, _ content: [UInt8], method: Method = .stored, permissions: UInt16 = 0o644,
    descriptor: ForgedDescriptor? = nil
  ) -> ForgedEntry {
    ForgedEntry(name, content, method: method, mode: 0o100000 | permissions, descriptor: descriptor)
  }

  /// A folder. The name includes the trailing slash.
  package static func folder(_ name: String, permissions: UInt16 = 0o755) -> ForgedEntry {
    var entry = ForgedEntry(name, [], mode: 0o040000 | permissions)
    entry.central.externalAttributes |= 0x10
    return entry
  }

  package static func link(_ name: String, to target: String, method: Method = .stored) -> ForgedEntry {
    ForgedEntry(name, Array(target.utf8), method: method, mode: 0o120777)
  }

  /// A deflated file of `count` zero bytes, compressed to less than a hundredth of its size.
  package static func zeros(_ name: String, count: Int) -> ForgedEntry {
    var entry = file(name, [], method: .deflated)
    entry.data = Deflate.zeros(count)
    entry.compressedSize = UInt32(entry.data.count)
    entry.size = UInt32(count)
    entry.crc32 = ForgedCRC32.checksum(repeatElement(0, count: count))
    return entry
  }
}

/// Fields that both headers have: setting one sets it in both, and the value read is the central one.
extension ForgedEntry {
  package var name: [UInt8] {
    get { central.name }
    set { (local.name, central.name) = (newValue, newValue) }
  }

  package var flags: UInt16 {
    get { central.flags }
    set { (local.flags, central.flags) = (newValue, newValue) }
  }

  package var method: UInt16 {
    get { central.method }
    set { (local.method, central.method) = (newValue, newValue) }
  }

  package var crc32: UInt32 {
    get { central.crc32 }
    set { (local.crc32, central.crc32) = (newValue, newValue) }
  }

  package var compressedSize: UInt32 {
    get { central.compressedSize }
    set { (local.compressedSize, central.compressedSize) = (newValue, newValue) }
  }

  package var size: UInt32 {
    get { central.size }
    set { (local.size, central.size) = (newValue, newValue) }
  }

  package var extra: [ForgedExtra] {
    get { central.extra }
    set { (local.extra, central.extra) = (newValue, newValue) }
  }

  package var externalAttributes: UInt32 {
    get { central.externalAttributes }
    set { central.externalAttributes = newValue }
  }

  /// The Unix mode with its file type, the upper half of the external attributes.
  package var mode: UInt16 {
    get { UInt16(central.externalAttributes >> 16) }
    set { central.externalAttributes = central.externalAttributes & 0xFFFF | UInt32(newValue) << 16 }
  }

  /// The system declared in "version made by": 0 MS-DOS, 3 Unix, 19 Darwin.
  package var host: UInt8 {
    get { UInt8(central.versionMadeBy >> 8) }
    set { central.versionMadeBy = UInt16(newValue) << 8 | central.versionMadeBy & 0xFF }
  }
}
