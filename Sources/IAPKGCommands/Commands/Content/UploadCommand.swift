import ArgumentParser
import ContentPackage
import Conversion
import Delivery
import SafeFiles
import Support

struct UploadCommand: PackageCommand {
  static let configuration = CommandConfiguration(
    commandName: "upload", abstract: "Upload asset packs to App Store Connect, which hosts them.",
    discussion: """
      The folder has the asset packs and archives that iapkg export --pack made. Each changed archive becomes a version \
      of its asset pack. The next run resumes an interrupted upload: .iapkg-uploads.json in the folder records the parts \
      that App Store Connect has received.

      --submit submits the processed versions for review, in submissions of at most ten. --status shows the state of \
      each asset pack, and changes nothing.
      """)

  /// The default of `--wait`, in minutes.
  private static let defaultWait: Int64 = 30
  /// The maximum of `--wait`: a day.
  private static let maximumWait: Int64 = 24 * 60

  @Argument(
    help: ArgumentHelp("The folder of the asset packs.", valueName: "folder"), completion: .directory)
  var folder: String

  @OptionGroup var account: AppStoreAccountOptions

  @Flag(help: "Submit for review the versions that App Store Connect has processed.")
  var submit = false

  @Flag(help: "Show the state of each asset pack in App Store Connect, and change nothing.")
  var status = false

  @Flag(help: "Upload again the archives that App Store Connect rejected.")
  var retry = false

  @Option(
    help: ArgumentHelp(
      "The number of minutes to wait until App Store Connect has processed the versions; 0 does not wait. The default is 30.",
      valueName: "minutes"))
  var wait: Int64?

  @Flag(help: "Show what would be uploaded, and change nothing.")
  var dryRun = false

  @OptionGroup var progress: ProgressOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var report: ReportOptions

  var inputs: [CommandInput] { [CommandInput(folder, .folder)] }
  var interruption: String { "App Store Connect keeps the received parts, and the next run continues" }

  var access: ProcessAccess? {
    var access = ProcessAccess(reading: inputs)
    access.makeFolder(folder)
    AssetPackProject.sourceRoots(in: folder).forEach { access.read($0) }
    access.connect()
    if let key = account.keyFile { access.read(key) }
    return access
  }

  func validate() throws {
    if let name = account.missingOption { throw ValidationError("\(name) is missing") }
    try account.check()
    if status, submit || retry || wait != nil || dryRun {
      throw ValidationError("--status cannot be combined with --submit, --retry, --wait or --dry-run")
    }
    if let wait, !(0...Self.maximumWait).contains(wait) {
      throw ValidationError("--wait is \(wait), expected 0 to \(Self.maximumWait) minutes")
    }
    if submit, wait == 0 || dryRun {
      throw ValidationError(
        "--submit requires processed versions, and cannot be combined with --wait 0 or --dry-run")
    }
  }

  func perform(in context: CommandContext) throws -> ExitStatus {
    let client = try account.client(report.text, isQuiet: report.quiet, context)
    var rendering = UploadRendering(at: folder, waiting: wait != 0 && !dryRun)
    try progress.showing(report.text, in: context) { work in
      let uploader = try AssetPackUploader(client, app: account.app ?? "", folder: folder, context: work)
      let project = try HostingWork.validProject(folder, work.cancellation)
      let packs = try AssetPackArchives.uploads(of: project, work.cancellation)
      rendering.results = try packs.map { pack in
        guard !status else { return try uploader.status(of: pack) }
        return try uploader.upload(
          pack, waiting: (wait ?? Self.defaultWait) * 60, repeatingFailed: retry, dryRun: dryRun)
      }
      if submit {
        rendering.submissions = try uploader.submit(packs, &rendering.results)
      }
    }
    report.render(rendering.document, on: context.console) { rendering.lines }
    for problem in rendering.problems { report.text.warn(problem, on: context.console) }
    return rendering.status
  }
}
