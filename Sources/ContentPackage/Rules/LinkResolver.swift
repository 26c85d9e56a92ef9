/// Follows links by hand, as the kernel would do it, through the paths of a tree and nothing else.
///
/// Where a link leads depends on nothing but the link, so that each is followed once: all links together take
/// time linear in the bytes of their targets. Links wait on a stack of our own, not on the thread's.
struct LinkResolver {
  /// Where a link leads.
  enum Outcome: Equatable {
    /// To a node, through so many links, itself included.
    case reaches(Int, links: Int)
    /// Out of `Contents`, be it to come back, or out of the package.
    case leaves
    /// To itself.
    case circles
    /// Through more links than a system follows.
    case isTooFar
    /// To nothing, or only to a name in another letter case or Unicode form.
    case isMissing
  }

  /// The most links that Linux follows in one path (path_resolution(7)); Darwin's MAXSYMLINKS is 32.
  static let mostLinks = 40

  private let tree: PathTree
  private var outcomes: [Int: Outcome] = [:]
  private var waiting: Set<Int> = []

  init(_ tree: PathTree) { self.tree = tree }

  /// Where the link at a node beneath `Contents` leads.
  mutating func resolve(_ link: Int) -> Outcome {
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
      }
    }
    return outcomes[link] ?? .isMissing
  }

  /// Walks on until the target's end, or a link that was not followed yet.
  private func step(_ walk: inout Walk) -> Walk.Step {
    if let flaw = walk.flaw { return .ends(flaw == .linkAbsolute ? .leaves : .isMissing) }
    while walk.next < walk.parts.endIndex {
      let part = walk.parts[walk.next]
      if part.elementsEqual("..".utf8) {
        if walk.levelsIntoNothing > 0 {
          walk.levelsIntoNothing -= 1
        } else if walk.place != PathTree.contents, let parent = tree.nodes[walk.place].parent {
          walk.place = parent
        } else {
          return .ends(.leaves)
        }
      } else if !part.isEmpty, !part.elementsEqual(".".utf8) {
        if let stop = enter(part, &walk) { return stop }
      }
      walk.next += 1
    }
    return .ends(walk.isMissing ? .isMissing : .reaches(walk.place, links: walk.links))
  }

  /// Goes down one part.
  private func enter(_ part: ArraySlice<UInt8>, _ walk: inout Walk) -> Walk.Step? {
    guard walk.levelsIntoNothing == 0, let child = tree.child(of: walk.place, named: part) else {
      walk.goIntoNothing()
      return nil
    }
    // Where only another spelling exists, both answers are possible, so the walk goes on with both in mind.
    if !child.isExact { walk.isMissing = true }
    guard tree.linkTarget(of: child.node) != nil else {
      walk.place = child.node
      let hasMore = walk.next + 1 < walk.parts.endIndex
      if hasMore, tree.isFile(child.node) { walk.isMissing = true }
      return nil
    }
    switch outcomes[child.node] {
    case .reaches(let place, let links):
      walk.links += links
      if walk.links > Self.mostLinks { return .ends(.isTooFar) }
      walk.place = place
      return nil
    case .isMissing:
      walk.goIntoNothing()
      return nil
    case .some(let other): return .ends(other)
    case nil: return waiting.contains(child.node) ? .ends(.circles) : .needs(child.node)
    }
  }
}

/// How far the walk along the target of one link has come.
private struct Walk {
  enum Step {
    case ends(LinkResolver.Outcome)
    /// The link must be followed first.
    case needs(Int)
  }

  let link: Int
  /// What makes the target no path to walk along.
  let flaw: Rule?
  let parts: [ArraySlice<UInt8>]
  var next = 0
  var place: Int
  /// Parts gone beneath `place` that do not exist; no system would go there, but `..` must not count twice.
  var levelsIntoNothing = 0
  var isMissing = false
  /// The links passed, the one that is followed included.
  var links = 1

  init(_ link: Int, in tree: PathTree) {
    self.link = link
    place = tree.nodes[link].parent ?? PathTree.root
    let target = tree.linkTarget(of: link) ?? []
    flaw = LinkRules.flaw(in: target)?.rule
    parts = target.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: true)
  }

  mutating func goIntoNothing() {
    levelsIntoNothing += 1
    isMissing = true
  }
}

extension PathTree {
  fileprivate func isFile(_ node: Int) -> Bool {
    nodes[node].item.map { items[$0].kind == .file } ?? false
  }
}
