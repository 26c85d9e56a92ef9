import SafeFiles
import Support
import ZipArchive

/// The result of inspecting one file.
struct FileInspection: Sendable {
  let findings: [Finding]
  /// The path of the file and the executable that it names; nil unless the file is an `Info.plist` that names one.
  var executable: (infoPlist: EntryPath, name: String)?

  /// Whether the inspection found nothing.
  var isEmpty: Bool { findings.isEmpty && executable == nil }

  init(findings: [Finding]) { self.findings = findings }

  /// The rules that both the name and the bytes of a file can break.
  private static let rulesOnNames: Set<Rule> = [.fileScript, .filePossibleCode, .fileSecret]

  /// Returns whether the content of a file breaks the rule that its name breaks.
  func confirmsName(of file: ContentItem) -> Bool {
    guard findings.contains(where: { Self.rulesOnNames.contains($0.rule) }),
      let rule = NameRecognizer.finding(at: file.path, isFolder: false)?.rule
    else { return false }
    return Self.rulesOnNames.contains(rule) && findings.contains { $0.rule == rule }
  }
}

/// Inspects files for code, secrets and other data that content should not have.
struct ContentInspector {
  let cancellation: Cancellation

  /// Inspects the excerpt of a file, and all bytes of an archive, a compressed stream or an `Info.plist`.
  func inspect(
    _ item: ContentItem, _ excerpt: FileExcerpt, bytes: () throws -> any ByteSource
  ) throws -> FileInspection {
    let isExecutable = item.permissions.map { $0 & 0o111 != 0 } ?? false
    var findings: [Finding] = []
    let source = NameRecognizer.source(item.path, excerpt.head)
    for recognition in ContentRecognizer.recognize(excerpt) + [source].compactMap(\.self) {
      if let rule = recognition.rule(isExecutable: isExecutable) {
        let isMarked = rule == .fileExecutableCode && recognition.kind != .code
        let mark = isMarked ? ", and is marked as executable" : ""
        findings.append(
          Finding(
            rule, at: item.path, severity: recognition.severity, "contains \(recognition.formatName)\(mark)"))
      }
      switch recognition.kind {
      case .zip: findings += try archiveFindings(item, excerpt, try bytes())
      case .stream(let method):
        findings += try NestedStreamRules.findings(
          for: item.path, in: try bytes(), method, recognition.formatName)
      default: break
      }
    }
    var inspection = FileInspection(findings: findings)
    if item.path.name == BundleEvidence.infoPlist.bytes[...], item.size <= BundleEvidence.maximumInfoPlistSize
    {
      let isComplete = excerpt.head.count == item.size
      let plist = isComplete ? excerpt.head : try bytes().bytes(at: 0, count: Int(item.size))
      inspection.executable = BundleEvidence.executable(inInfoPlist: plist).map { (item.path, $0) }
    }
    return inspection
  }

  /// Returns the findings in the archives that end in a file, or in the whole file if none does. An archive that ends
  /// in the file is read without its comment, because libarchive does not find an end record before a long comment.
  private func archiveFindings(
    _ item: ContentItem, _ excerpt: FileExcerpt, _ data: any ByteSource
  ) throws -> [Finding] {
    let ends = FileEnd.archiveEnds(excerpt)
    let archives = ends.isEmpty ? [data] : ends.map { data.part(0..<min($0, data.byteCount)) }
    var findings: [Finding] = []
    for archive in archives {
      findings += try NestedArchiveRules.findings(for: item.path, in: archive, cancellation)
    }
    return findings
  }
}
