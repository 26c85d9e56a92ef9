/// Where a product was fetched from, which `Documents` remembers with it.
package struct ProductOrigin: Sendable, Equatable {
  /// The store, as `--from` names it; a folder by its absolute path.
  package let store: String
  package let channel: Channel
  /// The fingerprint of the key that signed the catalog; nil if nobody did.
  package let signer: String?
  /// The highest sequence number of a catalog of this store that was seen.
  package let sequence: Int64

  package init(store: String, channel: Channel, signer: String?, sequence: Int64) {
    self.store = store
    self.channel = channel
    self.signer = signer
    self.sequence = sequence
  }

  /// What is to be remembered once a catalog with this number was seen; nil where that is nothing new.
  func seeing(_ sequence: Int64, of store: String) -> ProductOrigin? {
    guard store == self.store, sequence > self.sequence else { return nil }
    return ProductOrigin(store: store, channel: channel, signer: signer, sequence: sequence)
  }

  /// Looks whether a catalog is by the same publisher as the one that was seen, and can be a later state of it if it is
  /// from the same store.
  ///
  /// - Parameters:
  ///   - current: the catalog.
  ///   - other: the store that has it.
  ///   - place: where it is, for messages.
  ///   - allowsOtherSigner: whether somebody else may have signed it, whom the caller trusts.
  /// - Throws: `Untrustworthy` if it is not.
  func check(
    _ current: CurrentCatalog, of other: String, at place: String, allowsOtherSigner: Bool
  ) throws(Untrustworthy) {
    // Where nobody had signed, a signature only adds to what is known.
    if let signer, !allowsOtherSigner, current.signer?.fingerprint != signer {
      let found = current.signer.map { "is signed by \($0.fingerprint)" } ?? "is not signed"
      throw Untrustworthy(
        place,
        "\(found), expected the key \(signer) as before; if the publisher has another key now, name it with --trust"
      )
    }
    guard other != store || current.catalog.sequence >= sequence else {
      throw Untrustworthy(
        place,
        "has the sequence number \(current.catalog.sequence), although \(sequence) was seen before: it is an older "
          + "state, which somebody may have put back")
    }
  }
}

extension ProductOrigin {
  static let longestStore = 8 << 10

  /// The bytes of the note, over those of one that another run may have made meanwhile: the highest sequence number of a
  /// store is remembered.
  @Sendable package func bytes(over known: [UInt8]?) -> [UInt8] {
    let known = known.flatMap { try? ProductOrigin(bytes: $0) }
    let sequence = known?.store == store ? max(sequence, known?.sequence ?? 0) : sequence
    var writer = JSONWriter()
    writer.object {
      $0.member("store", store)
      $0.member("channel", channel.text)
      $0.member("signer", signer)
      $0.member("sequence", sequence)
    }
    return writer.line()
  }

  /// Reads a note.
  package init(bytes: [UInt8]) throws(DocumentError) {
    var (store, channel): (String?, Channel?)
    var signer: String?
    var sequence: Int64?
    var reader = JSONReader(bytes)
    try reader.document { (reader) throws(DocumentError) in
      try reader.object { (key, reader) throws(DocumentError) in
        switch key {
        case "store": store = try reader.string(atMost: Self.longestStore)
        case "channel": channel = Channel(try reader.string(atMost: Channel.maximumLength))
        case "signer":
          signer = try reader.unlessNull { (reader) throws(DocumentError) in
            try reader.string(atMost: DocumentLimits.pathBytes)
          }
        case "sequence": sequence = try reader.integer(in: 0...DocumentLimits.largestSequence)
        default: try reader.skip()
        }
      }
    }
    guard let store, let channel, let sequence else {
      throw DocumentError("it lacks one of store, channel and sequence")
    }
    self.init(store: store, channel: channel, signer: signer, sequence: sequence)
  }
}
