import Support
import ZipArchive

@testable import ContentPackage

// The findings of each set of rules, in the order of reporting.

private func collected(_ review: (_ report: (Finding) -> Void) -> Void) -> [Finding] {
  var findings: [Finding] = []
  review { findings.append($0) }
  return findings
}

extension PathRules {
  static func findings(in tree: PathTree, cancellation: Cancellation = Cancellation()) -> [Finding] {
    collected { review(tree, cancellation: cancellation, $0) }
  }
}

extension LinkRules {
  static func findings(in tree: PathTree, cancellation: Cancellation = Cancellation()) -> [Finding] {
    collected { review(tree, cancellation: cancellation, $0) }
  }
}

extension NameRecognizer {
  static func findings(
    for paths: [(path: EntryPath, isFolder: Bool)], cancellation: Cancellation = Cancellation()
  ) -> [Finding] {
    collected { review(paths, cancellation: cancellation, $0) }
  }
}

extension RootRules {
  static func findings(for items: [ContentItem]) -> [Finding] {
    collected { review(ContentItems(items), $0) }
  }
}

extension ModeRules {
  static func findings(for items: [ContentItem], normalizing: Bool) -> [Finding] {
    collected { review(ContentItems(items), normalizing: normalizing, $0) }
  }
}
