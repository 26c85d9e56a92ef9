import ArgumentParser
import ContentPackage
import Delivery
import Installation
import SafeFiles
import Settings
import Support
import SystemPackage
import ZipArchive

/// The error that ends a command: its exit code and its message.
struct CommandError: Error {
  let status: ExitStatus
  /// One sentence, safe to print and without the secrets of addresses: the finding, the expectation, and the remedy.
  let message: String
  /// The path that the error is about, safe to print.
  let path: String?
  /// The findings that caused the error.
  let findings: [Finding]

  init(_ status: ExitStatus, _ message: String, path: String? = nil, findings: [Finding] = []) {
    self.status = status
    self.message = String(displaying: message.utf8).hidingSecretsOfAddresses
    self.path = path.map { String(displaying: $0.utf8).hidingSecretsOfAddresses }
    self.findings = findings
  }

  /// Creates the error of a command that stops if any of several packages has an error; nil for no errors.
  ///
  /// - Parameters:
  ///   - errors: The errors of the packages.
  ///   - pastParticiple: The past participle of the action that failed, such as `published`.
  ///   - state: The state that the command leaves; empty if it needs no mention.
  init?(_ errors: [CommandError], cannotBe pastParticiple: String, leaving state: String = "") {
    guard let first = errors.first else { return nil }
    guard errors.count > 1 else {
      self = first
      return
    }
    let messages = errors.map(\.message).joined(separator: "; ")
    self.init(
      first.status,
      "\(Quantity.count(errors.count, "package")) cannot be \(pastParticiple): \(messages)"
        + (state.isEmpty ? "" : "; \(state)"),
      path: first.path, findings: errors.flatMap(\.findings))
  }

  /// Returns this error with findings that name `input`.
  func findings(about input: String) -> CommandError {
    CommandError(status, message, path: path, findings: findings.about(input))
  }

  /// Creates the exit code and message of any error. For a missing path among `inputs`, the message has a suggestion.
  ///
  /// `interruption` is the state that an interruption leaves, for the message.
  init(
    _ error: any Error, cancellation: Cancellation, inputs: [CommandInput],
    interruption: String = "nothing was changed"
  ) {
    let error = (error as? SourceError)?.underlying ?? error
    switch error {
    case let error as CommandError: self = error
    case let error as ValidationError: self.init(.usage, error.message)
    case _ where Self.isInterruption(error):
      let leftovers = cancellation.leftovers.map { "; the next run removes the unfinished files in \($0)" }
      self.init(
        ExitStatus(endedBySignal: cancellation.signal),
        "interrupted; \(interruption)" + leftovers.joined())
    case let error as FileError: self.init(error, inputs)
    case let error as SourceError: self.init(error)
    case let large as PackageTooLarge:
      self.init(
        .invalid, "the package would have \(large.bytes) bytes, expected at most \(large.limit)")
    case let busy as DocumentsBusy:
      self.init(
        .busy,
        "another iapkg is using \(busy.path); try again when it has finished, or use --wait", path: busy.path)
    case let busy as InputBusy:
      self.init(
        .busy, "another process is changing \(busy.path); try again when it has finished", path: busy.path)
    case let error as InstallationError: self.init(error)
    case let record as RecordUnreadable:
      self.init(
        .inputOutput,
        "\(record.path) is damaged, or was written by a newer iapkg; update iapkg, or move the record away and "
          + "install the product again with --force", path: record.path)
    case let unsound as UnsoundArchive:
      self.init(
        Self.status(of: unsound.findings),
        "\(unsound.path) is not a valid package; iapkg validate shows all findings",
        path: unsound.path, findings: unsound.findings)
    case let found as InstallerPackageFound:
      self.init(
        .notAPackage,
        "\(found.path) is an installer package made by Xcode (a xar archive), which iapkg import converts",
        path: found.path)
    case let error as CompressionError: self.init(error)
    case let error as ComparisonError: self.init(error)
    case let nothing as AllContentExcluded:
      self.init(
        .configuration,
        "no item of \(nothing.path) remains: exclude and .iapkgignore exclude \(Quantity.excluded(nothing.excluded)); "
          + "iapkg config shows the patterns", path: nothing.path)
    case let conflict as OutputConflict: self.init(conflict)
    case is ContentError:
      self.init(
        .inputOutput, "an input changed while it was read; try again when no other program writes to it")
    case let error as PackageEditor.EditingError: self.init(error)
    case let error as SettingsError:
      self.init(.configuration, "\(error.location): \(error.message)", path: error.location.path)
    default:
      self =
        CommandError(delivery: error) ?? CommandError(conversion: error)
        ?? CommandError(.internalError, "unexpected error: \(error)")
    }
  }

