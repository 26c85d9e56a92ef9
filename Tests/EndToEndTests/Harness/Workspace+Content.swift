import ContentPackage
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

  /// Makes a package of such a folder, as the program would.
  func makeBookPackage(
    _ package: String = "Book.pkg", product: String = "com.example.book", version: String = "1.0"
  ) throws {
    let archive = ForgedArchive([
      .file("ContentInfo.plist", ForgedArchive.manifest(product, version)), .folder("Contents/"),
      .file("Contents/cover.txt", "a cover"), .folder("Contents/pages/"),
      .file("Contents/pages/one.txt", "page one"),
    ])
    try write(archive, to: package)
  }

  /// The rules that are broken in a package or folder, each as often as it was found.
  ///
  /// The library is asked, which takes a fraction of a run of the program, unless there are options for that.
  func rules(in input: String, _ options: String...) throws -> [String] {
    guard !options.isEmpty else { return try findings(in: input).map(\.rule.rawValue) }
    let document = try iapkg(["validate", "--format=json", input] + options).document()
    return document["packages"]?[0]?["findings"]?.elements.compactMap { $0["rule"]?.text } ?? []
  }

  /// What the library finds in a package or folder.
  func findings(in input: String) throws -> [Finding] {
    try PackageValidator(context: WorkContext(jobs: 1)).validate(place(input)).findings
  }
}
