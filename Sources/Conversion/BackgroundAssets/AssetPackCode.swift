package import ContentPackage
package import Support
import ZipArchive

/// Apple's rule on code in asset packs: executables for CPUs and GPUs are allowed, macOS executables are not.
///
/// Packages of iapkg must not contain code. For asset packs, findings about code that does not run on a Mac are notes.
package enum AssetPackCode {
  /// Returns the review with Apple's rule applied to its findings about code.
  ///
  /// - Throws: The errors of `ContentReader.read`, `Interruption`.
  package static func applyingRule(
    to review: ContentReview, _ cancellation: Cancellation
  ) throws -> ContentReview {
    let found = review.findings.filter { $0.severity == .error && $0.rule == .fileExecutableCode }
    let bundles = review.findings.filter { $0.severity == .error && $0.rule == .fileExecutableBundle }
    // Apple's rule cannot be applied to omitted findings.
    guard !(found + bundles).isEmpty, (found + bundles).allSatisfy({ $0.omitted == 0 }) else { return review }
    let forMacs = try filesForMacs(among: Set(found.compactMap(\.path)), in: review, cancellation)
    return review.replacingFindings { finding in
      guard finding.severity == .error, let path = finding.path else { return finding }
      switch finding.rule {
      case .fileExecutableCode:
        return forMacs.contains(path) ? finding.withAppleRemedy : finding.asAppleNote
      case .fileExecutableBundle:
        let isForMacs = forMacs.contains { $0.isBeneath(path) } || hasMacFolder(path, in: review)
        return isForMacs ? finding.withAppleRemedy : finding.asAppleNote
      default: return finding
      }
    }
  }

  private static func filesForMacs(
    among paths: Set<EntryPath>, in review: ContentReview, _ cancellation: Cancellation
  ) throws -> Set<EntryPath> {
    let reader = review.source.makeReader()
    var result: Set<EntryPath> = []
    for item in review.readableItems where item.kind == .file && paths.contains(item.path) {
      var platforms = MachOPlatforms()
      try review.source.readingVerified {
        try reader.read(item) { block in
          try cancellation.check()
          unsafe block.withUnsafeBytes {
            unsafe platforms.update($0.assumingMemoryBound(to: UInt8.self).span)
          }
        }
      }
      if platforms.mayRunOnMac() { result.insert(item.path) }
    }
    return result
  }

  /// Returns whether a folder has the layout of a program for macOS.
  private static func hasMacFolder(_ bundle: EntryPath, in review: ContentReview) -> Bool {
    let folder = bundle.appending("Contents/MacOS")
    return review.items.contains { $0.path == folder || $0.path.isBeneath(folder) }
  }
}

extension Finding {
  fileprivate var asAppleNote: Finding {
    Finding(
      rule, at: path, severity: .note,
      "\(message); Apple decides, and allows executables for CPUs and GPUs except those for macOS",
      remedy: "nothing needs to be done")
  }

  fileprivate var withAppleRemedy: Finding {
    with(
      remedy: "remove it: Apple allows no macOS executables in asset packs, and it names no other platform")
  }
}
