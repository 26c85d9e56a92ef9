import ZipArchive

/// Folders that are programs, libraries or plug-ins, according to their items.
enum BundleRules {
  /// Returns the evidence from the paths of files.
  ///
  /// - Parameter items: The checked items, sorted by path.
  /// - Returns: The evidence, to which the caller adds the results for the files.
  static func evidence(in items: ContentItems) -> BundleEvidence {
    var evidence = BundleEvidence()
    var folder: ArraySlice<UInt8>?
    for item in items where item.kind == .file {
      // One file of each folder is enough.
      let parent = item.path.part(0..<item.path.nameStart)
      if parent != folder { evidence.note(file: item.path) }
      folder = parent
    }
    return evidence
  }

  /// Adds the result for one of the files.
  static func note(_ inspection: FileInspection, in evidence: inout BundleEvidence) {
    if let executable = inspection.executable {
      evidence.note(executable.name, namedBy: executable.infoPlist)
    }
    for finding in inspection.findings where finding.rule == .fileExecutableCode {
      if let path = finding.path { evidence.note(codeAt: path) }
    }
  }

  /// Returns one finding for each outermost bundle.
  static func findings(of evidence: BundleEvidence) -> [Finding] {
    evidence.bundles.map { place, what in
      Finding(.fileExecutableBundle, at: place, "the folder is \(what)")
    }
  }
}
