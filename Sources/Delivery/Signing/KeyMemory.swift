import ContentPackage
import SafeFiles
import StrictJSON
import Support

/// The last sequence number and the releases of each store that a key signed for, in a file beside the key.
///
/// A store that is behind this number may have been restored from a backup. Without the file, or without the permission to
/// write it, nothing else changes; a damaged one is an error.
package struct KeyMemory: Sendable {
  /// The texts of the published versions by product.
  typealias Releases = [ProductIdentifier: Set<String>]

  /// The maximum number of remembered stores; the oldest are forgotten.
  private static let maximumStoreCount = 100
  /// The maximum size of the file in bytes. A store with more releases is remembered without them.
  private static let maximumFileSize = 1 << 20

  /// The maximum time to wait for another process, and the interval at which the lock is tried.
  private static let timeout = Duration.seconds(5)
  private static let interval = Duration.milliseconds(10)

  /// The trust documents of a store, as a key has seen them.
  struct Trust: Equatable {
    /// The number of the newest document.
    let version: Int64
    /// The digest of the first document.
    let first: SHA256Digest
  }

  private struct Entry {
    let store: String
    /// The last sequence number; 0 for none.
    let sequence: Int64
    var releases: Releases = [:]
    var trust: Trust?
    /// The digest of the text of the first trust document that the key signed before it was published.
    var signedFirst: SHA256Digest?

    /// The number of the trust document under which the sequence number was seen; 1 without any, because the first one
    /// continues the numbers.
    var trustVersion: Int64 { trust?.version ?? 1 }
  }

  private let path: String

  package init(keyFile: String) { path = Self.path(beside: keyFile) }

  /// Returns the path of the file beside a key.
  package static func path(beside keyFile: String) -> String {
    (keyFile.hasSuffix(".pub") ? String(keyFile.dropLast(4)) : keyFile) + ".iapkg"
  }

  /// Returns the last sequence number of a store; nil if it is unknown, or of before the trust document `version`, under
  /// which catalogs may begin again with a lower number.
  func sequence(of store: String, under version: Int64) -> Int64? {
    guard let entry = entry(of: store), entry.sequence > 0, entry.trustVersion >= version else { return nil }
    return entry.sequence
  }

  /// Returns the digest of the text of the first trust document that the key signed; nil if it signed none.
  func signedFirst(of store: String) -> SHA256Digest? { entry(of: store)?.signedFirst }

  /// Returns the trust documents of a store; nil if the key has seen none.
  func trust(of store: String) -> Trust? { entry(of: store)?.trust }

  /// Returns the versions that were published in a store.
  func releases(of store: String) -> Releases { entry(of: store)?.releases ?? [:] }

  private func entry(of store: String) -> Entry? {
    entries().first { $0.store == StoreLocation.identity(of: store) }
  }

  /// Remembers the releases of a catalog of a store, and its sequence number and trust documents unless later ones are
  /// known.
  func remember(
    _ sequence: Int64, _ releases: Releases, _ trust: Trust? = nil, signing signedFirst: SHA256Digest? = nil,
    of store: String
  ) {
    // Another process may remember another store at the same time.
    guard let folder = try? DirectoryHandle.open(FileSystem.folder(of: path)) else { return }
    let deadline = ContinuousClock.now + Self.timeout
    while (try? folder.lock()) == false, .now < deadline { Cancellation().wait(Self.interval) }
    defer { withExtendedLifetime(folder) {} }
    let name = StoreLocation.identity(of: store)
    let known = entries()
    let last = known.first { $0.store == name }
    let all = (last?.releases ?? [:]).merging(releases) { $0.union($1) }
    let newest = trust?.version ?? 0 > last?.trust?.version ?? 0 ? trust : last?.trust
    let beginsAgain = newest?.version ?? 0 > last?.trustVersion ?? 1
    guard
      sequence > last?.sequence ?? 0 || all != last?.releases ?? [:] || newest != last?.trust
        || signedFirst != nil && signedFirst != last?.signedFirst
    else { return }
    var entry = Entry(
      store: name, sequence: beginsAgain ? sequence : max(sequence, last?.sequence ?? 0), releases: all,
      trust: newest, signedFirst: signedFirst ?? last?.signedFirst)
    let others = known.filter { $0.store != name }.prefix(Self.maximumStoreCount - 1)
    var bytes = Self.document([entry] + others)
    if bytes.count > Self.maximumFileSize {
      entry.releases = [:]
      bytes = Self.document([entry] + others)
    }
    try? write(bytes)
  }

  private static func document(_ entries: [Entry]) -> [UInt8] {
    var writer = JSONWriter()
    writer.object {
      $0.key("stores")
      $0.array { writer in
        for entry in entries {
          writer.object {
            $0.member("store", entry.store)
            $0.member("sequence", entry.sequence)
            if let trust = entry.trust {
              $0.member("trust", trust.version)
              $0.member("firstTrust", trust.first.hexadecimal)
            }
            if let text = entry.signedFirst { $0.member("signedTrust", text.hexadecimal) }
            $0.key("products")
            $0.array { write(entry.releases, to: &$0) }
          }
        }
      }
    }
    return writer.line()
  }

  private static func write(_ releases: Releases, to writer: inout JSONWriter) {
    for (product, versions) in releases.sorted(by: { $0.key.text < $1.key.text }) {
      writer.object {
        $0.member("productIdentifier", product.text)
        $0.key("versions")
        $0.array { writer in
          for version in versions.sorted() { writer.string(version) }
        }
      }
    }
  }

  private func write(_ bytes: [UInt8]) throws {
    var output = try StagedOutput.create(at: path, replacing: true, durable: false, isPrivate: true)
    try output.write(unsafe bytes.borrowedSpan.bytes)  // any UInt8 is a byte
    try output.commit()
  }

  /// Verifies that the file can be read if there is one: otherwise the key would forget in silence what it has seen.
  ///
  /// - Throws: `SignatureError`.
  func check() throws(SignatureError) {
    guard (try? FileSystem.status(of: path, followingLinks: true)) != nil, parsed() == nil else { return }
    throw SignatureError(
      "\(path), which remembers what the key has seen in its stores, cannot be read; put it back from a backup, or delete "
        + "it, and the key begins to remember again")
  }

  private func entries() -> [Entry] { parsed() ?? [] }

  /// Reads the file; nil if it is missing or damaged.
  private func parsed() -> [Entry]? {
    guard let bytes = try? SmallInput.read(path, atMost: Self.maximumFileSize) else { return nil }
    do throws(DocumentError) { return try Self.entries(in: bytes) } catch { return nil }
  }

  private static func entries(in bytes: [UInt8]) throws(DocumentError) -> [Entry] {
    var entries: [Entry] = []
    var reader = JSONReader(bytes, limits: DocumentLimits.note)
    try reader.object { (key, reader) throws(DocumentError) in
      guard key == "stores" else { return try reader.skip() }
      try reader.array { (reader) throws(DocumentError) in
        var (store, sequence, version): (String?, Int64?, Int64?)
        var (first, signedFirst): (SHA256Digest?, SHA256Digest?)
        var releases: Releases = [:]
        try reader.object { (key, reader) throws(DocumentError) in
          switch key {
          case "store": store = try reader.string(atMost: ProductOrigin.maximumAddressLength)
          case "sequence": sequence = try reader.integer(in: 0...DocumentLimits.maximumSequence)
          case "trust": version = try reader.integer(in: 1...DocumentLimits.maximumSequence)
          case "firstTrust":
            first = SHA256Digest(hexadecimal: try reader.string(atMost: DocumentLimits.wordBytes))
          case "signedTrust":
            signedFirst = SHA256Digest(hexadecimal: try reader.string(atMost: DocumentLimits.wordBytes))
          case "products":
            try reader.array { (reader) throws(DocumentError) in try Self.read(&releases, &reader) }
          default: try reader.skip()
          }
        }
        guard let store, let sequence, entries.count < maximumStoreCount else { return }
        let trust = version.flatMap { version in first.map { Trust(version: version, first: $0) } }
        entries.append(
          Entry(
            store: store, sequence: sequence, releases: releases, trust: trust, signedFirst: signedFirst))
      }
    }
    return entries
  }

  private static func read(_ releases: inout Releases, _ reader: inout JSONReader) throws(DocumentError) {
    var product: ProductIdentifier?
    var versions: Set<String> = []
    try reader.object { (key, reader) throws(DocumentError) in
      switch key {
      case "productIdentifier":
        product = ProductIdentifier(try reader.string(atMost: DocumentLimits.wordBytes))
      case "versions":
        try reader.array { (reader) throws(DocumentError) in
          versions.insert(try reader.string(atMost: DocumentLimits.wordBytes))
        }
      default: try reader.skip()
      }
    }
    if let product { releases[product] = versions }
  }
}
