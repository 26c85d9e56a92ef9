/// Executables and libraries of Linux, Android and most Unix-like systems.
enum ELF {
  /// Recognizes a file by e_ident, e_type and e_machine (System V ABI, chapter 4, ELF header).
  static func recognize(_ head: Span<UInt8>) -> Recognition {
    guard head.count >= minimumHeaderLength, let word = widths[head[4]], let order = orders[head[5]],
      head[6] == 1, let type = head.uint16(at: 16, order), let machine = head.uint16(at: 18, order)
    else { return .possibleCode("an ELF signature without a valid header") }
    return .code("an ELF \(types[type] ?? "file") (\(machines[machine] ?? "machine \(machine)"), \(word))")
  }

  /// The minimum length of a header in bytes, which is that of the 32-bit form.
  private static let minimumHeaderLength = 52

  private static let widths: [UInt8: String] = [1: "32-bit", 2: "64-bit"]
  private static let orders: [UInt8: Span<UInt8>.ByteOrder] = [1: .little, 2: .big]
  private static let types = [1: "object file", 2: "executable", 3: "shared object", 4: "core file"]

  /// The values of e_machine in <elf.h>.
  private static let machines = [
    3: "x86", 8: "MIPS", 20: "PowerPC", 21: "PowerPC 64", 22: "S/390", 40: "ARM", 62: "x86-64",
    183: "AArch64",
    243: "RISC-V", 247: "eBPF", 258: "LoongArch",
  ]
}
