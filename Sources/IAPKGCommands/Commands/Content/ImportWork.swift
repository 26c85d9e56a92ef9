import ArgumentParser
import ContentPackage
import Conversion
import SafeFiles
import Settings
import Support
import ZipArchive

/// The work of `import` for one source, or for one target of a project.
struct ImportWork {
  /// The source of one package or folder.
  struct Job {
    /// The file, folder or project.
    let source: String
    /// The target of the project; nil if the source is not a project.
    var target: String?
    /// The required product; nil for any.
    var product: ProductIdentifier?

    /// Whether the content folder is named after its product, and made in the folder of the command.
    var isNamedAfterProduct: Bool { target != nil || product != nil }
  }

  private let command: ImportCommand
  private let job: Job
  private let process: CommandContext
  private let context: WorkContext
  private let time: DOSTime

  init(_ command: ImportCommand, _ job: Job, _ process: CommandContext, _ context: WorkContext) throws {
    self.command = command
    self.job = job
    self.process = process
    self.context = context
    time = try RecordedTime.fromEnvironment()
  }

  /// Returns the jobs of a command.
  ///
  /// - Throws: `ValidationError` for several targets with `--output`; `CommandError` for targets with the same package
  ///   or folder name, or for a folder that contains projects; `ConversionError`, `FileError`.
  static func jobs(_ command: ImportCommand, _ source: String) throws -> [Job] {
    guard ContentImporter.isProject(source) else {
      try refuseFolderOfProject(source)
      return [Job(source: source)]
    }
    if let target = command.target { return [Job(source: source, target: target)] }
    let targets = try ContentImporter.targets(ofProject: source)
    guard targets.count > 1, command.output != nil else {
      let importer = ContentImporter()
      // Folders are named after their products alone.
      try RepeatedProducts.check(
        targets, countingVersions: command.folder == nil, advice: "choose one with --target"
      ) { try? importer.info(ofTarget: $0, project: source) }
      return targets.map { Job(source: source, target: $0) }
    }
    let names = Suggestion.list(targets.map { String(displaying: $0.utf8) })
    throw ValidationError(
      "--output is for one package, and the project has several targets; give --target \(names)")
  }

  /// Rejects a folder that contains Xcode projects, unless it is a content folder.
  private static func refuseFolderOfProject(_ source: String) throws {
    guard !ContentFolder.isPart(source), let names = try? DirectoryHandle.open(source).list() else { return }
    let paths = names.map { FileSystem.joined(source, String(decoding: $0, as: UTF8.self)) }
    let projects = paths.filter(ContentImporter.isProject).sorted()
    guard let project = projects.first else { return }
    let advice =
      projects.count == 1
      ? "to import the Xcode project in it, use iapkg import \(project)"
      : "to import an Xcode project in it, use iapkg import \(Suggestion.list(projects))"
    throw CommandError(.notAPackage, "\(source) is not a content folder; \(advice)", path: source)
  }

  func run() throws -> ImportedPackage {
    try checkDestination()
    // Settings apply to a content folder that is read, and to one that is written.
    let isFolder = (try? FileSystem.kind(of: job.source)) == .folder && job.target == nil
    let settings = [
      isFolder ? try FolderSettings.load(for: job.source) : nil,
      try outputFolder.map { try FolderSettings.load(for: $0, allowsMissing: true) },
    ]
    let importer = ContentImporter(
      strippingXcodeKeys: command.stripXcodeKeys, reading: settings[0]?.choices() ?? FolderChoices(),
      making: settings[1]?.choices() ?? FolderChoices(), context: context)
    let content =
      try job.target.map {
        try importer.open(target: $0, ofProject: job.source, spoolFolder: spoolFolder)
      } ?? importer.open(job.source, spoolFolder: spoolFolder)
    let builder = PackageBuilder(time: time, context: context).with(
      Self.choices(for: content, by: settings[0]))
    let review = try builder.review(content)
    let findings = settings.reduce(review.findings) { command.rules.unignored($0, by: $1) }
    guard !command.rules.reject(findings), let info = review.contentInfo else {
      let name = job.target.map { "the target '\($0)'" } ?? "the content"
      throw CommandError(
        CommandError.status(of: findings), "\(name) was not imported", path: job.source,
        findings: findings)
    }
    if let product = job.product, info.productIdentifier != product {
      throw CommandError(
        .invalid, "the content belongs to the product \(info.productIdentifier), expected \(product)",
        path: job.source)
    }
    let (path, bytes) = try write(review.ignoringErrors(), info, by: builder)
    return ImportedPackage(
      package: MadePackage(
        path: path, info: info, review: review, findings: findings,
        suppressed: SuppressedErrors(review.findings, command.rules, by: settings),
        skippedSettings: settings.flatMap { $0?.untrustedFiles ?? [] }, bytes: bytes),
      content: content, isFolder: command.folder != nil, isDryRun: command.dryRun)
  }

