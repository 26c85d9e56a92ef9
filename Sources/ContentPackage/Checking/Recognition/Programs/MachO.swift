import Support

/// Executables and libraries of Apple's systems, and Java class files, which share the signature of universal files.
enum MachO {
  /// Recognizes a file for one architecture (mach_header and mach_header_64 in <mach-o/loader.h>).
  static func thin(_ head: Span<UInt8>, _ order: Span<UInt8>.ByteOrder, headerLength: Int) -> Recognition {
    guard head.count >= headerLength, let cpu = head.uint32(at: 4, order),
      let type = head.uint32(at: 12, order), let kind = fileTypes[type]
    else { return .possibleCode("a Mach-O signature without a valid header") }
    return .code("a Mach-O \(kind) (\(architecture(cpu)))")
  }

  /// Recognizes a universal file (fat_header and its list of fat_arch in <mach-o/fat.h>), or a Java class file.
  ///
  /// The same field is the number of architectures of a universal file and the version of a class file. Versions start
  /// at 45, and no universal file has that many architectures.
  static func fatOrJava(_ file: FileExcerpt) -> Recognition {
    guard let count = file.head.borrowedSpan.uint32(at: 4, .big), count > 0 else {
      return .possibleCode("the signature of a universal Mach-O file or Java class")
    }
    if count < javaVersions.lowerBound { return fat(file, entryLength: 20, offsetLength: 4) }
    let version = count & 0xFFFF
    return javaVersions.contains(version) && hasJavaConstants(file.head.borrowedSpan)
      ? .code("a Java class (version \(version))")
      : .possibleCode("the signature of a universal Mach-O file or Java class")
  }

  /// Recognizes a universal file with 64-bit offsets (fat_arch_64).
  static func fat64(_ file: FileExcerpt) -> Recognition {
    fat(file, entryLength: 32, offsetLength: 8)
  }

  /// Recognizes a universal file by its entries. Each has five numbers: CPU, CPU subtype, offset, size and alignment.
  /// The 64-bit form is padded to 32 bytes.
  private static func fat(_ file: FileExcerpt, entryLength: Int, offsetLength: Int) -> Recognition {
    let head = file.head.borrowedSpan
    guard let count = head.uint32(at: 4, .big), count <= maximumArchitectureCount else {
      return .possibleCode("a universal Mach-O signature without a valid header")
    }
    // One entry with data in the file is enough.
    let names = (0..<Int(count)).compactMap { index -> String? in
      let entry = 8 + index * entryLength
      guard let cpu = head.uint32(at: entry, .big),
        let offset = head.number(at: entry + 8, bytes: offsetLength, .big),
        offset < UInt64(clamping: file.size)
      else { return nil }
      return architecture(cpu)
    }
    return names.isEmpty
      ? .possibleCode("a universal Mach-O signature without a valid header")
      : .code("a universal Mach-O file (\(names.joined(separator: ", ")))")
  }

  /// The maximum number of architectures. A list of this length fits into the excerpt, and no real file has as many.
  private static let maximumArchitectureCount = 100

  /// The major versions of class files. JDK 1.0.2 wrote 45 (JVM specification 4.1), Java 25 writes 69, and each year
  /// adds two.
  private static let javaVersions: ClosedRange<UInt32> = 45...199

  /// Returns whether the first constant of a class file has a valid kind (JVM specification 4.4, table 4.4-A), or the
  /// file ends before the constant.
  private static func hasJavaConstants(_ head: Span<UInt8>) -> Bool {
    guard let count = head.uint16(at: 8, .big), head.count > 10 else { return true }
    return count > 1 && (1...20).contains(head[10]) && ![2, 13, 14].contains(head[10])
  }

  /// The file types in <mach-o/loader.h>.
  private static let fileTypes: [UInt32: String] = [
    1: "object file", 2: "executable", 3: "fixed library", 4: "core file", 5: "preloaded executable",
    6: "dynamic library", 7: "dynamic linker", 8: "bundle", 9: "library stub", 10: "debug symbol file",
    11: "kernel extension", 12: "file set", 13: "GPU program", 14: "GPU library",
  ]

  /// Returns the name of a CPU type in <mach/machine.h>.
  private static func architecture(_ cpu: UInt32) -> String {
    switch cpu {
    case 6: "m68k"
    case 7: "i386"
    case 0x0100_0007: "x86_64"
    case 12: "arm"
    case 0x0100_000C: "arm64"
    case 0x0200_000C: "arm64_32"
    case 18: "ppc"
    case 0x0100_0012: "ppc64"
    default: "CPU type \(cpu)"
    }
  }
}
