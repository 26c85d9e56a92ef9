package import Support
import ZipArchive

/// The rules of the group `link/`: every link leads to an item in `Contents/`, and no entry is below a link.
package enum LinkRules {
  /// The maximum length of a target in bytes. Darwin's PATH_MAX is 1,024 with the trailing NUL.
  static let maximumTargetLength = Int(Limits.maximumLinkTargetBytes)

  /// Reports the findings about links in the order of the tree, then those about entries below links.
  package static func review(
    _ tree: PathTree, cancellation: Cancellation = Cancellation(), _ report: (Finding) -> Void
  ) {
    var resolver = LinkResolver(tree)
    for (index, node) in tree.nodes.enumerated() where !cancellation.isCancelled {
      guard let target = tree.linkTarget(of: index) else { continue }
      let name = node.sameName ?? index
      if name == PathTree.contents || name == PathTree.manifest {
        let message = "found a link, expected a \(name == PathTree.contents ? "folder" : "file")"
        report(Finding(.linkForbiddenPlace, at: node.path, message))
      } else if let finding = finding(in: target) {
        report(Finding(finding.rule, at: node.path, finding.message))
      } else {
        let shown = EntryPath(bytes: target).escaped
        if let finding = finding(on: resolver.resolve(index), at: node.path, target: shown, in: tree) {
          report(finding)
        }
      }
    }
    reviewEntriesBelowLinks(in: tree, report)
  }

  /// Returns the defect of a target that is visible without following it.
  static func finding(in target: [UInt8]) -> (rule: Rule, message: String)? {
    guard !target.isEmpty else { return (.linkTarget, "the target is empty") }
    if target.count > maximumTargetLength {
      return (.linkTarget, "the target has \(target.count) bytes, expected at most \(maximumTargetLength)")
    }
    let shown = EntryPath(bytes: target).escaped
    guard let text = String(validating: target, as: UTF8.self) else {
      return (.linkTarget, "the target \(shown) is not UTF-8")
    }
    // Valid names do not have these characters, so such a target is dangling or a path of another system.
    if text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control || $0 == "\\" }) {
      return (.linkTarget, "the target \(shown) has a control character or a backslash")
    }
    if PathRules.isAbsolute(target[...]) {
      return (.linkAbsolute, "the target \(shown) is absolute, expected a path relative to the link")
    }
    return nil
  }

  private static func finding(
    on outcome: LinkResolver.Outcome, at path: EntryPath, target: String, in tree: PathTree
  ) -> Finding? {
    switch outcome {
    case .reaches: nil
    case .escapes: Finding(.linkEscapes, at: path, "the target \(target) leads outside Contents/")
    case .loops: Finding(.linkLoop, at: path, "the target \(target) leads back to the link")
    case .exceedsLimit:
      Finding(
        .linkLoop, at: path,
        "the target \(target) leads through more than \(LinkResolver.maximumLinkCount) links")
    case .entersFile(let file):
      Finding(
        .linkDangling, at: path,
        "the target \(target) leads into the file \(tree.nodes[file].path.escaped), expected a folder")
    case .missing: Finding(.linkDangling, at: path, "the target \(target) does not exist")
    }
  }

  /// Reports one finding for each link, and each other spelling of a link, with entries below it.
  private static func reviewEntriesBelowLinks(in tree: PathTree, _ report: (Finding) -> Void) {
    // Spellings that a file system may treat as the same name have the same first node.
    var linkOfName = [Int32](repeating: -1, count: tree.nodes.count)
    for (index, node) in tree.nodes.enumerated() where tree.linkTarget(of: index) != nil {
      let name = node.sameName ?? index
      if linkOfName[name] < 0 { linkOfName[name] = Int32(index) }
    }
    for (index, node) in tree.nodes.enumerated() {
      let link = Int(linkOfName[node.sameName ?? index])
      guard link >= 0, let descendant = node.firstDescendant else { continue }
      let message =
        "the entry is below the link \(tree.nodes[link].path.escaped), expected a folder there"
      report(Finding(.linkThroughLink, at: tree.items[descendant].path, message))
    }
  }
}

extension PathTree {
  /// Returns the target of the link at a node; nil if the node is not a link.
  func linkTarget(of node: Int) -> [UInt8]? {
    guard let item = nodes[node].item, case .link(let target) = items[item].kind else { return nil }
    return target
  }
}
