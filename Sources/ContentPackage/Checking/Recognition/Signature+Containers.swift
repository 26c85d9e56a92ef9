import Support
import ZipArchive

extension Signature {
  static let archives: [Signature] = [
    // APPNOTE 4.3.7 and, for an archive without entries, 4.3.16.
    Signature([0x50, 0x4B, 0x03, 0x04], is: Recognition(.zip, "a ZIP archive")),
    Signature([0x50, 0x4B, 0x05, 0x06], is: Recognition(.zip, "a ZIP archive")),
    // 7zFormat.txt, signature header; RAR technical notes, 4.x and 5.0; [MS-CAB] 2.1.
    Signature([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], is: .archive("a 7-Zip archive")),
    Signature([0x52, 0x61, 0x72, 0x21, 0x1A, 0x07], is: .archive("a RAR archive")),
    Signature([0x4D, 0x53, 0x43, 0x46, 0, 0, 0, 0], is: .archive("a cabinet archive")),
    // tar has no signature in its oldest form; its checksum is at 148.
    Signature([], at: 148) { TapeArchive.tar($0.head.borrowedSpan) },
    // POSIX.1-1990 cpio interchange format: ten octal numbers; SVR4's: thirteen numbers of eight hexadecimal digits.
    Signature("070707") {
      $0.head.borrowedSpan.all(6..<76, \.isOctalDigit) ? .archive("a cpio archive") : nil
    },
    Signature("070701") {
      $0.head.borrowedSpan.all(6..<110, \.isHexDigit) ? .archive("a cpio archive") : nil
    },
    Signature("070702") {
      $0.head.borrowedSpan.all(6..<110, \.isHexDigit) ? .archive("a cpio archive") : nil
    },
    Signature([0xC7, 0x71]) { TapeArchive.binaryCPIO($0.head.borrowedSpan, .little) },
    Signature([0x71, 0xC7]) { TapeArchive.binaryCPIO($0.head.borrowedSpan, .big) },
    // Electron's asar: a Chromium pickle of 4 bytes with a size, then a pickle with the JSON header.
    Signature([4, 0, 0, 0]) {
      $0.head.borrowedSpan.has("{\"files\"", at: 16) ? .archive("an asar archive") : nil
    },
    // Windows Imaging File Format white paper, header; wimlib's pipable form.
    Signature("MSWIM\0\0\0", is: .archive("a Windows image (WIM)")),
    Signature("WLPWM\0\0\0", is: .archive("a Windows image (WIM)")),
    // LHA's header.doc: method at 2, level of the header at 20. Other formats of its time: magic file `archive`.
    Signature("-l", at: 2) { lha($0) }, Signature("-p", at: 2) { lha($0) },
    // ARJ's TECHNOTE.TXT: size of the basic header, size of its first part, and type 2 for the archive's own header.
    Signature([0x60, 0xEA]) { file in
      guard let length = file.head.borrowedSpan.uint16(at: 2, .little), (30...2600).contains(length),
        file.head.count > 10,
        (30...50).contains(file.head[4]), file.head[10] == 2
      else { return nil }
      return .archive("an ARJ archive")
    },
    Signature("**ACE**", at: 7, is: .archive("an ACE archive")),
    Signature([0xDC, 0xA7, 0xC4, 0xFD], at: 20) {
      $0.head.borrowedSpan.has("ZOO ", at: 0) ? .archive("a ZOO archive") : nil
    },
    Signature("SIT!") { $0.head.borrowedSpan.has("rLau", at: 10) ? .archive("a StuffIt archive") : nil },
    Signature("StuffIt (c)", is: .archive("a StuffIt archive")),
    Signature("StuffIt!", is: .archive("a StuffIt archive")),
    // Godot's pck_packer.cpp: "GDPC" and the version of the format.
    Signature("GDPC") {
      guard let version = $0.head.borrowedSpan.uint32(at: 4, .little), version < 16 else { return nil }
      return .archive("a Godot pack")
    },
  ]

