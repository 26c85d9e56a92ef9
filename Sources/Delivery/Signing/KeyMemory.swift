import ContentPackage
import SafeFiles
import StrictJSON
import Support
import SystemPackage

/// The last sequence number, the release lists and the releases of each store that a key signed for, in a file beside the
/// key.
///
/// A store with a lower number may have been restored from a backup. A missing file only disables such checks. A failure to
/// write the file is a warning; a damaged file is an error.
package struct KeyMemory: Sendable {
  /// A published version.
  struct Release: Equatable {
    /// The digest of the package; nil if only the version is known.
    var digest: SHA256Digest?
    /// Whether the publisher has accepted that the catalog lacks the release.
    var isLost = false
    /// Whether the release was withdrawn.
    var isWithdrawn = false

    /// Returns the merged memories of two keys of one release.
    func merged(with other: Release) -> Release {
      Release(
        digest: digest ?? other.digest, isLost: isLost && other.isLost,
        isWithdrawn: isWithdrawn || other.isWithdrawn)
    }
  }

  /// The published versions by product and by the text of the version.
  typealias Releases = [ProductIdentifier: [String: Release]]

  /// The digests of the release lists of a catalog.
  typealias Lists = [ProductIdentifier: SHA256Digest]

  /// The maximum number of remembered stores; the oldest are forgotten.
  static let maximumStoreCount = 100
  /// The maximum size of the file in bytes. To stay within it, the oldest stores lose their releases, and if necessary their
  /// release lists.
  static let maximumFileSize = 4 << 20

  /// The maximum time to wait for the lock, in seconds.
  private static let timeout = 5
  /// The time between two attempts to take the lock.
  private static let interval = Duration.milliseconds(10)

  /// The trust documents of a store, as a key has seen them.
  struct Trust: Equatable {
    /// The number of the newest document.
    let version: Int64
    /// The digest of the first document.
    let first: SHA256Digest
  }

  struct Entry: Equatable {
    let store: String
    /// The last sequence number; 0 for none.
    let sequence: Int64
    /// The releases in the lists that the key has changed or read, and the newest version of every other product.
    var releases: Releases = [:]
    /// The digest of the text of the last catalog that the key signed; nil if it is unknown which one was the last.
    var catalog: SHA256Digest?
    /// The release lists that the key signed last. Each has all remembered releases of its product except lost ones.
    var lists: Lists = [:]
    var trust: Trust?
    /// The digest of the text of the first trust document that the key signed before it was published.
    var signedFirst: SHA256Digest?

    /// The number of the trust document under which the sequence number was seen; 1 if there was none, because catalogs
    /// under the first document continue the sequence.
    var trustVersion: Int64 { trust?.version ?? 1 }

    /// Returns the last sequence number; nil if there is none, or if it was seen before trust document `version`, under
    /// which the sequence may restart at a lower number.
    func sequence(under version: Int64) -> Int64? {
      sequence > 0 && trustVersion >= version ? sequence : nil
    }
  }

  let path: String

  /// Creates the memory of a key, without reading its file.
  package init(keyFile: String) { path = Self.path(beside: keyFile) }

  /// Returns the path of the file beside a key. All links to a key have one memory, beside the file that they lead to.
  package static func path(beside keyFile: String) -> String {
    let isLink = (try? FileSystem.status(of: keyFile, followingLinks: false))?.kind == .link
    let file = isLink ? (try? FileSystem.resolved(keyFile)) ?? keyFile : keyFile
    return (file.hasSuffix(".pub") ? String(file.dropLast(4)) : file) + ".iapkg"
  }

  /// Returns the entry of a store; nil if the key has signed nothing for the store.
  func entry(of store: String) -> Entry? {
    entries().first { $0.store == StoreLocation.identity(of: store) }
  }

  /// A catalog that a key signed.
  struct SignedCatalog {
    /// The digest of the text.
    let digest: SHA256Digest
    /// The release lists, without those of `unread`.
    let lists: Lists
    /// The newest version of each product in `lists`.
    let newest: [ProductIdentifier: ContentVersion]
    /// The products whose lists could not be read, and may lack releases that the key remembers.
    let unread: Set<ProductIdentifier>

    init(_ catalog: Catalog, _ digest: SHA256Digest, unread: Set<ProductIdentifier>) {
      self.digest = digest
      self.unread = unread
      let products = catalog.products.filter { !unread.contains($0.key) }
      lists = products.mapValues(\.releases.digest)
      newest = products.mapValues(\.contentVersion)
    }
  }

  /// A change of a store that a key signed.
  struct Change {
    /// The sequence number of the catalog.
    let sequence: Int64
    /// Whether the store starts over with this catalog, without its earlier trust documents.
    var isFirst = false
    /// The releases in the lists of the catalog that were changed or read.
    var releases: Releases = [:]
    /// The releases whose absence from the catalog the publisher accepts.
    var lost: Releases = [:]
    /// The versions whose missing withdrawals the publisher accepts.
    var revoked: [ProductIdentifier: Set<String>] = [:]
    /// The catalog; nil for an unchanged one.
    var catalog: SignedCatalog?
    /// The catalogs that the keys remembered before the preceding catalog was read.
    var known: Set<SHA256Digest?> = []
    var trust: Trust?
    var signedFirst: SHA256Digest?
  }

  /// Remembers a change of a store. The sequence number and the trust documents stay if later ones are known.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - store: The address of the store.
  ///   - timeout: The maximum time in seconds to wait for another process that remembers a change.
  /// - Throws: `FileError` if the file cannot be written.
  func remember(_ change: Change, of store: String, timeout: Int = Self.timeout) throws(FileError) {
    let folder = try DirectoryHandle.open(FileSystem.folder(of: path))
    let deadline = ContinuousClock.now + .seconds(timeout)
    while try !folder.lock() {
      guard .now < deadline else {
        throw FileError(
          .lock, path, .resourceTemporarilyUnavailable,
          detail: "another process has locked its folder for \(timeout) seconds")
      }
      Cancellation().wait(Self.interval)
    }
    defer { withExtendedLifetime(folder) {} }
    let name = StoreLocation.identity(of: store)
    let known = entries()
    let last = known.first { $0.store == name }
    var all = (last?.releases ?? [:]).merging(change.releases) { $0.merging($1) { $1 } }
    for (product, versions) in change.lost {
      for (version, release) in versions where change.releases[product]?[version] == nil {
        all[product, default: [:]][version, default: release].isLost = true
      }
    }
    for (product, versions) in change.revoked {
      for version in versions where change.releases[product]?[version] == nil {
        all[product]?[version]?.isWithdrawn = false
      }
    }
    // A restored store may lack the list too, so the key remembers at least one version of each product.
    for (product, version) in change.catalog?.newest ?? [:] where all[product]?[version.text] == nil {
      all[product, default: [:]][version.text] = Release()
    }
    let (seen, signedFirst) = change.isFirst ? (nil, nil) : (last?.trust, last?.signedFirst)
    let newest = change.trust?.version ?? 0 > seen?.version ?? 0 ? change.trust : seen
    // Without a catalog, the sequence does not begin again: the keys must still detect an older one.
    let beginsAgain = change.sequence > 0 && newest?.version ?? 0 > last?.trustVersion ?? 1
    var (catalog, lists) = (last?.catalog, last?.lists ?? [:])
    if let signed = change.catalog {
      // Another process may have remembered a catalog of a bucket in the meantime, either an earlier or a later one.
      if last.map({ change.known.contains($0.catalog) }) ?? true {
        catalog = signed.unread.isEmpty ? signed.digest : nil
        lists = signed.lists.merging(lists.filter { signed.unread.contains($0.key) }) { $1 }
      } else {
        catalog = nil
        lists = lists.filter { change.releases[$0.key] == nil }
      }
    }
    let entry = Entry(
      store: name, sequence: beginsAgain ? change.sequence : max(change.sequence, last?.sequence ?? 0),
      releases: all, catalog: catalog, lists: lists, trust: newest,
      signedFirst: change.signedFirst ?? signedFirst)
    guard entry != last ?? Entry(store: name, sequence: 0) else { return }
    let others = known.filter { $0.store != name }.prefix(Self.maximumStoreCount - 1)
    try write([entry] + others)
  }

  /// Writes the entries, newest first.
  private func write(_ entries: [Entry]) throws(FileError) {
    var entries = entries
    var bytes = Self.document(entries)
    for index in entries.indices.reversed() where bytes.count > Self.maximumFileSize {
      entries[index].releases = [:]
      bytes = Self.document(entries)
    }
    for index in entries.indices.reversed() where bytes.count > Self.maximumFileSize {
      entries[index].lists = [:]
      bytes = Self.document(entries)
    }
    try write(bytes)
  }

  private func write(_ bytes: [UInt8]) throws(FileError) {
    var output = try StagedOutput.create(at: path, replacing: true, durable: false, isPrivate: true)
    try output.write(unsafe bytes.borrowedSpan.bytes)  // UInt8 has no padding
    try output.commit()
  }

  /// Verifies that an existing file can be read; otherwise the next change would silently overwrite the memory.
  ///
  /// - Throws: `SignatureError`.
  func check() throws(SignatureError) {
    guard let status = try? FileSystem.status(of: path, followingLinks: true) else { return }
    let name = "\(path), which remembers what the key has seen in its stores,"
    guard status.kind == .file else {
      throw SignatureError(
        "\(name) is a \(status.kind.name), expected a regular file; delete it to start a new memory"
      )
    }
    let bytes: [UInt8]?
    do throws(FileError) { bytes = try read() } catch {
      throw SignatureError(
        "\(name) cannot be opened by user \(FileSystem.effectiveUser): \(error.errno); it belongs to user \(status.owner) and "
          + "has the permissions 0\(String(status.permissions, radix: 8)): let this user read and write it, or sign as its "
          + "owner")
    }
    guard Self.parsed(bytes) == nil else { return }
    throw SignatureError(
      "\(name) cannot be read; restore it from a backup, or delete it to start a new memory")
  }

  /// Reads the file; empty if it is missing or damaged.
  private func entries() -> [Entry] {
    Self.parsed(try? read()) ?? []
  }

  /// Reads the bytes of the file. It must be a regular file: another user may have put a pipe there, which would block the
  /// reader.
  ///
  /// - Returns: Nil for a file that is too large or cannot be read.
  /// - Throws: `FileError` with operation `open`.
  private func read() throws(FileError) -> [UInt8]? {
    let file = try InputFile.open(path)
    guard file.byteCount <= Int64(Self.maximumFileSize) else { return nil }
    return try? file.bytes(at: 0, count: Self.maximumFileSize)
  }

  /// Returns the entries; nil for a damaged file.
  private static func parsed(_ bytes: [UInt8]?) -> [Entry]? {
    guard let bytes else { return nil }
    do throws(DocumentError) { return try entries(in: bytes) } catch { return nil }
  }
}

extension ProductReleases {
  /// The releases and the pruned versions, as a key remembers them.
  var remembered: [String: KeyMemory.Release] {
    var all: [String: KeyMemory.Release] = [:]
    for version in pruned {
      all[version.contentVersion.text] = KeyMemory.Release(
        digest: version.digest, isWithdrawn: version.withdrawn != nil)
    }
    for release in releases {
      all[release.contentVersion.text] = KeyMemory.Release(
        digest: release.package.digest, isWithdrawn: release.withdrawn != nil)
    }
    return all
  }
}
