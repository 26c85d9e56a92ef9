/// Follows links as the kernel would, within the paths of a tree.
///
/// The destination of a link depends only on the link, so each link is followed once. All links together take time
/// linear in the bytes of their targets. An explicit stack instead of recursion keeps the waiting links.
struct LinkResolver {
  /// The destination of a link.
  enum Outcome: Equatable {
    /// A node, reached through `links` links, including the link itself.
    case reaches(Int, links: Int)
    /// A path that leaves `Contents` or the package, even if the path returns.
    case escapes
    /// The link itself.
    case loops
    /// A destination through more links than systems follow.
    case exceedsLimit
    /// The node of a file that the target uses as a folder.
    case entersFile(Int)
    /// No item, or only a name that differs in letter case or Unicode form.
    case missing
  }

  /// The maximum number of links that Linux follows in one path (path_resolution(7)). Darwin's MAXSYMLINKS is 32.
  static let maximumLinkCount = 40

  /// The maximum number of links that wait for each other, which limits the memory for a long chain.
  private static let maximumWaitingCount = 1_000

  private let tree: PathTree
  /// The destinations by node; empty until the first link is resolved.
  private var outcomes: [Outcome?] = []
  private var waiting: Set<Int> = []

  init(_ tree: PathTree) { self.tree = tree }

  /// Returns the destination of the link at a node.
  mutating func resolve(_ link: Int) -> Outcome {
    if outcomes.isEmpty { outcomes = [Outcome?](repeating: nil, count: tree.nodes.count) }
    var stack = [Walk(link, in: tree)]
    waiting = [link]
    while var walk = stack.popLast() {
      switch outcomes[walk.link].map(Walk.Step.ends) ?? step(&walk) {
      case .ends(let outcome):
        outcomes[walk.link] = outcome
        waiting.remove(walk.link)
      case .needs(let link):
        waiting.insert(link)
        stack.append(walk)
        stack.append(Walk(link, in: tree))
        guard stack.count > Self.maximumWaitingCount else { continue }
        // Each of these links leads through all links that follow it on the stack. The last links are resolved later.
        for walk in stack.dropLast(Self.maximumLinkCount) { outcomes[walk.link] = .exceedsLimit }
        return .exceedsLimit
      }
    }
    return outcomes[link] ?? .missing
  }

  /// Continues the walk to the end of the target, or to a link that must be followed first.
  private func step(_ walk: inout Walk) -> Walk.Step {
    if let finding = walk.finding { return .ends(finding == .linkAbsolute ? .escapes : .missing) }
    while walk.next < walk.parts.endIndex {
      let part = walk.parts[walk.next]
      if part.elementsEqual("..".utf8) {
        if walk.missingLevels > 0 {
          walk.missingLevels -= 1
        } else if walk.node != PathTree.contents, let parent = tree.nodes[walk.node].parent {
          walk.node = parent
        } else {
          return .ends(.escapes)
        }
      } else if !part.isEmpty, !part.elementsEqual(".".utf8) {
        if let stop = enter(part, &walk) { return stop }
      }
      walk.next += 1
    }
    if let file = walk.file { return .ends(.entersFile(file)) }
    return .ends(walk.isMissing ? .missing : .reaches(walk.node, links: walk.links))
  }

  /// Enters one part of the target. Returns nil if the walk continues.
  private func enter(_ part: ArraySlice<UInt8>, _ walk: inout Walk) -> Walk.Step? {
    guard walk.missingLevels == 0, let child = tree.child(of: walk.node, named: part) else {
      walk.enterMissing()
      return nil
    }
    // If only another spelling exists, the result depends on the file system, so the walk covers both cases.
    if !child.isExact { walk.isMissing = true }
    guard tree.linkTarget(of: child.node) != nil else {
      enterNode(child.node, &walk)
      return nil
    }
    switch outcomes[child.node] {
    case .reaches(let node, let links):
      walk.links += links
      if walk.links > Self.maximumLinkCount { return .ends(.exceedsLimit) }
      enterNode(node, &walk)
      return nil
    case .entersFile, .missing:
      walk.enterMissing()
      return nil
    case .some(let other): return .ends(other)
    case nil: return waiting.contains(child.node) ? .ends(.loops) : .needs(child.node)
    }
  }

  /// Continues the walk at an existing file or folder. A file has no items, and must not be followed by a slash.
  private func enterNode(_ node: Int, _ walk: inout Walk) {
    walk.node = node
    let isLast = walk.next + 1 == walk.parts.endIndex
    guard tree.isFile(node), !isLast || walk.endsInSlash else { return }
    if !walk.isMissing, walk.file == nil { walk.file = node }
  }
}

/// The position of the walk along the target of one link.
private struct Walk {
  enum Step {
    case ends(LinkResolver.Outcome)
    /// The link that must be followed first.
    case needs(Int)
  }

  let link: Int
  /// The rule that the target breaks by itself; nil if the target can be followed.
  let finding: Rule?
  let parts: [ArraySlice<UInt8>]
  /// Whether the target ends in a slash, so that it must be a folder.
  let endsInSlash: Bool
  var next = 0
  var node: Int
  /// The number of missing parts below the current node, from which each `..` returns one level.
  var missingLevels = 0
  var isMissing = false
  /// The first file that the target uses as a folder, before any missing part; nil if there is none.
  var file: Int?
  /// The number of links followed so far, including this link.
  var links = 1

  init(_ link: Int, in tree: PathTree) {
    self.link = link
    node = tree.nodes[link].parent ?? PathTree.root
    let target = tree.linkTarget(of: link) ?? []
    finding = LinkRules.finding(in: target)?.rule
    endsInSlash = target.last == UInt8(ascii: "/")
    parts = target.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: true)
  }

  mutating func enterMissing() {
    missingLevels += 1
    isMissing = true
  }
}

extension PathTree {
  fileprivate func isFile(_ node: Int) -> Bool {
    nodes[node].item.map { items[$0].kind == .file } ?? false
  }
}