  /// Returns whether an error is the end of cancelled work.
  private static func isInterruption(_ error: any Error) -> Bool {
    switch error {
    case is Interruption: true
    case let error as FileError: error.errno == .canceled
    case let error as StoreError: error.reason == .cancelled
    default: false
    }
  }

  init(_ error: FileError, _ inputs: [CommandInput] = []) {
    if let folder = error.missingTemporaryFolder {
      self.init(
        .cannotCreate,
        "TMPDIR is \(folder), which is not a folder; set it to a folder for temporary files, or unset it",
        path: folder)
      return
    }
    guard !error.isDeniedBySandbox else {
      self.init(
        .inputOutput,
        "\(error.path) was replaced after iapkg started, and the sandbox allows only the item that was there; try again, "
          + "or use --no-sandbox if it was not replaced",
        path: error.path)
      return
    }
    let outputExists = error.operation == .create && error.errno == .fileExists
    let isMissing = error.operation == .open && error.errno == .noSuchFileOrDirectory
    let input = isMissing ? inputs.first { String(displaying: $0.path.utf8) == error.path } : nil
    let message =
      outputExists
      ? "\(error.path) exists; use --force to replace it"
      : error.readOnlyFolder.map { "\($0) is read-only; allow yourself to write to it with chmod u+w" }
        ?? error.stickyFolder.map {
          "\($0) has the sticky bit, so only the owner of a file in it may replace or delete that file; the owner of the "
            + "folder can remove the bit with chmod -t"
        }
        ?? error.description + (input?.hint ?? "") + error.streamHint(inputs)
    self.init(Self.status(of: error), message, path: error.path)
  }

  init(_ error: SourceError) {
    switch error {
    case .file(let error): self.init(error)
    case .endedEarly(let name): self.init(.inputOutput, error.description, path: name)
    case .changed(let name):
      self.init(
        .inputOutput, "\(name) changed while it was read; try again when no other program writes to it",
        path: name)
    case .transport(let error):
      self = CommandError(delivery: error) ?? CommandError(.internalError, "unexpected error: \(error)")
    }
  }

  private init(_ error: CompressionError) {
    switch error {
    case .outOfMemory: self.init(.internalError, "there is not enough memory to compress a file")
    case .unexpectedStream: self.init(.internalError, "libdeflate made a stream that zlib cannot read")
    }
  }

  /// Creates the exit code and message of a version that was not changed, of the input at a path if it is known.
  init(_ error: PackageEditor.EditingError, of path: String? = nil) {
    var (status, findings) = (ExitStatus.invalid, [Finding]())
    let reason: String
    switch error {
    case .notHigher(let wanted, let current):
      reason =
        "version \(wanted) is not higher than the current version \(current); use --force to set it anyway"
    case .cannotBeRaised(let current):
      reason = "the number to raise in version \(current) has its maximum; use --to"
    case .noManifest: reason = "the package has no readable ContentInfo.plist at its root"
    case .unsound(let errors):
      (status, findings) = (Self.status(of: errors), errors)
      reason = "the version was not changed"
    }
    self.init(status, (path.map { "\($0): " } ?? "") + reason, path: path, findings: findings)
  }