  /// Returns the compression choices in the settings of the source. Their patterns are relative to the source.
  private static func choices(for content: ImportedContent, by settings: FolderSettings?) -> FolderChoices {
    guard let settings else { return FolderChoices() }
    let folder = content.folder
    return FolderChoices(compression: { path in
      settings.compression(of: folder.map { $0.appending(path.bytes) } ?? path)
    })
  }

  /// Checks that the output folder can be created, before any work.
  private func checkDestination() throws {
    guard let folder = command.folder else { return }
    guard !job.isNamedAfterProduct else { return try Self.checkParent(folder) }
    try ContentFolderCheck.check(folder)
    try StagedFolder.check(folder)
  }

  /// Checks that content folders can be created in a folder, which may be missing.
  static func checkParent(_ folder: String) throws {
    try ContentFolderCheck.check(folder, isParent: true)
    try FileSystem.checkFolder(folder)
  }

  /// Checks that a content folder can be created in a folder that passed `checkParent`.
  ///
  /// - Returns: The path of the content folder.
  @discardableResult
  static func checkFolder(of product: ProductIdentifier, in folder: String) throws -> String {
    let path = FileSystem.joined(folder, product.text)
    if try FileSystem.status(of: folder, followingLinks: true) != nil { try StagedFolder.check(path) }
    return path
  }

  /// The content folder to create. If its product is not known yet, a placeholder in the same parent folder.
  private var outputFolder: String? {
    command.folder.map {
      job.isNamedAfterProduct ? FileSystem.joined($0, job.product?.text ?? "product") : $0
    }
  }

  /// A folder on the output's file system, for temporary files.
  private var spoolFolder: String {
    if let folder = command.folder { return job.product == nil ? FileSystem.folder(of: folder) : folder }
    let target = PackageOutput.target(command.output ?? "package", replacing: false)
    return OutputDestination(target, isDryRun: command.dryRun).spoolFolder
  }

  /// Writes a package or a content folder.
  ///
  /// - Returns: The path of the output, and the size of a package in bytes.
  private func write(
    _ review: ContentReview, _ info: ContentInfo, by builder: PackageBuilder
  ) throws -> (String, Int64?) {
    if let folder = command.folder { return (try write(review, info, toFolder: folder), nil) }
    let path = command.output ?? info.packageName
    let destination = try process.destination(of: path, replacing: command.replacing.force)
    return (path, try builder.write(review, to: destination, dryRun: command.dryRun))
  }

  /// Writes a content folder, except in a dry run, and returns its path.
  private func write(_ review: ContentReview, _ info: ContentInfo, toFolder folder: String) throws -> String {
    let path = try job.isNamedAfterProduct ? Self.checkFolder(of: info.productIdentifier, in: folder) : folder
    guard !command.dryRun else { return path }
    let made = MadeFolders()
    defer { made.removeEmpty() }
    if job.isNamedAfterProduct { try made.make(folder) }
    try ContentFolderWriter(context).write(review, to: path)
    return path
  }
}

/// The result of `import`.
struct ImportedPackage {
  let package: MadePackage
  let content: ImportedContent
  let isFolder: Bool
  let isDryRun: Bool

  /// The paths of the items that are not imported, including junk and items that settings exclude. A folder stands for
  /// its content.
  var dropped: [String] {
    let source = package.review.source
    return content.dropped + (source.excluded.paths + NameRecognizer.junk(among: source.items)).map(\.escaped)
  }
}

extension ImportWork.Job: CustomStringConvertible {
  var description: String { target ?? source }
}
