#if !COMMAND_LINE_TOOL
import ContentPackage
import Foundation
import PackageForge

extension BookPlace {
  /// Forges a package of the content, because an app cannot build one.
  func makePackage(_ version: String) throws -> String {
    var archive = ForgedArchive([.file("ContentInfo.plist", ForgedArchive.manifest(product.text, version))])
    archive.add(.folder("Contents/"))
    archive.add(.folder("Contents/Chapter/"))
    for name in try FileManager.default.contentsOfDirectory(atPath: path + "/Book/Chapter").sorted() {
      let text = try String(contentsOfFile: "\(path)/Book/Chapter/\(name)", encoding: .utf8)
      archive.add(.file("Contents/Chapter/\(name)", text, method: .deflated))
    }
    let package = "\(path)/Book-\(version).pkg"
    try Data(archive.bytes()).write(to: URL(fileURLWithPath: package))
    return package
  }
}
#endif
