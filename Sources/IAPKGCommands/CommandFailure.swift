import ContentPackage
import SafeFiles
import SystemPackage
import ZipArchive

/// Why a command ends without its result, in the words and with the exit code that the user gets.
struct CommandFailure: Error {
  let status: ExitStatus
  /// One sentence, safe to print: what was found, what was expected, what to do.
  let message: String
  /// Safe to print.
  let path: String?
  /// The findings that made the command fail.
  let findings: [Finding]

  init(_ status: ExitStatus, _ message: String, path: String? = nil, findings: [Finding] = []) {
    self.status = status
    self.message = String(displaying: message.utf8)
    self.path = path.map { String(displaying: $0.utf8) }
    self.findings = findings
  }

  /// Gives any error of the library its exit code and words; of a missing one of `inputs` it says what was meant.
  init(_ error: any Error, cancellation: Cancellation, inputs: [CommandInput]) {
    switch error {
    case let failure as CommandFailure: self = failure
    case let failure as FileFailure: self.init(failure, inputs)
    case is Interruption:
      let isTermination = cancellation.signal == Self.terminationSignal
      self.init(isTermination ? .terminated : .interrupted, "interrupted; nothing was changed")
    case let changed as SourceChanged:
      self.init(
        .inputOutput, "\(changed.path) changed while it was read; try again when nobody writes to it",
        path: changed.path)
    case let large as PackageTooLarge:
      self.init(
        .rejected, "the package would have \(large.bytes) bytes, expected at most \(large.limit)")
    case let busy as DocumentsBusy:
      self.init(.busy, "another iapkg is at work in \(busy.path); try again when it is done", path: busy.path)
    case let refusal as InstallationRefusal: self.init(refusal)
    case let record as RecordUnreadable:
      self.init(
        .inputOutput,
        "\(record.path) is damaged, or of a later iapkg: update iapkg, or move the record away and install the "
          + "product again with --force", path: record.path)
    case let unsound as UnsoundArchive:
      self.init(
        Self.status(of: unsound.findings),
        "\(unsound.path) is not sound, so nothing it says can be relied on",
        path: unsound.path, findings: unsound.findings)
    case let failure as CompressionFailure: self.init(failure)
    case let refusal as PackageEditor.Refusal: self.init(refusal)
    default: self.init(.internalError, "unexpected error: \(error)")
    }
  }

  private init(_ failure: FileFailure, _ inputs: [CommandInput] = []) {
    let isTaken = failure.operation == .create && failure.errno == .fileExists
    let isMissing = failure.operation == .open && failure.errno == .noSuchFileOrDirectory
    let input = isMissing ? inputs.first { String(displaying: $0.path.utf8) == failure.path } : nil
    let message =
      isTaken
      ? "\(failure.path) exists; use --force to replace it" : failure.description + (input?.hint ?? "")
    self.init(Self.status(of: failure), message, path: failure.path)
  }

  private init(_ failure: CompressionFailure) {
    switch failure {
    case .file(let failure): self.init(failure)
    case .length: self.init(.inputOutput, "a file changed while it was compressed; try again")
    case .archive(let failure): self.init(.internalError, failure.description)
    case .layout: self.init(.internalError, "libarchive wrote an archive that cannot be read")
    }
  }

  private init(_ refusal: PackageEditor.Refusal) {
    switch refusal {
    case .notHigher(let wanted, let present):
      self.init(
        .rejected, "version \(wanted) is not above the present \(present); use --force to set it all the same"
      )
    case .cannotBeRaised(let present):
      self.init(.rejected, "the part of version \(present) is the largest number there is; use --to")
    case .noManifest:
      self.init(.rejected, "the package has no readable ContentInfo.plist at its root")
    case .unsound(let findings):
      self.init(Self.status(of: findings), "the version cannot be changed", findings: findings)
    }
  }

  /// What cannot be read at all is 65, what can be read and is refused is 1.
  static func status(of findings: [Finding]) -> ExitStatus {
    let damage: [Rule] = [.archiveNotAZip, .archiveTruncated, .manifestUnreadable]
    return findings.contains { damage.contains($0.rule) } ? .notAPackage : .rejected
  }

  private static let terminationSignal: Int32 = 15  // SIGTERM on every system

  private static func status(of failure: FileFailure) -> ExitStatus {
    switch failure.errno {
    case .noSpace, .diskQuotaExceeded, .ioError, .fileTooLarge:
      return .inputOutput
    default: break
    }
    switch failure.operation {
    case .open, .list, .inspect: return .noInput
    case .create, .rename, .lock: return .cannotCreate
    case .read, .write, .remove, .synchronize: return .inputOutput
    }
  }
}
