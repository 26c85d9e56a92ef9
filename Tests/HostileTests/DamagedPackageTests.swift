import ContentPackage
import PackageForge
import SafeFiles
import Testing
import ZipArchive

/// Damage at every byte: a truncated or changed package is rejected, or has the same content as before.
struct DamagedPackageTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let layout: ForgedLayout
  }

  static let packages: [Case] = {
    var wide = ForgedArchive.book()
    wide.zip64 = ForgedZip64()
    wide[Name.stored].extra = [.time, .zip64(8, 8)]
    wide[Name.stored].size = .max
    wide[Name.stored].compressedSize = .max
    wide.add(.link("Contents/link", to: "cover.txt"))
    wide["Contents/link"].extra = [.owner]
    return [
      Case(testDescription: "plain", layout: ForgedArchive.book().layout()),
      Case(testDescription: "with ZIP64 and a link", layout: wide.layout()),
    ]
  }()

  @Test(arguments: packages)
  func `a package that is truncated anywhere is refused`(_ package: Case) throws {
    let bytes = package.layout.bytes
    let bench = try Bench([])
    let accepted = try bytes.indices.filter { end in
      try bench.write(Array(bytes[..<end]))
      return try bench.content() != nil
    }
    #expect(accepted == [])
  }

  @Test(arguments: packages, [0x01, 0x80, 0xFF] as [UInt8])
  func `a package with a flipped header byte is refused, or has the same names, sizes and bytes`(
    _ package: Case, _ mask: UInt8
  ) throws {
    let layout = package.layout
    let bench = try Bench(layout.bytes)
    let whole = try #require(try bench.content())
    let different = try layout.records.values.joined().filter { position in
      var bytes = layout.bytes
      bytes[position] ^= mask
      try bench.write(bytes)
      return try ![nil, whole].contains(bench.content())
    }
    #expect(different == [])
  }

  @Test(arguments: packages)
  func `a package with a flipped byte of data is refused, or has the same content`(_ package: Case) throws {
    let layout = package.layout
    let headers = Set(layout.records.values.joined())
    let bench = try Bench(layout.bytes)
    let whole = try #require(try bench.content())
    // The last bits after the end of a deflate stream have no meaning.
    let different = try layout.bytes.indices.filter { !headers.contains($0) }.filter { position in
      var bytes = layout.bytes
      bytes[position] ^= 0x04
      try bench.write(bytes)
      return try ![nil, whole].contains(bench.content())
    }
    #expect(different == [])
  }
}

/// The content of one entry. Kind and permissions are omitted: a single field determines them, so no contradiction is
/// detectable.
private struct Content: Equatable {
  let path: EntryPath
  let size: Int64
  let bytes: [UInt8]
}

extension Bench {
  /// Returns the content of the package, or nil if it is rejected.
  fileprivate func content() throws -> [Content]? {
    guard try !validate().contains(where: { $0.severity == .error }) else { return nil }
    let source = try PackageSource.open(package)
    return try source.items.map { item in
      Content(path: item.path, size: item.size, bytes: try source.bytes(of: item))
    }
  }
}
