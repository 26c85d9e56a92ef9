import SafeFiles
import Support
import ZipArchive

/// The rules on code in an archive inside the content, one level deep. An EPUB is content, but an app inside it is not.
enum NestedArchiveRules {
  /// Returns whether `head` starts with the signature of a ZIP archive.
  static func isArchive(_ head: [UInt8]) -> Bool {
    ContentRecognizer.recognize(FileExcerpt(head: head, size: Int64(head.count))).contains { $0.kind == .zip }
  }

  static func findings(
    for path: EntryPath, in data: any ByteSource, _ cancellation: Cancellation
  ) throws -> [Finding] {
    var inspector = ArchiveInspector(archive: path)
    do throws(NestedArchive.ReadingError) {
      try NestedArchive.forEachEntry(of: data, headLength: { inspector.headLength(of: $0) }) { entry in
        inspector.inspect(entry)
        return !inspector.isFull && !cancellation.isCancelled
      }
    } catch {
      switch error {
      case .source(let error): throw error
      case .archive(let reason): inspector.addReadingError(reason)
      }
    }
    try cancellation.check()
    return inspector.bundles + inspector.errors + inspector.warnings
  }
}

/// Checks the entries of one archive.
private struct ArchiveInspector {
  /// The maximum number of findings of one severity for one archive. The check of the archive ends after this number of
  /// errors, because one error is enough to reject the content.
  private static let maximumFindingCount = 100
  /// The maximum number of `Info.plist` files that are read.
  private static let maximumInfoPlistCount = 256

  let archive: EntryPath
  private(set) var errors: [Finding] = []
  private(set) var warnings: [Finding] = []
  private var evidence = BundleEvidence()
  private var infoPlists = 0
  /// The items that already have a finding.
  private var known: Set<EntryPath> = []

  init(archive: EntryPath) { self.archive = archive }

  /// Whether the rest of the archive need not be checked.
  var isFull: Bool { errors.count >= Self.maximumFindingCount || evidence.count >= Self.maximumFindingCount }

  /// Returns the number of leading bytes to read of an entry.
  func headLength(of path: EntryPath?) -> Int {
    let isRead = path?.name == BundleEvidence.infoPlist.bytes[...] && infoPlists < Self.maximumInfoPlistCount
    return isRead ? Int(BundleEvidence.maximumInfoPlistSize) : FileExcerpt.headLength
  }

  /// The findings about bundles.
  var bundles: [Finding] {
    evidence.bundles.map { path, description in
      Finding(.fileNestedExecutable, at: archive, "contains '\(path.shown)', \(description)")
    }
  }

  mutating func inspect(_ entry: NestedArchive.Entry) {
    if let path = entry.path { inspectName(path, isFolder: entry.isFolder) }
    guard !entry.isFolder else { return }
    let file = FileExcerpt(head: Array(entry.head.prefix(FileExcerpt.headLength)), size: entry.size)
    for recognition in ContentRecognizer.recognize(file) { add(recognition, entry) }
    if let path = entry.path, let macros = OfficeMacros.recognize(path, entry.head) { add(macros, entry) }
    if let path = entry.path, let source = NameRecognizer.source(path, file.head) { add(source, entry) }
    guard let path = entry.path, path.name == BundleEvidence.infoPlist.bytes[...] else { return }
    infoPlists += 1
    guard let executable = BundleEvidence.executable(inInfoPlist: entry.head) else { return }
    evidence.add(executable: executable, namedBy: path)
  }

  mutating func addReadingError(_ reason: String) {
    let message = "the archive cannot be checked to its end (\(reason))"
    warnings.insert(Finding(.fileNestedArchive, at: archive, message), at: 0)
  }

  /// Adds the findings about a name. Junk in an archive is accepted.
  private mutating func inspectName(_ path: EntryPath, isFolder: Bool) {
    if !isFolder { evidence.add(file: path) }
    for match in NameRecognizer.matches(path, isFolder: isFolder) where match.recognition.kind != .junk {
      guard warnings.count < Self.maximumFindingCount, let rule = match.recognition.rule(),
        known.insert(match.path).inserted
      else { continue }
      let message = "contains '\(match.path.shown)', whose name is that of \(match.recognition.formatName)"
      warnings.append(Finding(rule, at: archive, severity: match.recognition.severity, message))
    }
  }

  /// Adds a finding about the bytes.
  private mutating func add(_ recognition: Recognition, _ entry: NestedArchive.Entry) {
    guard let rule = recognition.ruleInside(isExecutable: entry.isExecutable) else { return }
    let shown = entry.path.map { "'\($0.shown)'" } ?? "an entry without a readable name"
    let message = "contains \(shown), \(recognition.formatName)"
    switch rule {
    case .fileNestedExecutable:
      if let path = entry.path { evidence.add(codeAt: path) }
      errors.append(Finding(rule, at: archive, message))
    case _ where recognition.kind == .privateKey: errors.append(Finding(rule, at: archive, message))
    case _ where warnings.count >= Self.maximumFindingCount: break
    case .fileNestedArchive:
      warnings.append(Finding(rule, at: archive, message + ", which is nested too deeply to be checked"))
    default:
      warnings.append(Finding(rule, at: archive, severity: recognition.severity, message))
    }
  }
}

extension EntryPath {
  /// The path as text that is safe to print. A long path is shortened to its end, because a name in an archive may have
  /// 64 KiB.
  fileprivate var shown: String {
    let maximumByteCount = 256
    return bytes.count <= maximumByteCount
      ? escaped : "…" + EntryPath(bytes: bytes.suffix(maximumByteCount)).escaped
  }
}

extension Recognition {
  /// Returns the rule that a file of this format breaks inside an archive or stream. Code breaks the rule on nested code,
  /// and a nested archive or stream breaks the rule on archives that cannot be checked.
  func ruleInside(isExecutable: Bool) -> Rule? {
    switch kind {
    case .zip, .stream: .fileNestedArchive
    default: rule(isExecutable: isExecutable).map { $0 == .fileExecutableCode ? .fileNestedExecutable : $0 }
    }
  }
}
