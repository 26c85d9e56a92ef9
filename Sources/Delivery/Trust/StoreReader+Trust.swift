import ContentPackage
import StrictJSON
import Support

/// The trust documents of a store.
extension StoreReader {
  /// Walks from an anchor to the newest trust document of the store.
  ///
  /// - Parameters:
  ///   - anchor: The document or keys that the client knows.
  ///   - catalogTrust: The document number that the catalog names; the store must have all documents up to it.
  /// - Returns: The newest document; nil if neither the anchor nor the catalog names one.
  /// - Throws: `IntegrityError` for a document that is damaged or lacks required signatures; `StoreError`.
  func newestTrust(from anchor: TrustAnchor, catalogTrust: Int64?) throws -> TrustDocument? {
    var newest: TrustDocument
    switch anchor {
    case .document(let document): newest = document
    case .digest(let digest, let version):
      guard let first = try catalogTrust == nil ? trust(version) : requiredTrust(version) else {
        throw IntegrityError(place(of: .catalog), "names no trust document, although one was specified")
      }
      guard first.digest == digest else {
        throw IntegrityError(
          place(of: .trust(version)),
          "is not the trust document that was named: its SHA-256 is \(first.digest.hexadecimal), expected "
            + "\(digest.hexadecimal)")
      }
      try TrustStep.check(first.envelope, after: nil, version: version, at: place(of: .trust(version)))
      newest = first.envelope.document
    case .keys, .none:
      guard catalogTrust != nil else { return nil }
      let first = try requiredTrust(1).envelope
      let place = place(of: .trust(1))
      try TrustStep.check(first, after: nil, version: 1, at: place)
      if case .keys(let isTrusted) = anchor, !first.signers.contains(where: isTrusted) {
        throw IntegrityError(
          place, "is not signed by a key that is trusted for this store", advice: .trustDocument)
      }
      newest = first.document
    }
    return try newestTrust(after: newest, atLeast: catalogTrust ?? 0)
  }

  /// Walks to the newest trust document of the store, which must accept the catalog.
  ///
  /// - Parameters:
  ///   - trust: The trust rules of the client.
  ///   - current: The catalog. If a document does not accept it, the method reads the catalog again without caches,
  ///     which may be stale, and replaces it.
  ///   - allowsExpired: Whether an expired trust document is accepted.
  ///   - record: Receives the rules with the newest document, even if it does not accept the catalog.
  /// - Returns: The rules with the newest trust document.
  /// - Throws: `IntegrityError`, `StoreError`, `FetchError` for an expired trust document, and the errors of `record`.
  func walk(
    _ trust: StoreTrust, _ current: inout CurrentCatalog, allowsExpired: Bool,
    recording record: (StoreTrust) throws -> Void = { _ in }
  ) throws -> StoreTrust {
    func walks(from anchors: [TrustAnchor]) throws -> [TrustWalk] {
      try anchors.compactMap { anchor in
        try newestTrust(from: anchor, catalogTrust: current.catalog.trust).map {
          TrustWalk(firstVersion: anchor.firstVersion, newest: $0)
        }
      }
    }
    func walks() throws -> (own: [TrustWalk], origin: [TrustWalk]) {
      (try walks(from: trust.anchors), try walks(from: [trust.originAnchor].compactMap(\.self)))
    }
    var found = try walks()
    var documents: [TrustDocument] { (found.own + found.origin).map(\.newest) }
    if !documents.allSatisfy({ $0.catalogs.accepts(current.signers) }),
      let direct = try catalogBypassingCaches()
    {
      current = direct
      found = try walks()
    }
    let walked = trust.walked(
      to: found.own.first?.newest, fromOrigin: found.origin.first?.newest,
      following: followed(by: found.own + found.origin))
    try record(walked)
    for document in documents {
      let isSeen = trust.record?.trust?.version == document.version
      try check(current, against: document, isSeen: isSeen, allowsExpired: allowsExpired)
    }
    if walked.isBehind(current), !trust.replaces, let seen = trust.record?.trust,
      let lost = try loss(of: seen)
    {
      throw IntegrityError(
        place(of: .catalog), "is older than one seen before, and \(lost)",
        advice: .trustDocumentLost)
    }
    return walked
  }

  /// Returns the documents that were read on the walks to the newest document of the first walk.
  private func followed(by walks: [TrustWalk]) -> FollowedTrust {
    var followed = FollowedTrust()
    for walk in walks where walk.newest == walks.first?.newest {
      for version in walk.firstVersion..<max(walk.firstVersion, walk.newest.version + 1) {
        if let document = trustDocuments.find(version), let document { followed.add(document) }
      }
    }
    return followed
  }

