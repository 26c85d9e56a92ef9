import ZipArchive

/// Code in an archive that is itself content, one level deep: an EPUB is content, an app inside is not.
enum NestedArchiveRules {
  /// Whether a file begins like a ZIP archive (APPNOTE 4.3.7, or 4.3.16 for an empty one).
  static func isArchive(_ head: [UInt8]) -> Bool {
    head.starts(with: [0x50, 0x4b, 0x03, 0x04]) || head.starts(with: [0x50, 0x4b, 0x05, 0x06])
  }

  static func findings(for path: EntryPath, in data: EntryData) -> [Finding] {
    var findings: [Finding] = []
    var bundles: Set<EntryPath> = []
    do throws(ArchiveFailure) {
      try NestedArchive.forEachEntry(of: data, headLength: ContentRecognizer.headLength) { entry in
        if let name = entry.path, let bundle = bundle(around: name) {
          guard bundles.insert(bundle.place).inserted else { return }
          let shown = bundle.place.escaped
          findings.append(
            Finding(.fileNestedExecutable, at: path, "contains '\(shown)', \(bundle.recognition.what)"))
        } else if let code = ContentRecognizer.recognize(head: entry.head.span, size: entry.size),
          code.rule == .fileExecutableCode
        {
          let shown = entry.path?.escaped ?? "an entry without a readable name"
          findings.append(Finding(.fileNestedExecutable, at: path, "contains '\(shown)', \(code.what)"))
        }
      }
    } catch {
      findings.append(
        Finding(
          .fileNestedArchive, at: path, "the archive cannot be looked into to its end (\(error.message))"))
    }
    return findings
  }

  private static func bundle(around path: EntryPath) -> NameRecognizer.Match? {
    let isFolder = path.bytes.last == UInt8(ascii: "/")
    return NameRecognizer.matches(path, isFolder: isFolder).first {
      $0.recognition.rule == .fileExecutableBundle
    }
  }
}
