import PackageForge
import TestSupport
import Testing

/// Files of the same size and checksum have the same content only if their bytes are equal.
@Suite(.waiting) struct CollisionTests {
  private typealias Method = ForgedEntry.Method
  private static let methods: [[ForgedEntry.Method]] = [
    [.stored, .stored], [.deflated, .deflated], [.stored, .deflated],
  ]
  /// More than one block, with a partial block at the end.
  private static let size = 600_001

  /// Two contents with the same size, CRC-32 and beginning.
  private static let colliding: (old: [UInt8], new: [UInt8]) = {
    let old = [UInt8](repeating: 7, count: size)
    var new = old
    new[size - 5] = 8
    new.removeLast(4)
    new += ForgedCRC32.suffix(of: new, for: ForgedCRC32.checksum(old))
    return (old, new)
  }()

  private static func package(_ content: [UInt8], _ method: Method) -> ForgedArchive {
    var archive = ForgedArchive.book()
    archive.add(.file("Contents/z", content, method: method))
    return archive
  }

  @Test(arguments: methods)
  func `packages made to collide differ`(_ methods: [ForgedEntry.Method]) throws {
    let work = try Workspace()
    let (old, new) = Self.colliding
    #expect(old != new && ForgedCRC32.checksum(old) == ForgedCRC32.checksum(new))
    try work.write(Self.package(old, methods[0]), to: "Old.pkg")
    try work.write(Self.package(new, methods[1]), to: "New.pkg")
    let diff = try work.iapkg("diff", "Old.pkg", "New.pkg", "--format=json").exits(1).document()
    #expect(diff["changed"] == .array(["Contents/z"]))
    #expect(try work.rules(in: "New.pkg", "--against", "Old.pkg") == ["version/not-raised"])
    #expect(
      try work.iapkg("bump", "New.pkg", "--if-changed-from", "Old.pkg").succeeds().output.contains("1.1"))
  }

  @Test(arguments: [ForgedEntry.Method.stored, .deflated])
  func `a folder made to collide with a package differs from it`(_ method: ForgedEntry.Method) throws {
    let work = try Workspace()
    let (old, new) = Self.colliding
    try work.write(Self.package(old, method), to: "Old.pkg")
    try work.makeBook()
    try work.write(old, to: "Book/Contents/z")
    try work.iapkg("create", "Book", "--against", "Old.pkg", "--dry-run").succeeds()
    try work.write(new, to: "Book/Contents/z")
    try work.iapkg("create", "Book", "--against", "Old.pkg").fails(1, saying: "[version/not-raised]")
    try work.iapkg("validate", "Book", "--against", "Old.pkg").exits(1)
    #expect(try work.iapkg("bump", "Book", "--if-changed-from", "Old.pkg").succeeds().output.contains("1.1"))
  }

  @Test(arguments: methods)
  func `the same content is equal in any compression`(_ methods: [ForgedEntry.Method]) throws {
    let work = try Workspace()
    var other = Self.package(Self.colliding.old, methods[1])
    if methods[1] == .deflated {
      other["Contents/z"].data = Deflate.stored(Self.colliding.old)
      other["Contents/z"].compressedSize = UInt32(other["Contents/z"].data.count)
    }
    try work.write(Self.package(Self.colliding.old, methods[0]), to: "Old.pkg")
    try work.write(other, to: "New.pkg")
    let diff = try work.iapkg("diff", "Old.pkg", "New.pkg").succeeds()
    #expect(diff.output.hasSuffix("same content\n"))
  }

  @Test func `content that cannot be decoded is not compared`() throws {
    let work = try Workspace()
    try work.write(Self.package(Self.colliding.old, .stored), to: "Old.pkg")
    var bad = Self.package(Self.colliding.old, .deflated)
    bad["Contents/z"].data[0] |= 0b110  // an invalid block type
    try work.write(bad, to: "Bad.pkg")
    try work.iapkg("diff", "Old.pkg", "Bad.pkg").fails(1, saying: "Bad.pkg", "[archive/checksum]")
    #expect(try work.rules(in: "Bad.pkg", "--against", "Old.pkg") == ["archive/checksum"])
  }
}
