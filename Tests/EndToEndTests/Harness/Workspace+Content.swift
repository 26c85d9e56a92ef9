import ContentPackage
import PackageForge
import Testing

extension Workspace {
  /// Creates a content folder with two files, one of them in a subfolder.
  func makeBook(
    _ folder: String = "Book", product: String = "com.example.book", version: String = "1.0"
  ) throws {
    try write(ForgedArchive.manifest(product, version), to: "\(folder)/ContentInfo.plist")
    try write("a cover", to: "\(folder)/Contents/cover.txt")
    try write("page one", to: "\(folder)/Contents/pages/one.txt")
  }

  /// Creates a package with the content of `makeBook`.
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

  /// Returns the rules that a package or folder breaks, one for each finding.
  ///
  /// Calls the library, which takes a fraction of the time of the program, unless there are options.
  func rules(in input: String, _ options: String...) throws -> [String] {
    guard !options.isEmpty else { return try findings(in: input).map(\.rule.rawValue) }
    let document = try iapkg(["validate", "--format=json", input] + options).document()
    return document["packages"]?[0]?["findings"]?.elements.compactMap { $0["rule"]?.text } ?? []
  }

  /// Returns the library's findings in a package or folder.
  func findings(in input: String) throws -> [Finding] {
    try PackageValidator(context: WorkContext(jobs: 1)).validate(place(input)).findings
  }
}
