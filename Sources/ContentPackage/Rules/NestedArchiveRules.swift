import SafeFiles
import ZipArchive

/// Code in an archive that is itself content, one level deep: an EPUB is content, an app inside is not.
enum NestedArchiveRules {
  /// Whether a file begins like a ZIP archive (APPNOTE 4.3.7, or 4.3.16 for an empty one).
  static func isArchive(_ head: [UInt8]) -> Bool {
    head.starts(with: [0x50, 0x4b, 0x03, 0x04]) || head.starts(with: [0x50, 0x4b, 0x05, 0x06])
  }

  /// How many findings of a rule are told of one archive. Executables are then looked for no more: one is enough to
  /// refuse the content.
  private static let mostFindings = 100

  static func findings(
    for path: EntryPath, in data: EntryData, _ cancellation: Cancellation
  ) throws -> [Finding] {
    var executables: [Finding] = []
    var unseen: [Finding] = []
    var bundles: Set<EntryPath> = []
    do throws(NestedArchive.Failure) {
      try NestedArchive.forEachEntry(of: data, headLength: ContentRecognizer.headLength) { entry in
        let finding = finding(for: entry, in: path, besides: &bundles)
        if let finding, finding.rule == .fileNestedExecutable {
          executables.append(finding)
        } else if let finding, unseen.count < mostFindings {
          unseen.append(finding)
        }
        return executables.count < mostFindings && !cancellation.isCancelled
      }
    } catch {
      switch error {
      case .source(let failure): throw failure
      case .archive(let failure):
        unseen.append(
          Finding(
            .fileNestedArchive, at: path,
            "the archive cannot be looked into to its end (\(failure.message))"))
      }
    }
    try cancellation.check()
    return executables + unseen
  }

  /// What is wrong with an entry; of a bundle it is told once.
  private static func finding(
    for entry: NestedArchive.Entry, in path: EntryPath, besides bundles: inout Set<EntryPath>
  ) -> Finding? {
    if let bundle = entry.path.flatMap(bundle) {
      guard bundles.insert(bundle.place).inserted else { return nil }
      return Finding(
        .fileNestedExecutable, at: path, "contains '\(bundle.place.escaped)', \(bundle.recognition.what)")
    }
    let shown = entry.path?.escaped ?? "an entry without a readable name"
    let code = ContentRecognizer.recognize(head: entry.head.span, size: entry.size)
    if isArchive(entry.head) || code?.rule == .fileNestedArchive {
      return Finding(
        .fileNestedArchive, at: path, "contains '\(shown)', an archive, into which nobody has looked")
    }
    guard let code, code.rule == .fileExecutableCode else { return nil }
    return Finding(.fileNestedExecutable, at: path, "contains '\(shown)', \(code.what)")
  }

  private static func bundle(around path: EntryPath) -> NameRecognizer.Match? {
    let isFolder = path.bytes.last == UInt8(ascii: "/")
    return NameRecognizer.matches(path, isFolder: isFolder).first {
      $0.recognition.rule == .fileExecutableBundle
    }
  }
}
