import PackageForge
import TestSupport
import Testing

/// Apple's rule about code, which `export` applies instead of the rule for packages.
struct AssetPackCodeTests {
  private let work: Workspace

  init() throws {
    work = try Workspace()
    try work.makeBook()
  }

  /// Returns a little-endian Mach-O file for arm64 with one load command.
  private static func machO(type: UInt32 = 6, _ command: [UInt32]) -> [UInt8] {
    let words = [0xFEED_FACF, 0x0100_000C, 0, type, 1, UInt32(command.count * 4), 0, 0] + command
    return words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
  }

  private static func built(for platform: UInt32) -> [UInt8] { machO([0x32, 24, platform, 0, 0, 0]) }

  /// Returns a universal file whose only slice is at `offset`.
  private static func universal(_ slice: [UInt8], at offset: Int) -> [UInt8] {
    let words: [UInt32] = [0xCAFE_BABE, 1, 0x0100_000C, 0, UInt32(offset), UInt32(slice.count), 12]
    let head = words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> ((3 - $0) * 8)) } }
    return head + Array(repeating: 0, count: offset - head.count) + slice
  }

  private func export(_ file: [UInt8]) throws -> Outcome {
    try work.write(file, to: "Book/Contents/code")
    return try work.iapkg("export", "Book", "--background-assets", "Packs")
  }

  @Test(arguments: [
    built(for: 2), built(for: 7), built(for: 11), machO([0x25, 16, 0, 0]), machO(type: 13, [0x1B, 8]),
    universal(built(for: 2), at: 16_384),
    Array("MZ".utf8) + Array(repeating: 0, count: 58) + [64, 0, 0, 0]
      + Array("PE\0\0".utf8) + [0x64, 0x86, 1, 0] + Array(repeating: 0, count: 12) + [0xF0, 0, 2, 0x20]
      + [0x0B, 2] + Array(repeating: 0, count: 400),
  ])
  func `code that does not run on a Mac is left to Apple`(_ file: [UInt8]) throws {
    try export(file).exits(0, saying: "Apple decides", "[file/executable-code]")
    #expect(try work.bytes("Packs/com-example-book/com.example.book/Contents/code") == file)
    try work.iapkg("create", "Book").fails(1, saying: "file/executable-code")
  }

  @Test(arguments: [
    built(for: 1), built(for: 6), machO([0x24, 16, 0, 0]), machO([0x1B, 8]), machO([]),
    universal(built(for: 1), at: 16_384), universal(built(for: 1), at: 4_090),
  ])
  func `code that may run on a Mac is refused`(_ file: [UInt8]) throws {
    try export(file).fails(1, saying: "file/executable-code", "macOS")
    #expect(!work.exists("Packs"))
  }

  @Test func `bundles are judged by their code and layout`() throws {
    try work.write(Self.built(for: 2), to: "Book/Contents/Code.framework/Code")
    try work.write(
      "<plist><dict><key>CFBundleExecutable</key><string>Code</string></dict></plist>",
      to: "Book/Contents/Code.framework/Info.plist")
    try work.iapkg("export", "Book", "--background-assets", "Packs").exits(
      0, saying: "[file/executable-bundle]")
    try work.write(Self.built(for: 2), to: "Book/Contents/Tool.app/Contents/MacOS/Tool")
    try work.iapkg("export", "Book", "--background-assets", "More").fails(1, saying: "file/executable-bundle")
  }

  @Test func `excluded code is not exported`() throws {
    try work.write(Self.built(for: 1), to: "Book/Contents/code")
    try work.iapkg("export", "Book", "--background-assets", "Packs", "--exclude", "code").succeeds()
    #expect(!work.exists("Packs/com-example-book/com.example.book/Contents/code"))
  }
}
