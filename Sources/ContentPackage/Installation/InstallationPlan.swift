import Synchronization
import ZipArchive

/// Where the content of a package goes in a product's folder, and what has gone there; threads may share it.
final class InstallationPlan: Sendable {
  /// The folder that the content goes into; nil for the product's own.
  private let contentFolder: EntryPath?
  /// What is to be laid out; nil for everything.
  private let wanted: Set<EntryPath>?
  private let recorded = Mutex<[InstalledItem]>([])

  init(contentFolder: EntryPath?, wanted: Set<EntryPath>? = nil) {
    self.contentFolder = contentFolder
    self.wanted = wanted
  }

  /// Makes room for as many items, so that they need not be moved as they become more.
  func expect(_ count: Int) { recorded.withLock { $0.reserveCapacity(count) } }

  /// Hands over what has been laid out.
  func takeItems() -> [InstalledItem] { recorded.withLock { exchange(&$0, with: []) } }

  func add(_ item: InstalledItem) { recorded.withLock { $0.append(item) } }

  func wants(_ place: EntryPath) -> Bool { wanted?.contains(place) ?? true }

  /// Where an item of a package goes; nil if it goes nowhere.
  func place(of item: ContentItem) -> EntryPath? {
    guard item.isContent, let path = item.path.withoutFirst else { return nil }
    let place = contentFolder?.appending(path.bytes) ?? path
    return wants(place) ? place : nil
  }

  /// The folders that `content` has or lies in, outer ones first.
  func folders(for content: some Sequence<ContentItem>) -> [EntryPath] {
    var folders: Set<EntryPath> = []
    if let contentFolder, wants(contentFolder) { folders.insert(contentFolder) }
    for item in content {
      guard let place = place(of: item) else { continue }
      var folder = item.kind == .folder ? place : place.parent
      while let next = folder, folders.insert(next).inserted { folder = next.parent }
    }
    return folders.sorted()
  }

  /// The links of `content`, and the one to the version in use where the layout has it.
  func links(for content: some Sequence<ContentItem>) -> [(place: EntryPath, target: [UInt8])] {
    var links: [(place: EntryPath, target: [UInt8])] = []
    for item in content {
      guard case .link(let target?) = item.kind, let place = place(of: item) else { continue }
      links.append((place, target))
    }
    if let contentFolder, wants(InstallationLayout.current) {
      links.append((InstallationLayout.current, contentFolder.bytes))
    }
    return links
  }
}
