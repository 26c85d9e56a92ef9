import ArgumentParser
import ContentPackage
import Delivery
import Installation
import SafeFiles
import Support
import SystemPackage
import ZipArchive

/// The error that ends a command: its exit code and its message.
struct CommandFailure: Error {
  let status: ExitStatus
  /// One sentence, safe to print: what was found, what was expected, what to do.
  let message: String
  /// Safe to print.
  let path: String?
  /// The findings that caused the error.
  let findings: [Finding]

  init(_ status: ExitStatus, _ message: String, path: String? = nil, findings: [Finding] = []) {
    self.status = status
    self.message = String(displaying: message.utf8)
    self.path = path.map { String(displaying: $0.utf8) }
    self.findings = findings
  }

  /// Gives any error its exit code and message. For a missing one of `inputs`, the message has a suggestion.
  init(_ error: any Error, cancellation: Cancellation, inputs: [CommandInput]) {
    let error = (error as? SourceError)?.underlying ?? error
    switch error {
    case let failure as CommandFailure: self = failure
    case let mistake as ValidationError: self.init(.usage, mistake.message)
    case let failure as FileFailure: self.init(failure, inputs)
    case _ where error is Interruption || (error as? StoreFailure)?.reason == .cancelled:
      self.init(ExitStatus(endedBySignal: cancellation.signal), "interrupted; nothing was changed")
    case let error as SourceError: self.init(error)
    case let large as PackageTooLarge:
      self.init(
        .rejected, "the package would have \(large.bytes) bytes, expected at most \(large.limit)")
    case let busy as DocumentsBusy:
      self.init(
        .busy,
        "another iapkg is using \(busy.path); try again when it has finished, or use --wait", path: busy.path)
    case let busy as InputBusy:
      self.init(
        .busy, "another process is changing \(busy.path); try again when it is done", path: busy.path)
    case let refusal as InstallationRefusal: self.init(refusal)
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
    case let failure as CompressionFailure: self.init(failure)
    case let refusal as ComparisonRefusal: self.init(refusal)
    case let output as OutputInSource:
      self.init(
        .cannotCreate,
        "the package would lie in the folder that it is made of, and become a part of the next one; "
          + "name a place outside of it with --output", path: output.path)
    case let refusal as PackageEditor.Refusal: self.init(refusal)
    default:
      self = CommandFailure(delivery: error) ?? CommandFailure(.internalError, "unexpected error: \(error)")
    }
  }

  init(_ failure: FileFailure, _ inputs: [CommandInput] = []) {
    let isTaken = failure.operation == .create && failure.errno == .fileExists
    let isMissing = failure.operation == .open && failure.errno == .noSuchFileOrDirectory
    let input = isMissing ? inputs.first { String(displaying: $0.path.utf8) == failure.path } : nil
    let message =
      isTaken
      ? "\(failure.path) exists; use --force to replace it" : failure.description + (input?.hint ?? "")
    self.init(Self.status(of: failure), message, path: failure.path)
  }

  init(_ error: SourceError) {
    switch error {
    case .file(let failure): self.init(failure)
    case .endedEarly(let name): self.init(.inputOutput, error.description, path: name)
    case .changed(let name):
      self.init(
        .inputOutput, "\(name) changed while it was read; try again when no other program writes to it",
        path: name)
    case .transport(let error):
      self = CommandFailure(delivery: error) ?? CommandFailure(.internalError, "unexpected error: \(error)")
    }
  }

  private init(_ failure: CompressionFailure) {
    switch failure {
    case .file(let error): self.init(error)
    case .length: self.init(.inputOutput, "a file changed while it was compressed; try again")
    case .archive(let failure): self.init(.internalError, failure.description)
    case .layout: self.init(.internalError, "libarchive wrote an archive that cannot be read")
    }
  }

  private init(_ refusal: PackageEditor.Refusal) {
    switch refusal {
    case .notHigher(let wanted, let present):
      self.init(
        .rejected,
        "version \(wanted) is not higher than the current version \(present); use --force to set it anyway"
      )
    case .cannotBeRaised(let present):
      self.init(.rejected, "that number of version \(present) is the largest possible; use --to")
    case .noManifest:
      self.init(.rejected, "the package has no readable ContentInfo.plist at its root")
    case .unsound(let findings):
      self.init(Self.status(of: findings), "the version was not changed", findings: findings)
    }
  }

  private init(_ refusal: ComparisonRefusal) {
    switch refusal {
    case .unidentified(let path):
      self.init(
        .rejected, "\(path) has no product identifier or version; see iapkg validate", path: path)
    case .otherProduct(let path, let product, let expected):
      self.init(
        .rejected, "the published package is of the product \(product), expected \(expected)", path: path)
    }
  }

  /// 65 if the input cannot be read at all, and 1 otherwise.
  static func status(of findings: [Finding]) -> ExitStatus {
    let damage: [Rule] = [.archiveNotAZip, .archiveTruncated, .manifestUnreadable]
    return findings.contains { damage.contains($0.rule) } ? .notAPackage : .rejected
  }

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
