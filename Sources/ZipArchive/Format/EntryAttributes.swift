/// The meaning of the external attributes of a central directory header (APPNOTE 4.4.2, 4.4.15).
///
/// Readers differ in the host systems for which they read the upper 16 bits as a Unix mode: libarchive for host 3; Go
/// also for host 19; Info-ZIP for ten hosts, and for host 0 if the mode agrees with the lower bits; Python programs for
/// every host. Therefore iapkg reads the mode for every host. A link is accepted from host 3 only, because some readers
/// would extract a link from another host as a file.
struct EntryAttributes {
  /// The host system Unix in the upper byte of "version made by".
  private static let unix: UInt8 = 3

  /// The bits of the lower half as MS-DOS and Windows define them ([MS-FSCC] 2.6).
  private enum DOS {
    static let volumeLabel: UInt32 = 0x08
    static let folder: UInt32 = 0x10
    static let reparsePoint: UInt32 = 0x400
  }

  /// The kind of the entry. If name and mode contradict each other, the name determines it.
  let kind: ZipEntry.Kind
  /// The lower 12 bits of the Unix mode, or nil if there is no mode or the mode indicates another kind.
  let permissions: UInt16?
  /// The reason why readers would not agree on the kind, or nil.
  let findingMessage: String?

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
      (kind, findingMessage) = (claimed, nil)  // the kind itself is an error
    case .file where nameEndsInSlash, .link where nameEndsInSlash:
      kind = byName
      findingMessage = "the name ends in a slash, but the mode \(Self.octal(mode)) is not that of a folder"
    case .folder where !nameEndsInSlash:
      kind = byName
      findingMessage =
        "the mode \(Self.octal(mode)) is that of a folder, but the name does not end in a slash"
    case .file, .link:
      kind = claimed
      if external & DOS.folder != 0 {
        findingMessage = "the folder attribute is set, but the name does not end in a slash"
      } else if kind == .link, host != Self.unix {
        findingMessage = "the link was made on host system \(host), so some readers extract it as a file"
      } else {
        findingMessage = nil
      }
    case .folder:
      (kind, findingMessage) = (claimed, nil)
    }
    permissions = mode == 0 || kind != claimed ? nil : mode & 0o7777
  }

  /// Returns the kind that the upper 4 bits of a mode indicate (inode(7), XNU sys/stat.h), or nil if they are 0.
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
