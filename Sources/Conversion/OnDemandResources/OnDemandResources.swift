import ContentPackage

/// The on-demand resources of an app. The files with the same tags make up one pack, as in a build of Xcode.
package struct OnDemandResources: Sendable {
  /// The files with exactly the same tags.
  struct Group: Sendable {
    /// The tags, sorted by their UTF-8 bytes.
    let tags: [String]
    var resources: [ProjectResource]
    /// The policy of the tag with the earliest download.
    let policy: DownloadPolicy.Kind
  }

  /// The project or the folder of built packs.
  let path: String
  /// The tags, sorted by the UTF-8 bytes of their names.
  package private(set) var tags: [ResourceTag]
  private(set) var groups: [Group] = []
  /// The parts without a counterpart in Background Assets, as sentences without a full stop; safe to print.
  package var losses: [String] = []
  /// The platforms of the app.
  package var platforms: [AssetPlatform] = [.iOS]

  init(path: String, tags: [ResourceTag]) {
    self.path = path
    self.tags = tags.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// Adds files to the group of their tags, which must be checked and sorted. Without a policy, a new group has the
  /// policy of the tag with the earliest download.
  mutating func add(_ resources: [ProjectResource], tags names: [String], policy: DownloadPolicy.Kind? = nil)
  {
    let known = Dictionary(tags.map { ($0.name, $0.category.policy) }) { first, _ in first }
    let kinds = names.map { known[$0] ?? .onDemand }
    if let index = groups.firstIndex(where: { $0.tags == names }) {
      groups[index].resources += resources
    } else {
      let earliest = policy ?? DownloadPolicy.Kind.allCases.last(where: kinds.contains) ?? .onDemand
      groups.append(Group(tags: names, resources: resources, policy: earliest))
    }
  }

  /// Sorts the groups by their tags.
  mutating func sort() { groups.sort { $0.tags.joined(separator: "\0") < $1.tags.joined(separator: "\0") } }
}
