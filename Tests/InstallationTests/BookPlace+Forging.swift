#if !COMMAND_LINE_TOOL
import ContentPackage
import PackageForge
import TestSupport

extension BookPlace {
  /// Forges a package of the content, because an app cannot build one.
  func makePackage(_ version: String) throws -> String {
    var archive = ForgedArchive([.file("ContentInfo.plist", ForgedArchive.manifest(product.text, version))])
    archive.add(.folder("Contents/"))
    archive.add(.folder("Contents/Chapter/"))
    for name in try folder.names("Book/Chapter") {
      let bytes = try folder.bytes("Book/Chapter/\(name)")
      archive.add(.file("Contents/Chapter/\(name)", bytes, method: .deflated))
    }
    let package = "Book-\(version).pkg"
    try folder.write(archive.bytes(), to: package)
    return folder.place(package)
  }
}
#endif
