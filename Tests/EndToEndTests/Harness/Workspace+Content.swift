import PackageForge
import Testing

extension Workspace {
  /// Makes a content folder with two files, one of them in a subfolder.
  func makeBook(
    _ folder: String = "Book", product: String = "com.example.book", version: String = "1.0"
  ) throws {
    try write(ForgedArchive.manifest(product, version), to: "\(folder)/ContentInfo.plist")
    try write("a cover", to: "\(folder)/Contents/cover.txt")
    try write("page one", to: "\(folder)/Contents/pages/one.txt")
  }

  /// Makes such a folder and a package of it.
  func makeBookPackage(
    _ package: String = "Book.pkg", product: String = "com.example.book", version: String = "1.0"
  ) throws {
    let folder = "made-\(package)"
    try makeBook(folder, product: product, version: version)
    try iapkg("create", folder, "-o", package).exits(0)
    try remove(folder)
  }

  /// What `validate` finds in a package or folder: the rules, each as often as it was found.
  func rules(in input: String, _ options: String...) throws -> [String] {
    try findings(in: input, options).map { $0["rule"]?.text ?? "" }
  }

  /// What `validate` finds, as JSON.
  func findings(in input: String, _ options: [String] = []) throws -> [JSON] {
    let document = try iapkg(["validate", "--format=json", input] + options).document()
    return document["packages"]?[0]?["findings"]?.elements ?? []
  }
}