  /// File systems and disks.
  static let images: [Signature] = [
    // Linux: squashfs_fs.h, with the major version at 28; cramfs_fs.h; romfs_fs.h; erofs_fs.h.
    Signature("hsqs") { $0.head.borrowedSpan.all(28..<30, { $0 < 5 }) ? .archive("a SquashFS image") : nil },
    Signature("sqsh") { $0.head.borrowedSpan.all(28..<30, { $0 < 5 }) ? .archive("a SquashFS image") : nil },
    Signature([0x45, 0x3D, 0xCD, 0x28], is: .archive("a cramfs image")),
    Signature("-rom1fs-", is: .archive("a romfs image")),
    Signature([0xE2, 0xE1, 0xF5, 0xE0], at: 1024, is: .archive("an EROFS image")),
    // The kernel's ext4 documentation, "Super Block", which begins at 1024.
    Signature([0x53, 0xEF], at: 1080) { extFileSystem($0.head.borrowedSpan) },
    // XFS Algorithms & Data Structures, superblock: block size; f2fs_fs.h.
    Signature("XFSB\0\0", is: .archive("an XFS image")),
    Signature([0x10, 0x20, 0xF5, 0xF2], at: 1024, is: .archive("an F2FS image")),
    // Microsoft's FAT (BS_FilSysType), exFAT and NTFS (FileSystemName, OEM ID): a boot sector, which ends in 55 AA.
    bootSector("FAT12   ", at: 54), bootSector("FAT16   ", at: 54), bootSector("FAT32   ", at: 82),
    bootSector("EXFAT   ", at: 3), bootSector("NTFS    ", at: 3),
    // UEFI specification 5.3.2, GPT header, in the second sector.
    Signature("EFI PART\0\0", at: 512, is: .archive("a disk image with partitions")),
    // Apple: TN1150, volume header; Apple File System Reference, nx_superblock_t; an older disk image's header.
    Signature([0x48, 0x2B, 0, 4], at: 1024, is: .archive("an HFS+ image")),
    Signature([0x48, 0x58, 0, 5], at: 1024, is: .archive("an HFS+ image")),
    Signature("NXSB", at: 32) {
      $0.head.borrowedSpan.uint32(at: 36, .little) == 4096 ? .archive("an APFS image") : nil
    },
    // Virtual machines: QEMU's qcow2.txt, VMware's Virtual Disk Format, [MS-VHDX] 2.2.1, VirtualBox's VDICore.h.
    Signature([0x51, 0x46, 0x49, 0xFB], is: .archive("a disk image (QCOW)")),
    Signature("KDMV") {
      $0.head.borrowedSpan.all(5..<8, { $0 == 0 }) ? .archive("a disk image (VMDK)") : nil
    },
    Signature("vhdxfile", is: .archive("a disk image (VHDX)")),
    Signature("conectix", is: .archive("a disk image (VHD)")),
    Signature([0x7F, 0x10, 0xDA, 0xBE], at: 64, is: .archive("a disk image (VDI)")),
  ]