  /// Walks from a document to the newest one, which has at least the given number.
  func newestTrust(after known: TrustDocument, atLeast minimum: Int64) throws -> TrustDocument {
    var newest = known
    for step in 0... {
      let version = newest.version + 1
      guard let next = try version <= minimum ? requiredTrust(version) : trust(version) else { break }
      guard step < DocumentLimits.maximumTrustStepCount else {
        throw IntegrityError(
          place(of: .trust(newest.version)),
          "is the last of \(DocumentLimits.maximumTrustStepCount) trust documents, the maximum at a time; the client "
            + "must name a later one")
      }
      try TrustStep.check(next.envelope, after: newest, version: version, at: place(of: .trust(version)))
      newest = next.envelope.document
    }
    return newest
  }

  /// Reads the trust document with a number, which must exist.
  func requiredTrust(_ version: Int64) throws -> StoredTrust {
    if let known = trustDocuments.find(version), let known { return known }
    return try readTrust(version)
  }

  /// Reads the trust document with a number; nil if the store has none.
  ///
  /// A web server may answer a request for a missing object with 403 or a web page. Such an answer counts as a missing
  /// document: an attacker who can send it could also remove the document.
  func trust(_ version: Int64) throws -> StoredTrust? {
    if let known = trustDocuments.find(version) { return known }
    let path = StorePath.trust(version)
    do throws(StoreError) {
      meter.addRequest()
      guard let status = try store.status(of: path), !status.isWebPage else {
        trustDocuments.add(nil, version)
        return nil
      }
    } catch {
      guard error.reason == .denied || error.reason == .missing else { throw error }
      trustDocuments.add(nil, version)
      return nil
    }
    return try readTrust(version)
  }

  private func readTrust(_ version: Int64) throws -> StoredTrust {
    let path = StorePath.trust(version)
    let place = place(of: path)
    let found = try repeating { store in
      let object: StoredObject?
      do {
        object = try self.object(at: path, in: store, limit: DocumentLimits.maximumTrustBytes)
      } catch let error as StoreError where error.reason == .missing {
        object = nil
      }
      // A mirror may receive the catalog before the trust document that it names.
      guard let object else { throw DamagedDocument(Self.missing(place)) }
      do throws(DocumentError) {
        return StoredTrust(
          envelope: try TrustEnvelope(bytes: object.bytes), bytes: object.bytes, tag: object.tag)
      } catch {
        throw DamagedDocument(
          Self.encodingError(place, object.encoding)
            ?? IntegrityError(place, "cannot be read: \(error.message)"))
      }
    }
    trustDocuments.add(found, version)
    return found
  }

  /// Returns a clause for messages about a trust document that a client saw in the store before, and that is missing now.
  ///
  /// - Returns: Nil if the store has the document.
  func loss(of seen: TrustDocument) throws -> String? {
    guard try trust(seen.version) == nil else { return nil }
    let earlier = max(1, seen.version - DocumentLimits.maximumLostTrustCount)..<seen.version
    let newest = try earlier.reversed().first { try trust($0) != nil }
    let others =
      newest.map { ", and the newest trust document is trust/\($0).json" }
      ?? (earlier.isEmpty ? "" : ", as are all from trust/\(earlier.lowerBound).json on")
    return "trust/\(seen.version).json, which was seen before, is missing there\(others)"
  }

  /// Verifies a catalog by the keys or the trust document that the user named.
  ///
  /// - Throws: `IntegrityError`, `StoreError`.
  func check(_ current: CurrentCatalog, by trusted: TrustedKeys) throws {
    let newest = try newestTrust(from: trusted.anchor, catalogTrust: current.catalog.trust)
    guard let newest else { return try current.check(trusted, place: place(of: .catalog)) }
    try check(current, against: newest)
  }

  /// Returns whether the keys or the trust document that the user named accept a catalog.
  ///
  /// - Throws: `StoreError`.
  package func accepts(_ current: CurrentCatalog, by named: NamedKeys) throws -> Bool {
    do {
      try check(current, by: named.keys)
      return true
    } catch is IntegrityError {
      return false
    } catch let error as StoreError where error.reason == .missing {
      return false  // a store without the named trust document
    }
  }

  /// Verifies that a trust document accepts a catalog; `isSeen` is true if a client saw the document in this store before.
  ///
  /// - Throws: `IntegrityError`, and `FetchError` for an expired trust document.
  func check(
    _ current: CurrentCatalog, against trust: TrustDocument, isSeen: Bool = false, allowsExpired: Bool = true
  ) throws {
    let place = place(of: .catalog)
    if let number = current.catalog.trust, number > trust.version {
      throw IntegrityError(
        place, "was made under trust document \(number), and the newest is \(trust.version)")
    }
    let loss = try isSeen && !trust.catalogs.accepts(current.signers) ? loss(of: trust) : nil
    try current.check(trust, found: loss, place: place)
    if let expires = trust.expires, expires < .now, !allowsExpired {
      throw FetchError.trustExpired(store: store.name, version: trust.version, expires)
    }
  }
}

/// A walk through the trust documents of a store.
private struct TrustWalk {
  /// The number of the first document that was read.
  let firstVersion: Int64
  let newest: TrustDocument
}
