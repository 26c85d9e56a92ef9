import ZipArchive

/// The rules of the group `link/`: every link leads to something inside `Contents/`, and nothing lies beneath
/// one.
package enum LinkRules {
  /// Bytes of a target; Darwin's PATH_MAX is 1,024 with the NUL at the end.
  static let longestTarget = Int(Limits.linkTargetBytes)

  /// All findings, those on links in the order of the tree, then those on what lies beneath links.
  package static func findings(in tree: PathTree) -> [Finding] {
    var resolver = LinkResolver(tree)
    var findings: [Finding] = []
    for (index, node) in tree.nodes.enumerated() {
      guard let target = tree.linkTarget(of: index) else { continue }
      let place = node.twin ?? index
      if place == PathTree.contents || place == PathTree.manifest {
        let message = "found a link, expected a \(place == PathTree.contents ? "folder" : "file")"
        findings.append(Finding(.linkForbiddenPlace, at: node.path, message))
      } else if let flaw = flaw(in: target) {
        findings.append(Finding(flaw.rule, at: node.path, flaw.message))
      } else {
        let shown = EntryPath(bytes: target).escaped
        if let finding = finding(on: resolver.resolve(index), at: node.path, target: shown) {
          findings.append(finding)
        }
      }
    }
    return findings + entriesBeneathLinks(in: tree)
  }

  /// What is wrong with a target whatever lies beside the link.
  static func flaw(in target: [UInt8]) -> (rule: Rule, message: String)? {
    guard !target.isEmpty else { return (.linkTarget, "the target is empty") }
    if target.count > longestTarget {
      return (.linkTarget, "the target has \(target.count) bytes, expected at most \(longestTarget)")
    }
    let shown = EntryPath(bytes: target).escaped
    guard let text = String(validating: target, as: UTF8.self) else {
      return (.linkTarget, "the target \(shown) is not UTF-8")
    }
    // No name has them, so such a target is either nothing or a path in another system's sense.
    if text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control || $0 == "\\" }) {
      return (.linkTarget, "the target \(shown) has a control character or a backslash")
    }
    if PathRules.isAbsolute(target) {
      return (.linkAbsolute, "the target \(shown) is absolute, expected a path relative to the link")
    }
    return nil
  }

  private static func finding(on outcome: LinkResolver.Outcome, at path: EntryPath, target: String)
    -> Finding?
  {
    switch outcome {
    case .reaches: nil
    case .leaves: Finding(.linkEscapes, at: path, "the target \(target) leads outside Contents/")
    case .circles: Finding(.linkLoop, at: path, "the target \(target) leads back to the link")
    case .isTooFar:
      Finding(
        .linkLoop, at: path,
        "the target \(target) leads through more than \(LinkResolver.mostLinks) links")
    case .isMissing: Finding(.linkDangling, at: path, "the target \(target) does not exist")
    }
  }

  /// One finding for each link, or other spelling of a link, that entries lie beneath.
  private static func entriesBeneathLinks(in tree: PathTree) -> [Finding] {
    // Spellings that a file system may take for one name share their first node.
    var linkOfName: [Int: Int] = [:]
    for (index, node) in tree.nodes.enumerated() where tree.linkTarget(of: index) != nil {
      let name = node.twin ?? index
      if linkOfName[name] == nil { linkOfName[name] = index }
    }
    if linkOfName.isEmpty { return [] }
    return tree.nodes.enumerated().compactMap { index, node in
      guard let link = linkOfName[node.twin ?? index], let beneath = node.firstBeneath else { return nil }
      let message =
        "the entry lies beneath the link \(tree.nodes[link].path.escaped), expected a folder there"
      return Finding(.linkThroughLink, at: tree.items[beneath].path, message)
    }
  }
}

extension PathTree {
  /// The bytes of the link that a node is, or nil if it is none.
  func linkTarget(of node: Int) -> [UInt8]? {
    guard let item = nodes[node].item, case .link(let target) = items[item].kind else { return nil }
    return target
  }
}
