package import StrictJSON
import Support

extension TrustDocument {
  /// The JSON of the document, which is the signed payload.
  package var payload: [UInt8] {
    var writer = JSONWriter()
    writer.object {
      $0.member("version", version)
      $0.member("expires", expires?.description)
      $0.write(catalogs, keys: "catalogKeys", threshold: "catalogThreshold")
      $0.write(roots, keys: "rootKeys", threshold: "rootThreshold")
    }
    return writer.bytes
  }

  /// Parses the JSON of a trust document.
  package init(payload: [UInt8]) throws(DocumentError) {
    var version: Int64?
    var expires: Timestamp?
    var (catalogKeys, rootKeys): ([NamedKey]?, [NamedKey]?)
    var (catalogThreshold, rootThreshold): (Int64?, Int64?)
    var reader = JSONReader(payload, limits: DocumentLimits.catalog)
    let thresholds = 1...Int64(DocumentLimits.maximumTrustKeyCount)
    try reader.document { (reader) throws(DocumentError) in
      try reader.object { (key, reader) throws(DocumentError) in
        switch key {
        case "version": version = try reader.integer(in: 1...DocumentLimits.maximumSequence)
        case "expires":
          expires = try reader.unlessNull { (reader) throws(DocumentError) in try reader.timestamp() }
        case "catalogKeys": catalogKeys = try reader.keys()
        case "catalogThreshold": catalogThreshold = try reader.integer(in: thresholds)
        case "rootKeys": rootKeys = try reader.keys()
        case "rootThreshold": rootThreshold = try reader.integer(in: thresholds)
        default: try reader.skip()
        }
      }
    }
    guard let version, let catalogKeys, let rootKeys, let catalogThreshold, let rootThreshold else {
      throw DocumentError("the trust document lacks its version, keys or thresholds")
    }
    self.init(
      version: version, expires: expires,
      catalogs: Role(keys: catalogKeys, threshold: Int(catalogThreshold)),
      roots: Role(keys: rootKeys, threshold: Int(rootThreshold)))
    try check()
  }

  /// Verifies that each role has enough keys for its threshold, and none of them twice.
  ///
  /// - Throws: `DocumentError`.
  package func check() throws(DocumentError) {
    for (role, noun) in [(catalogs, "catalog"), (roots, "root")] {
      let count = role.keys.count
      guard count <= DocumentLimits.maximumTrustKeyCount else {
        throw DocumentError(
          "there are \(count) \(noun) keys, expected at most \(DocumentLimits.maximumTrustKeyCount)")
      }
      guard (1...max(1, count)).contains(role.threshold), count > 0 else {
        throw DocumentError(
          "\(role.threshold) of \(count) \(noun) keys must sign, expected from 1 to all of them")
      }
      guard Set(role.keys.map(\.key)).count == count else {
        throw DocumentError("a \(noun) key is named twice")
      }
    }
  }
}

extension TrustDocument.NamedKey {
  /// The line of a `.pub` file.
  package var line: String {
    let words = "\(key.algorithm.rawValue) \(Base64.standard.encode(key.blob))"
    return comment.isEmpty ? words : "\(words) \(comment)"
  }

  /// Parses the line of a `.pub` file.
  package init(line: String) throws(SignatureError) {
    let words = line.split(maxSplits: 2, whereSeparator: { $0 == " " || $0 == "\t" })
    self.init(try SSHPublicKey(line: line), comment: words.count > 2 ? String(words[2]) : "")
  }
}

extension JSONWriter {
  fileprivate mutating func write(_ role: TrustDocument.Role, keys: String, threshold: String) {
    key(keys)
    array { writer in for key in role.keys { writer.string(key.line) } }
    member(threshold, Int64(role.threshold))
  }
}

extension JSONReader {
  fileprivate mutating func keys() throws(DocumentError) -> [TrustDocument.NamedKey] {
    var keys: [TrustDocument.NamedKey] = []
    try array { (reader) throws(DocumentError) in
      guard keys.count < DocumentLimits.maximumTrustKeyCount else {
        throw reader.error("there are more than \(DocumentLimits.maximumTrustKeyCount) keys of a role")
      }
      let line = try reader.string(atMost: DocumentLimits.maximumTrustKeyBytes)
      do throws(SignatureError) {
        keys.append(try TrustDocument.NamedKey(line: line))
      } catch {
        throw reader.error(error.message)
      }
    }
    return keys
  }
}