  /// Compressed streams: those that iapkg inspects, and others.
  static let streams: [Signature] = [
    // RFC 1952, 2.3.1, with the only method that exists.
    Signature([0x1F, 0x8B, 0x08], is: Recognition(.stream(.gzip), "a gzip stream")),
    // bzip2: "BZh", a digit, and the magic number of a block or of the end.
    Signature("BZh") { file in
      let block: [UInt8] = [0x31, 0x41, 0x59, 0x26, 0x53, 0x59]
      let end: [UInt8] = [0x17, 0x72, 0x45, 0x38, 0x50, 0x90]
      let magic = file.head.dropFirst(4).prefix(6)
      return magic.elementsEqual(block) || magic.elementsEqual(end)
        ? Recognition(.stream(.bzip2), "a bzip2 stream") : nil
    },
    // xz-file-format.txt 2.1.1.1; lzma-file-format.txt 1.1; lzip's manual, "File format".
    Signature([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], is: Recognition(.stream(.xz), "an xz stream")),
    Signature([0x5D, 0, 0]) { lzma($0.head.borrowedSpan) },
    Signature("LZIP\u{1}", is: Recognition(.stream(.lzip), "an lzip stream")),
    // RFC 8878, 3.1.1, Zstandard frames; lz4_Frame_format.md, frames and the older form.
    Signature([0x28, 0xB5, 0x2F, 0xFD], is: Recognition(.stream(.zstd), "a Zstandard stream")),
    Signature([0x04, 0x22, 0x4D, 0x18], is: Recognition(.stream(.lz4), "an LZ4 stream")),
    Signature([0x02, 0x21, 0x4C, 0x18], is: Recognition(.stream(.lz4), "an LZ4 stream")),
    // ncompress' compress.c: MAGIC_1, MAGIC_2, and 9 to 16 bits with a flag.
    Signature([0x1F, 0x9D]) {
      $0.head.borrowedSpan.all(2..<3, { (9...16).contains($0 & 0x1F) && $0 & 0x60 == 0 })
        ? Recognition(.stream(.compress), "a compress stream") : nil
    },
    // Magic file `compress`: lzop, lrzip; Snappy's framing_format.txt; Apple's LZFSE (lzfse_internal.h) and pbzx.
    Signature([0x89, 0x4C, 0x5A, 0x4F, 0x00, 0x0D, 0x0A, 0x1A, 0x0A], is: .archive("an lzop stream")),
    Signature([0x4C, 0x52, 0x5A, 0x49, 0x00], is: .archive("an lrzip stream")),
    Signature([0xFF, 0x06, 0x00, 0x00, 0x73, 0x4E, 0x61, 0x50, 0x70, 0x59], is: .archive("a Snappy stream")),
    Signature("bvx2", is: .archive("an LZFSE stream")), Signature("bvxn", is: .archive("an LZFSE stream")),
    Signature("pbzx\0\0", is: .archive("a pbzx stream")),
  ]

  /// Recognizes LZMA as file(1) and xz do: common properties; a dictionary of at least 2^16 bytes, 2^n or 2^n + 2^(n-1),
  /// or 2^32 - 1; a size that is unknown or below 2^38. The range coder starts with 0.
  private static func lzma(_ head: Span<UInt8>) -> Recognition? {
    guard let dictionary = head.uint32(at: 1, .little), let size = head.number(at: 5, bytes: 8, .little),
      head.all(13..<14, { $0 == 0 }), size == .max || size < 1 << 38, dictionary >= 1 << 16
    else { return nil }
    let rest = dictionary ^ (1 << (31 - dictionary.leadingZeroBitCount))
    let isUsual = rest == 0 || rest == 1 << (30 - dictionary.leadingZeroBitCount) || dictionary == .max
    return isUsual ? Recognition(.stream(.lzma), "an LZMA stream") : nil
  }

  private static func lha(_ file: FileExcerpt) -> Recognition? {
    let head = file.head.borrowedSpan
    guard head.count > 20, head[6] == UInt8(ascii: "-"), head[20] <= 3, "hzm".utf8.contains(head[4]) else {
      return nil
    }
    return head.all(5..<6, { $0.isDigit || "dxs".utf8.contains($0) }) ? .archive("an LHA archive") : nil
  }

  private static func bootSector(_ name: StaticString, at offset: Int) -> Signature {
    Signature(name, at: offset) { file in
      let isBoot = file.head.borrowedSpan.has("U", at: 510) && file.head.count > 511 && file.head[511] == 0xAA
      return isBoot ? .archive("a disk image (\(name.description.prefix { $0 != " " }))") : nil
    }
  }

  /// Recognizes an ext file system by numbers of the superblock, because the signature has only two bytes.
  private static func extFileSystem(_ head: Span<UInt8>) -> Recognition? {
    guard let inodes = head.uint32(at: 1024, .little), inodes > 0,
      let blocks = head.uint32(at: 1028, .little),
      blocks > 0, let blockSize = head.uint32(at: 1048, .little), blockSize <= 6,
      let state = head.uint16(at: 1082, .little), state <= 7, let revision = head.uint32(at: 1100, .little),
      revision <= 1
    else { return nil }
    return .archive("an ext2, ext3 or ext4 image")
  }
}
