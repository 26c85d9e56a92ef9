import SafeFiles
import Testing
import ZipArchive

@testable import ContentPackage

struct CompressionTests {
  private static let text = Array(String(repeating: "once upon a time, ", count: 20_000).utf8)
  private static let noise = (0..<40_000).flatMap { _ in
    let number = UInt64.random(in: .min ... .max)
    return stride(from: 0, to: 64, by: 8).map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  private func level(_ compression: Compression, _ bytes: [UInt8]) throws -> CompressionLevel {
    try compression.level(for: MemoryBytes(bytes))
  }

  @Test func `compressible content is deflated, and other content is stored`() throws {
    #expect(try level(.auto, Self.text) == .standard)
    #expect(try level(.auto, Self.noise) == .store)
    #expect(try level(.fast, Self.text) == .fast)
    #expect(try level(.fast, Self.noise) == .store)
  }

  @Test func `store and best override the choice`() throws {
    #expect(try level(.store, Self.text) == .store)
    #expect(try level(.best, Self.noise) == .best)
  }

  @Test(arguments: Compression.allCases)
  func `an empty file is stored`(_ compression: Compression) throws {
    #expect(try level(compression, []) == .store)
  }

  @Test func `a file below 2 KiB is deflated without an estimate`() throws {
    #expect(try level(.auto, Array(Self.noise.prefix(2_047))) == .standard)
    #expect(try level(.auto, Array(Self.noise.prefix(98_304))) == .store)
  }

  @Test func `a file is judged by its beginning, middle and end`() throws {
    #expect(try level(.auto, Self.noise + Self.text) == .standard)
    #expect(try level(.auto, Self.noise + Array(Self.text.prefix(100)) + Self.noise) == .store)
  }

  @Test func `best keeps any smaller result, and other settings only a worthwhile one`() {
    #expect(Compression.best.worthwhileSize(of: 100) == 99)
    #expect(Compression.auto.worthwhileSize(of: 100) == 97)
    #expect(Compression.auto.worthwhileSize(of: 1) == 0)
  }
}
