import ContentPackage
import Conversion
import PackageForge
import PropertyList
import SafeFiles
import ZipArchive

/// Imports an installer package. An accepted one contains no path that leads out of the package.
enum InstallerTarget {
  private static let limits = Limits(bytes: 1 << 20)

  static func run(_ input: [UInt8]) {
    let context = WorkContext(limits: limits, jobs: 1)
    let folder = FileSystem.temporaryFolder
    guard let content = try? ContentImporter(context: context).open(MemoryBytes(input), spoolFolder: folder),
      let review = try? PackageBuilder(context: context).review(content), review.findings.areAcceptable
    else { return }
    require(review.contentInfo != nil, "accepted without an identity")
    require(review.contentBytes <= limits.bytes, "accepted with too many bytes")
    for item in review.items {
      let parts = item.path.parts
      require(
        !parts.contains { $0.isEmpty || $0.elementsEqual("..".utf8) }, "accepted with \(item.path.escaped)")
    }
  }

  static func run(payload: [UInt8]) {
    run(ForgedInstaller([ForgedInstaller.File("Payload", payload)]).bytes())
  }

  /// Reads the text form of a property list, and compares it with the XML form.
  static func run(project: [UInt8]) {
    guard let value = try? OpenStepReader.parse(project), let xml = PropertyListDocument.xml(value) else {
      return
    }
    require((try? PropertyListDocument.parse(xml))?.root == value, "the XML form has another value")
  }

  static let payloads: [[UInt8]] = [
    ForgedPayload.book().bytes(), ForgedPayload.book(adding: .link("./Contents/a", to: "one.txt")).bytes(),
    Array("pbzx".utf8) + ForgedInstaller.number(1 << 24, 8) + ForgedInstaller.number(8, 8)
      + ForgedInstaller.number(8, 8) + Array("07070700".utf8),
    [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3], [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00],
  ]

  static let seeds: [[UInt8]] = {
    var packed = ForgedInstaller(.book())
    packed.files[1].encoding = "application/x-gzip"
    packed.files[1].decodedSize = packed.files[1].bytes.count
    packed.files[1].bytes = ForgedInstaller.zlib(packed.files[1].bytes)
    return [ForgedInstaller(.book()).bytes(), packed.bytes()]
  }()

  static let projects: [[UInt8]] = [
    "{ a = b; \"c d\" = (\"1\", /* two */ 2, 'three', ); e = <0a ff>; f = { }; }",
    "// !$*UTF8*$!\n(\"\\U00e9\\n\")",
  ].map { Array($0.utf8) }
}
