import ArgumentParser
import Delivery
import SafeFiles
import Support

struct TrustShowCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show the keys of a store, and the signatures that a draft lacks.")
  static let reportName = "trust show"

  @OptionGroup var target: TrustTargetOptions

  @Option(
    help: ArgumentHelp(
      "Write the draft's payload, which is the text to sign, to this file.", valueName: "file"),
    completion: .file())
  var payload: String?

  @OptionGroup var replacing: ReplaceOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var report: ReportOptions

  var access: ProcessAccess? {
    var access = target.access()
    if let store = target.to { access.read(store: store) }
    if let payload { access.output(payload) }
    return access
  }
  var settingsFolders: [String] { ["."] }
  var outputs: [String] { [payload].compactMap(\.self) }

  func validate() throws {
    if !target.signWith.isEmpty { throw ValidationError("trust show signs nothing; use iapkg trust sign") }
    if replacing.force, payload == nil { throw ValidationError("--force requires --payload") }
    try PackageOutput.check(payload, report, isDryRun: false)
  }

  func perform(in context: CommandContext) throws -> ExitStatus {
    let store = try target.store()
    let destination = try payload.map {
      // The store may be that of the settings.
      try ProtectedInputs(StoreLocation.documents(of: store)).check($0)
      return try context.regularDestination(of: $0, replacing: replacing.force)
    }
    let state = try target.editor(of: store, isReading: true, context).state()
    guard state.catalog != nil || state.newest != nil || state.draft != nil else {
      throw PublishingError.noCatalog(store: store)
    }
    if let destination {
      guard let draft = state.draft else { throw TrustError.noTrustDraft(store: store) }
      var output = try StagedOutput.create(at: destination)
      try output.write(unsafe draft.payload.borrowedSpan.bytes)  // UInt8 has no padding
      try output.commit()
    }
    let rendering = TrustRendering(state, nil, command: Self.reportName, store: store)
    report.render(rendering.document, on: context.console) { rendering.lines }
    return .success
  }
}
