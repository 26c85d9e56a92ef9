package import ContentPackage
package import StrictJSON
import Support

/// The release that an interrupted download belongs to, stored in `Documents` beside the received files.
package struct DownloadNote: Sendable {
  /// The store, in the form of `ProductOrigin.store`.
  package let store: String
  /// The version that is downloaded.
  package let contentVersion: ContentVersion
  /// The requested release, without the version of the app; the default request if the note has none.
  let choice: ReleaseChoice
  /// The uncompressed size of all files and links, in bytes.
  package let contentBytes: Int64
  /// The digest of the package; nil in notes that lack it.
  let package: SHA256Digest?

  init(
    store: String, contentVersion: ContentVersion, choice: ReleaseChoice, contentBytes: Int64,
    package: SHA256Digest?
  ) {
    self.store = store
    self.contentVersion = contentVersion
    self.choice = choice
    self.contentBytes = contentBytes
    self.package = package
  }

  /// The serialized note.
  package var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.object {
      $0.member("store", store)
      $0.member("contentVersion", contentVersion.text)
      $0.member("requestedVersion", choice.contentVersion?.text)
      $0.member("channel", choice.channel.text)
      $0.member("contentBytes", contentBytes)
      $0.member("package", package?.hexadecimal)
    }
    return writer.line()
  }

  /// Parses a note.
  package init(bytes: [UInt8]) throws(DocumentError) {
    var (store, contentVersion): (String?, ContentVersion?)
    var choice = ReleaseChoice()
    var contentBytes: Int64?
    var package: SHA256Digest?
    var reader = JSONReader(bytes, limits: DocumentLimits.note)
    try reader.document { (reader) throws(DocumentError) in
      try reader.object { (key, reader) throws(DocumentError) in
        switch key {
        case "store": store = try reader.string(atMost: ProductOrigin.maximumAddressLength)
        case "contentVersion":
          contentVersion = ContentVersion(try reader.string(atMost: DocumentLimits.maximumPathBytes))
        case "requestedVersion":
          choice.contentVersion = try reader.unlessNull { (reader) throws(DocumentError) in
            try reader.string(atMost: DocumentLimits.maximumPathBytes)
          }.flatMap { ContentVersion($0) }
        case "channel":
          choice.channel = Channel(try reader.string(atMost: Channel.maximumLength)) ?? .stable
        case "contentBytes": contentBytes = try reader.integer(in: 0...Int64.max)
        case "package":
          package = try reader.unlessNull { (reader) throws(DocumentError) in try reader.digest() }
        default: try reader.skip()
        }
      }
    }
    guard let store, let contentVersion, let contentBytes else {
      throw DocumentError("it lacks one of store, contentVersion and contentBytes")
    }
    self.init(
      store: store, contentVersion: contentVersion, choice: choice, contentBytes: contentBytes,
      package: package)
  }
}
