package import ContentPackage
package import StrictJSON

/// The store and the channel that a product was fetched from, recorded in `Documents`.
package struct ProductOrigin: Sendable, Equatable {
  /// The trust data that earlier versions recorded for each product, now in the `StoreRecord` of the store.
  struct Earlier: Sendable, Equatable {
    /// The fingerprint of the key that signed the catalog; nil for a catalog without a signature.
    let signer: String?
    /// The highest catalog sequence number seen.
    let sequence: Int64
  }

  /// The maximum length of the address of a store in bytes.
  static let maximumAddressLength = 8 << 10

  /// The store, in the form of `StoreLocation.absolute(_:)`.
  package let store: String
  /// The requested channel, which later updates follow.
  package let channel: Channel
  let earlier: Earlier?

  /// Creates the origin of a fetched product; `store` has the form of `StoreLocation.absolute(_:)`.
  package init(store: String, channel: Channel) {
    self.store = store
    self.channel = channel
    earlier = nil
  }

  /// The serialized note.
  package var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.object {
      $0.member("store", store)
      $0.member("channel", channel.text)
    }
    return writer.line()
  }

  /// Parses a note.
  package init(bytes: [UInt8]) throws(DocumentError) {
    var (store, channel): (String?, Channel?)
    var signer: String?
    var sequence: Int64?
    var reader = JSONReader(bytes, limits: DocumentLimits.note)
    try reader.document { (reader) throws(DocumentError) in
      try reader.object { (key, reader) throws(DocumentError) in
        switch key {
        case "store": store = try reader.string(atMost: Self.maximumAddressLength)
        case "channel": channel = Channel(try reader.string(atMost: Channel.maximumLength))
        case "signer":
          signer = try reader.unlessNull { (reader) throws(DocumentError) in
            try reader.string(atMost: DocumentLimits.maximumPathBytes)
          }
        case "sequence": sequence = try reader.integer(in: 0...DocumentLimits.maximumSequence)
        default: try reader.skip()
        }
      }
    }
    guard let store, let channel else { throw DocumentError("it lacks one of store and channel") }
    self.store = store
    self.channel = channel
    earlier = sequence.map { Earlier(signer: signer, sequence: $0) }
  }
}
