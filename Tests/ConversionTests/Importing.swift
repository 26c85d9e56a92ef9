import ContentPackage
import PackageForge
import SafeFiles
import Testing
import ZipArchive

@testable import Conversion

/// Imports content from memory, without packing it.
enum Importing {
  static func open(_ bytes: [UInt8], _ limits: Limits = Limits()) throws -> ImportedContent {
    try ContentImporter(context: WorkContext(limits: limits, jobs: 1))
      .open(MemoryBytes(bytes), spoolFolder: FileSystem.temporaryFolder)
  }

  static func review(_ installer: ForgedInstaller, _ limits: Limits = Limits()) throws -> ContentReview {
    try PackageBuilder(context: WorkContext(limits: limits, jobs: 1)).review(open(installer.bytes(), limits))
  }

  /// Returns the rules of the errors in a payload.
  static func errors(_ payload: ForgedPayload, _ limits: Limits = Limits()) throws -> [String] {
    try review(ForgedInstaller(payload), limits).findings.filter { $0.severity == .error }
      .map { "\($0.rule.rawValue) \($0.path?.escaped ?? "")" }
  }

  /// Returns why an import fails; nil if it succeeds.
  static func refusal(_ bytes: [UInt8]) throws -> String? {
    do {
      _ = try open(bytes)
      return nil
    } catch ConversionError.damaged(_, let reason) {
      return reason
    }
  }

  static func refusal(_ installer: ForgedInstaller) throws -> String? { try refusal(installer.bytes()) }

  static func refusal(_ payload: ForgedPayload) throws -> String? { try refusal(ForgedInstaller(payload)) }

  static func text(_ content: ImportedContent, _ path: String) throws -> String? {
    guard let item = content.source.items.first(where: { $0.path == EntryPath(path) }) else { return nil }
    return String(decoding: try content.source.bytes(of: item), as: UTF8.self)
  }
}
