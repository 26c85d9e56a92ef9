/// What the external attributes of a central record make of an entry (APPNOTE 4.4.2, 4.4.15).
///
/// Readers differ in the host systems under which they take the upper 16 bits for a Unix mode: libarchive does so
/// for host 3, Go also for 19, Info-ZIP for ten hosts and, for host 0, where the mode agrees with the lower
/// bits, Python's users for all. So a mode counts here whatever the host is, and a link, which would be a file
/// to some of them, is only accepted from host 3.
struct EntryAttributes {
  /// The host system Unix in the upper byte of "version made by".
  private static let unix: UInt8 = 3

  /// The bits of the lower half, as MS-DOS and Windows define them ([MS-FSCC] 2.6).
  private enum DOS {
    static let volumeLabel: UInt32 = 0x08
    static let folder: UInt32 = 0x10
    static let reparsePoint: UInt32 = 0x400
  }

  /// What the entry is; where name and mode contradict each other, what its name says.
  let kind: ZipEntry.Kind
  /// The lower 12 bits of the Unix mode, or nil if the record has none, or those of another kind.
  let permissions: UInt16?
  /// Why readers would not agree on the kind, or nil.
  let objection: String?

  init(host: UInt8, external: UInt32, nameEndsInSlash: Bool) {
    let mode = UInt16(external >> 16)
    let byName = nameEndsInSlash ? ZipEntry.Kind.folder : .file
    let claimed: ZipEntry.Kind =
      if external & DOS.volumeLabel != 0 {
        .special("volume label")
      } else if external & DOS.reparsePoint != 0 {
        .special("reparse point")
      } else {
        Self.kind(ofMode: mode) ?? byName
      }

    switch claimed {
    case .special:
      (kind, objection) = (claimed, nil)  // refused for what it is
    case .file where nameEndsInSlash, .link where nameEndsInSlash:
      kind = byName
      objection = "the name ends in a slash, but the mode \(Self.octal(mode)) is not that of a folder"
    case .folder where !nameEndsInSlash:
      kind = byName
      objection = "the mode \(Self.octal(mode)) is that of a folder, but the name does not end in a slash"
    case .file, .link:
      kind = claimed
      if external & DOS.folder != 0 {
        objection = "the folder attribute is set, but the name does not end in a slash"
      } else if kind == .link, host != Self.unix {
        objection = "a link made on host system \(host), where not every reader takes it for one"
      } else {
        objection = nil
      }
    case .folder:
      (kind, objection) = (claimed, nil)
    }
    permissions = mode == 0 || kind != claimed ? nil : mode & 0o7777
  }

  /// The kind that the upper 4 bits of a mode stand for (inode(7), XNU sys/stat.h), or nil if they are 0.
  static func kind(ofMode mode: UInt16) -> ZipEntry.Kind? {
    switch mode >> 12 {
    case 0: nil
    case 0o01: .special("fifo")
    case 0o02: .special("character device")
    case 0o04: .folder
    case 0o06: .special("block device")
    case 0o10: .file
    case 0o12: .link
    case 0o14: .special("socket")
    case 0o16: .special("whiteout")
    default: .special("file of unknown type \(octal(mode))")
    }
  }

  private static func octal(_ mode: UInt16) -> String { "0" + String(mode, radix: 8) }
}
