import ContentPackage
import Conversion
import SafeFiles
import Support

/// The work of `import` for on-demand resources.
struct OnDemandImport {
  /// The asset packs of an import.
  struct ImportedPacks {
    let resources: OnDemandResources
    let packs: [OnDemandImporter.Pack]
    /// The findings that are not ignored.
    let findings: [Finding]
  }

  private let command: ImportCommand
  private let source: String
  private let process: CommandContext
  private let folder: String

  init(_ command: ImportCommand, _ source: String, _ process: CommandContext) {
    self.command = command
    self.source = source
    self.process = process
    folder = command.folder ?? "."
  }

  func run() throws -> ExitStatus {
    try ContentFolderCheck.check(folder)
    try StagedFolder.check(folder)
    let report = command.report
    let imported = try command.progress.showing(
      report.text, in: process, limits: command.work.limits, jobs: command.work.jobs
    ) { try make($0) }
    report.render(imported.findings, showingAll: command.rules.all, on: process.console)
    command.rules.noteUnused(imported.packs.flatMap(\.findings), report.text, on: process.console)
    let rendering = OnDemandRendering(imported, at: folder, isDryRun: command.dryRun)
    report.render(rendering.document, on: process.console) { rendering.lines }
    return .success
  }

  private func make(_ context: WorkContext) throws -> ImportedPacks {
    let resources = try command.onDemand.read(source, target: command.target, context.cancellation)
    let importer = OnDemandImporter(context)
    let packs = try importer.packs(resources)
    let findings = command.rules.unignored(packs.flatMap { $0.findings.about($0.identifier.text) })
    guard !command.rules.reject(findings) else {
      throw CommandError(
        CommandError.status(of: findings), "the on-demand resources were not imported", path: source,
        findings: findings)
    }
    guard !packs.isEmpty else {
      throw CommandError(
        .invalid,
        "no file has a tag of on-demand resources, so there are no asset packs to make\(losses(of: resources))",
        path: source)
    }
    if !command.dryRun { try importer.write(packs, for: resources.platforms, to: folder) }
    return ImportedPacks(resources: resources, packs: packs, findings: findings)
  }

  private func losses(of resources: OnDemandResources) -> String {
    resources.losses.isEmpty ? "" : "; \(resources.losses.joined(separator: "; "))"
  }
}