  private init(_ error: ComparisonError) {
    switch error {
    case .unidentified(let path):
      self.init(
        .invalid, "\(path) has no product identifier or version; see iapkg validate", path: path)
    case .otherProduct(let path, let product, let expected):
      self.init(
        .invalid, "the published package belongs to the product \(product), expected \(expected)", path: path)
    }
  }

  private init(_ conflict: OutputConflict) {
    switch conflict {
    case .replacesInput(let path, let input):
      let name =
        path == input ? "an input" : input == StandardInput.path ? "standard input" : "the input \(input)"
      self.init(.cannotCreate, "\(path) is \(name), which is never replaced; name another output", path: path)
    case .isInsideInput(let path, let input):
      self.init(
        .cannotCreate,
        "\(path == input ? "the output" : path) would lie in \(input), which is read, and become a part of its content; "
          + "name an output outside of it",
        path: path)
    case .containsInput(let path, let input):
      self.init(
        .cannotCreate,
        "\(path) contains the input \(input), and is never replaced; name another output, or move the input",
        path: path)
    }
  }

  /// Returns the exit code for findings: 65 if the input is unreadable, 1 otherwise.
  static func status(of findings: [Finding]) -> ExitStatus {
    let unreadable: [Rule] = [.archiveNotAZip, .archiveTruncated, .manifestUnreadable]
    return findings.contains { unreadable.contains($0.rule) } ? .notAPackage : .invalid
  }

  private static func status(of error: FileError) -> ExitStatus {
    switch error.errno {
    // These errors concern the system's resources, not the named path.
    case .noSpace, .diskQuotaExceeded, .ioError, .fileTooLarge, .tooManyOpenFiles, .tooManyOpenFilesInSystem,
      .noMemory:
      return .inputOutput
    default: break
    }
    switch error.operation {
    case .open, .list, .inspect: return .noInput
    case .create, .rename, .lock: return .cannotCreate
    case .read, .write, .remove, .synchronize: return .inputOutput
    }
  }
}

extension FileError {
  /// Returns a hint to use `-` for a pipe that was given as a package; empty for other errors.
  fileprivate func streamHint(_ inputs: [CommandInput]) -> String {
    guard operation == .open, detail?.hasPrefix("it is a fifo") == true,
      inputs.contains(where: { $0.takesStandardInput && String(displaying: $0.path.utf8) == path })
    else { return "" }
    return "; use \(StandardInput.path) for standard input"
  }

  /// The path in TMPDIR, if it is not a folder and caused the error; nil otherwise.
  fileprivate var missingTemporaryFolder: String? {
    guard let folder = ProcessEnvironment.value("TMPDIR"),
      [folder, SpoolFile.name(in: folder)].contains(where: { path == String(displaying: $0.utf8) }),
      (try? FileSystem.kind(of: folder)) != .folder
    else { return nil }
    return folder
  }

  /// The folder whose sticky bit prevents this user from replacing or deleting a file of another user.
  fileprivate var stickyFolder: String? {
    guard errno == .notPermitted, [.rename, .remove].contains(operation) else { return nil }
    let folder = FileSystem.folder(of: path)
    guard let status = try? FileSystem.status(of: folder, followingLinks: true),
      status.permissions & 0o1000 != 0
    else { return nil }
    return folder
  }

  /// Whether the system denied opening an item that the file permissions allow this process to read. A sandbox rule
  /// applies to an item, not to a later item with the same name.
  fileprivate var isDeniedBySandbox: Bool {
    errno == .permissionDenied && operation == .open && FileSystem.mayRead(path)
  }

  /// The read-only folder of this user that prevents the operation: the item itself or its parent folder.
  fileprivate var readOnlyFolder: String? {
    guard errno == .permissionDenied, [.rename, .create, .remove].contains(operation) else { return nil }
    return [path, FileSystem.folder(of: path)].first { folder in
      guard let status = try? FileSystem.status(of: folder, followingLinks: true) else { return false }
      return status.kind == .folder && status.isOwnedAndReadOnly
    }
  }
}
