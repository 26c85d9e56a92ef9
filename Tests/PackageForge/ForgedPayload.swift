/// A cpio archive with any fields, as in the payload of an installer package. Entries use the portable format (odc)
/// unless their magic bytes declare a newer format.
package struct ForgedPayload: Sendable {
  /// An entry, valid unless its fields are changed.
  package struct Entry: Sendable {
    package var name: String
    package var mode: Int
    package var data: [UInt8]
    package var links = 1
    package var inode = 0
    /// The number of bytes that the header declares; nil for the correct one.
    package var declaredSize: Int?
    package var magic = "070707"
    /// The checksum of the newest format; nil for the correct one.
    package var declaredSum: Int?

    package init(_ name: String, mode: Int, _ data: [UInt8] = []) {
      self.name = name
      self.mode = mode
      self.data = data
    }

    package static func file(_ name: String, _ text: String, permissions: Int = 0o644) -> Entry {
      Entry(name, mode: 0o100000 | permissions, Array(text.utf8))
    }

    package static func folder(_ name: String) -> Entry { Entry(name, mode: 0o040755) }

    package static func link(_ name: String, to target: String) -> Entry {
      Entry(name, mode: 0o120777, Array(target.utf8))
    }

    fileprivate var bytes: [UInt8] {
      magic.hasPrefix("07070") && magic != "070707" ? newerBytes : portableBytes
    }

    private var newerBytes: [UInt8] {
      let sum = magic == "070702" ? data.reduce(0) { $0 + Int($1) } : 0
      let fields = [
        inode, mode, 0, 0, links, 0, declaredSize ?? data.count, 0, 0, 0, 0, name.utf8.count + 1,
        declaredSum ?? sum,
      ]
      let numbers = fields.map { number in
        let digits = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 8 - digits.count)) + digits
      }
      return Self.padded(Array((magic + numbers.joined() + name + "\0").utf8)) + Self.padded(data)
    }

    private static func padded(_ bytes: [UInt8]) -> [UInt8] {
      bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
    }

    private var portableBytes: [UInt8] {
      let fields = [(0, 6), (inode, 6), (mode, 6), (0, 6), (0, 6), (links, 6), (0, 6), (0, 11)]
      let sizes = [(name.utf8.count + 1, 6), (declaredSize ?? data.count, 11)]
      let numbers = (fields + sizes).map { number, width in
        let digits = String(number, radix: 8)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
      }
      return Array((magic + numbers.joined() + name + "\0").utf8) + data
    }
  }

  package var entries: [Entry]
  /// Whether the archive ends with a trailer entry.
  package var hasTrailer = true
  /// Bytes after the last entry.
  package var end: [UInt8] = []

  package init(_ entries: [Entry]) { self.entries = entries }

  /// The payload of a valid package, with additional entries.
  package static func book(adding more: Entry...) -> ForgedPayload {
    ForgedPayload(
      [
        .folder("."), .file("./ContentInfo.plist", ForgedArchive.manifest("com.example.book", "1.0")),
        .folder("./Contents"), .file("./Contents/one.txt", "page one"),
      ] + more)
  }

  package func bytes() -> [UInt8] {
    var trailer = Entry("TRAILER!!!", mode: 0)
    trailer.magic = entries.first?.magic ?? trailer.magic
    return entries.flatMap(\.bytes) + (hasTrailer ? trailer.bytes : []) + end
  }

  /// Returns the same payload in another format.
  package func with(magic: String) -> ForgedPayload {
    var other = self
    for index in other.entries.indices { other.entries[index].magic = magic }
    return other
  }
}
