import StrictJSON
import Support

/// The trust documents that led a client to the newest one that it knows, and their keys.
///
/// If the user names a followed document or key again, the client stays at the newest document.
struct FollowedTrust: Sendable, Equatable {
  /// The maximum number of recorded documents, and of recorded keys. Further ones are not recorded.
  private static let maximumCount = 1_000

  /// The SHA-256 digests of the documents.
  private(set) var documents: Set<SHA256Digest> = []
  /// The fingerprints of the keys that the documents name, or that signed them or the catalogs before the first one.
  private(set) var keys: Set<String> = []

  init(keys: [String] = []) { add([], keys) }

  mutating func add(_ stored: StoredTrust) {
    let document = stored.envelope.document
    let named = (document.catalogs.keys + document.roots.keys).map(\.key)
    add([stored.digest], (named + stored.envelope.signers).map(\.fingerprint))
  }

  /// Returns the union with other documents and keys.
  func adding(_ others: FollowedTrust) -> FollowedTrust {
    var all = self
    all.add(Array(others.documents), Array(others.keys))
    return all
  }

  private mutating func add(_ moreDocuments: [SHA256Digest], _ moreKeys: [String]) {
    for digest in moreDocuments where documents.count < Self.maximumCount { documents.insert(digest) }
    for key in moreKeys where keys.count < Self.maximumCount { keys.insert(key) }
  }

  /// Returns whether the user names one of the documents, or one of the keys.
  func contains(_ named: TrustedKeys) -> Bool {
    if let root = named.root { return documents.contains(root.digest) }
    return named.entries.contains { keys.contains($0.key.fingerprint) }
  }
}

extension FollowedTrust {
  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.key("documents")
      $0.array { writer in for digest in documents.sorted() { writer.string(digest.hexadecimal) } }
      $0.key("keys")
      $0.array { writer in for key in keys.sorted() { writer.string(key) } }
    }
  }

  init(_ reader: inout JSONReader) throws(DocumentError) {
    var documents: [SHA256Digest]?
    var keys: [String]?
    try reader.object { (key, reader) throws(DocumentError) in
      switch key {
      case "documents":
        var found: [SHA256Digest] = []
        try reader.array { (reader) throws(DocumentError) in found.append(try reader.digest()) }
        documents = found
      case "keys":
        var found: [String] = []
        try reader.array { (reader) throws(DocumentError) in
          found.append(try reader.string(atMost: DocumentLimits.maximumWordBytes))
        }
        keys = found
      default: try reader.skip()
      }
    }
    guard let documents, let keys else {
      throw reader.error("the followed trust documents have no \(documents == nil ? "documents" : "keys")")
    }
    self.init()
    add(documents, keys)
  }
}
