import ZipArchive

/// The rule on folders that their items prove to be programs, libraries or plug-ins.
enum BundleRules {
  /// Returns the evidence from the paths of files.
  ///
  /// - Parameter items: The checked items, sorted by path.
  /// - Returns: The evidence, to which the caller adds the inspections of the files.
  static func evidence(in items: ContentItems) -> BundleEvidence {
    var evidence = BundleEvidence()
    var folder: ArraySlice<UInt8>?
    for item in items where item.kind == .file {
      // One file of each folder gives all evidence of the path.
      let parent = item.path.part(0..<item.path.nameStart)
      if parent != folder { evidence.add(file: item.path) }
      folder = parent
    }
    return evidence
  }

  /// Adds the evidence in one file.
  static func add(_ inspection: FileInspection, to evidence: inout BundleEvidence) {
    if let executable = inspection.executable {
      evidence.add(executable: executable.name, namedBy: executable.infoPlist)
    }
    for finding in inspection.findings where finding.rule == .fileExecutableCode {
      if let path = finding.path { evidence.add(codeAt: path) }
    }
  }

  /// Returns one finding for each outermost bundle.
  static func findings(of evidence: BundleEvidence) -> [Finding] {
    evidence.bundles.map { path, description in
      Finding(.fileExecutableBundle, at: path, "the folder is \(description)")
    }
  }

  /// Returns the finding on the name of a bundle, which the finding on the bundle replaces; nil for another name.
  static func findingOnName(of bundle: EntryPath) -> Finding? {
    let finding = NameRecognizer.finding(at: bundle, isFolder: true)
    return finding?.rule == .filePossibleCode ? finding : nil
  }
}
