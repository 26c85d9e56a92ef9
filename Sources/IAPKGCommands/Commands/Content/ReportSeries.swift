import ContentPackage
import SafeFiles
import Support

/// The reports of `report`: one page, an overview of several inputs, or a folder with both.
struct ReportSeries {
  private let inputs: InputPaths
  private let baseline: BaselineSource?
  private let rules: RuleOptions
  let output: String?
  private let replaces: Bool
  /// Whether pages are written; false if only the summaries are needed.
  var makesPages = true
  /// Whether there are pages but no overview, after an interruption or an error.
  private var lacksOverview = false
  private(set) var results: [Result<ReportSummary, CommandError>] = []
  private(set) var usages: [SettingsUsage] = []

  init(
    of inputs: InputPaths, _ baseline: BaselineSource?, _ rules: RuleOptions, to output: String?,
    replacing replaces: Bool
  ) {
    self.inputs = inputs
    self.baseline = baseline
    self.rules = rules
    self.output = output
    self.replaces = replaces
  }

  /// Whether there are several inputs, or a folder that can contain several.
  var isList: Bool { inputs.isList }
  var summaries: [ReportSummary] { results.compactMap { try? $0.get() } }

  /// The errors of unreadable inputs and baseline products.
  var errors: [CommandError] {
    (baseline?.errors ?? []) + results.compactMap { if case .failure(let error) = $0 { error } else { nil } }
  }

  /// The folder of the pages; nil if the output is one page.
  private var folder: String? {
    output.flatMap { makesPages && PackageFolder.isFolderPath($0) ? $0 : nil }
  }

  /// The page of a single input, or the overview.
  var mainPage: String? {
    guard makesPages, !lacksOverview, let output else { return nil }
    return folder.map { FileSystem.joined($0, "index.html") } ?? output
  }

  /// Creates the reports. Among several inputs, an unreadable one does not stop the others.
  ///
  /// - Throws: The error of a single input; an interruption before the first page; `FileError` if the folder or the
  ///   only page cannot be written, or a page must not be replaced; `CommandError` if only the page of a single input
  ///   was written, and not the overview.
  mutating func run(_ work: WorkContext, _ inputs: [CommandInput]) throws {
    let made = MadeFolders()
    defer { made.removeEmpty() }
    if let folder {
      try made.make(folder, withParents: true)
      try checkPages(in: folder, work.cancellation)
    }
    var names = PageNames()
    for path in self.inputs.paths {
      do {
        let result = try ReportWork(path, baseline, work)
        let name =
          folder == nil
          ? nil : names.name(for: result.review.productIdentifier, result.review.contentVersion)
        if let page = folder.flatMap({ folder in name.map { FileSystem.joined(folder, $0) } })
          ?? (isList ? nil : mainPage)
        {
          try PageOutput.write(to: page, replacing: replaces, ContentPage(result, rules).write)
        }
        results.append(.success(ReportSummary(result, rules, pageName: name)))
        usages.append(result.usage)
      } catch {
        guard isList else { throw error }
        let pages = folder == nil ? [] : summaries.map(\.path)
        let failure = CommandError(
          error, cancellation: work.cancellation, inputs: inputs,
          interruption: Quantity.completed(pages, of: self.inputs.paths.count, "reported"))
        if failure.status.isInterruption {
          guard !pages.isEmpty, work.cancellation.claimMessage() else { throw error }
          lacksOverview = true
        }
        results.append(.failure(failure.findings(about: path)))
        if lacksOverview { return }
      }
    }
    if isList || folder != nil { try writeOverview(work, inputs) }
  }

  /// Writes the overview. Finished pages stay if that fails, like the packages of `create`, so the error names them.
  ///
  /// - Throws: The error, if there is no finished page or only that of a single input.
  private mutating func writeOverview(_ work: WorkContext, _ inputs: [CommandInput]) throws {
    guard let mainPage else { return }
    do {
      try PageOutput.write(to: mainPage, replacing: replaces, OverviewPage(results).write)
    } catch {
      let pages = folder.map { folder in
        summaries.compactMap(\.pageName).map { FileSystem.joined(folder, $0) }
      }
      guard let pages, !pages.isEmpty else { throw error }
      let failure = CommandError(error, cancellation: work.cancellation, inputs: inputs)
      let written = Quantity.completed(pages, of: self.inputs.paths.count + 1, "written")
      let failed = CommandError(failure.status, "\(failure.message); \(written)", path: failure.path)
      guard isList else { throw failed }
      lacksOverview = true
      results.append(.failure(failed))
    }
  }

  /// Checks the names of all pages before the first page is written. Pages of inputs without an identity are checked
  /// when they are written.
  ///
  /// - Throws: `FileError` for a page that must not be replaced; `Interruption`.
  private func checkPages(in folder: String, _ cancellation: Cancellation) throws {
    guard try !DirectoryHandle.open(folder).isEmpty() else { return }
    var names = PageNames()
    var pages = ["index.html"]
    for path in inputs.paths {
      try cancellation.check()
      guard let info = try? ProductInputs.info(of: path, cancellation) else { continue }
      pages.append(names.name(for: info.productIdentifier, info.contentVersion))
    }
    for page in pages {
      try StagedOutput.check(FileSystem.joined(folder, page), replacing: replaces)
    }
  }

  /// The Markdown tables for a pull request.
  var markdown: String { ReportRendering(self).jobSummary.text(below: .max) }

  /// Writes the Markdown tables to a file.
  ///
  /// - Throws: `FileError`.
  func writeMarkdown(to path: String) throws {
    try PageOutput.write(to: path, replacing: replaces) { try $0(markdown) }
  }
}

/// Unique names for the pages in one folder.
private struct PageNames {
  /// The used names, in lower case because some file systems ignore case.
  private var usedNames: Set<String> = ["index"]

  mutating func name(for product: ProductIdentifier?, _ version: ContentVersion?) -> String {
    let product = product?.text ?? "unknown"
    let version = version?.text ?? "unknown"
    var name = product
    var number = 1
    while !usedNames.insert(name.lowercased()).inserted {
      name = number == 1 ? "\(product)-\(version)" : "\(product)-\(version)-\(number)"
      number += 1
    }
    return name + ".html"
  }
}
