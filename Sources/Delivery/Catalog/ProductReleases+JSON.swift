package import ContentPackage
package import StrictJSON
import Support

extension ProductReleases {
  /// The release list of the product, as a document.
  package var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.object {
      $0.member("productIdentifier", productIdentifier.text)
      $0.key("releases")
      $0.array { writer in
        for release in releases { writer.object { $0.write(release) } }
      }
      guard !pruned.isEmpty else { return }
      $0.key("pruned")
      $0.array { writer in
        for release in pruned { writer.object { $0.write(release) } }
      }
    }
    return writer.line()
  }

  /// Parses the release list of `product`.
  package init(bytes: [UInt8], of product: ProductIdentifier) throws(DocumentError) {
    var name: String?
    var releases: [Release]?
    var pruned: [PrunedRelease] = []
    var reader = JSONReader(bytes, limits: DocumentLimits.releases)
    try reader.document { (reader) throws(DocumentError) in
      try reader.object { (key, reader) throws(DocumentError) in
        switch key {
        case "productIdentifier": name = try reader.string(atMost: ProductIdentifier.maximumLength)
        case "releases":
          var list: [Release] = []
          try reader.array { (reader) throws(DocumentError) in
            list.append(try Release(&reader, of: product))
          }
          releases = list
        case "pruned":
          var list: [PrunedRelease] = []
          try reader.array { (reader) throws(DocumentError) in list.append(try PrunedRelease(&reader)) }
          pruned = list
        default: try reader.skip()
        }
      }
    }
    guard let name, let releases, !releases.isEmpty else {
      throw DocumentError("the file lacks its product identifier or releases")
    }
    guard name == product.text else {
      throw DocumentError("it holds the releases of '\(name)', expected those of '\(product)'")
    }
    for (newer, older) in zip(releases, releases.dropFirst())
    where newer.contentVersion <= older.contentVersion {
      throw DocumentError(
        "version \(newer.contentVersion) comes before \(older.contentVersion), expected the newest first")
    }
    self.init(productIdentifier: product, releases: releases, pruned: pruned)
  }
}

extension PrunedRelease {
  fileprivate init(_ reader: inout JSONReader) throws(DocumentError) {
    var version: ContentVersion?
    var channel = Channel.stable
    var channels: [Channel]?
    var critical: CriticalRelease?
    var withdrawn: String?
    var digest: SHA256Digest?
    try reader.object { (key, reader) throws(DocumentError) in
      switch key {
      case "contentVersion": version = try reader.version()
      case "channel": channel = try reader.channel()
      case "channels": channels = try reader.channels()
      case "critical": critical = try reader.critical()
      case "withdrawn": withdrawn = try reader.withdrawal()
      case "sha256": digest = try reader.digest()
      default: try reader.skip()
      }
    }
    guard let version, let digest else { throw reader.error("a pruned release lacks its version or sha256") }
    self.init(
      contentVersion: version, channels: try reader.channels(channels, publishedIn: channel),
      critical: critical,
      withdrawn: withdrawn, digest: digest)
  }
}

extension JSONReader {
  fileprivate mutating func channel() throws(DocumentError) -> Channel {
    let text = try string(atMost: DocumentLimits.maximumWordBytes)
    guard let channel = Channel(text) else { throw error("'\(text)' is not a channel") }
    return channel
  }

  /// Reads the channels of a release.
  fileprivate mutating func channels() throws(DocumentError) -> [Channel] {
    var channels: [Channel] = []
    try array { (reader) throws(DocumentError) in
      let channel = try reader.channel()
      guard !channels.contains(channel) else { throw reader.error("the channel '\(channel)' is repeated") }
      guard channels.count < DocumentLimits.maximumChannelCount else {
        throw reader.error("a release has more than \(DocumentLimits.maximumChannelCount) channels")
      }
      channels.append(channel)
    }
    return channels
  }

  /// Returns all channels of a release, the channel of its publication first.
  fileprivate func channels(
    _ channels: [Channel]?, publishedIn channel: Channel
  ) throws(DocumentError) -> [Channel] {
    guard let channels else { return [channel] }
    guard channels.contains(channel) else {
      throw error("the channels of a release lack '\(channel)', the channel of its publication")
    }
    return [channel] + channels.filter { $0 != channel }
  }

  /// Reads the clients of a critical release, or null.
  fileprivate mutating func critical() throws(DocumentError) -> CriticalRelease? {
    try unlessNull { (reader) throws(DocumentError) in try CriticalRelease(&reader) }
  }

  /// Reads the reason of a withdrawal, or null.
  fileprivate mutating func withdrawal() throws(DocumentError) -> String? {
    try unlessNull { (reader) throws(DocumentError) in
      try reader.string(atMost: DocumentLimits.maximumReasonBytes)
    }
  }
}

extension Release {
  fileprivate init(
    _ reader: inout JSONReader, of product: ProductIdentifier
  ) throws(DocumentError) {
    var version: ContentVersion?
    var channel = Channel.stable
    var channels: [Channel]?
    var minimumAppVersion: ContentVersion?
    var maximumAppVersion: ContentVersion?
    var published: Timestamp?
    var withdrawn: String?
    var rollout: Rollout?
    var critical: CriticalRelease?
    var contentBytes: Int64?
    var files: Int64?
    var package = ReferenceFields()
    var index = ReferenceFields()
    var pages = ReferenceFields()
    var noteFields: [NoteFields] = []
    var metadata = ReleaseMetadata()
    try reader.object { (key, reader) throws(DocumentError) in
      switch key {
      case "contentVersion": version = try reader.version()
      case "channel": channel = try reader.channel()
      case "channels": channels = try reader.channels()
      case "minimumAppVersion":
        minimumAppVersion = try reader.unlessNull { (reader) throws(DocumentError) in try reader.version() }
      case "maximumAppVersion":
        maximumAppVersion = try reader.unlessNull { (reader) throws(DocumentError) in try reader.version() }
      case "published": published = try reader.timestamp()
      case "withdrawn": withdrawn = try reader.withdrawal()
      case "rollout":
        rollout = try reader.unlessNull { (reader) throws(DocumentError) in try Rollout(&reader) }
      case "critical": critical = try reader.critical()
      case "contentBytes": contentBytes = try reader.integer(in: 0...Limits.maximumBytes)
      case "files": files = try reader.integer(in: 0...Int64(Limits.maximumEntryCount))
      case "package":
        try reader.object { (key, reader) throws(DocumentError) in try package.read(key, &reader) }
      case "index":
        try reader.object { (key, reader) throws(DocumentError) in try index.read(key, &reader) }
      case "pages":
        try reader.object { (key, reader) throws(DocumentError) in try pages.read(key, &reader) }
      case "notes":
        noteFields =
          try reader.unlessNull { (reader) throws(DocumentError) in try NoteFields.read(&reader) } ?? []
      case "metadata":
        metadata =
          try reader.unlessNull { (reader) throws(DocumentError) in try ReleaseMetadata(&reader) }
          ?? ReleaseMetadata()
      default: try reader.skip()
      }
    }
    guard let version, let published, let contentBytes, let files else {
      throw reader.error("a release lacks its version, date or sizes")
    }
    var notes: [ReleaseNote] = []
    for fields in noteFields { notes.append(try fields.note(of: product, version, reader)) }
    let promotions = try reader.channels(channels, publishedIn: channel).dropFirst()
    self.init(
      contentVersion: version, channel: channel, promotions: Array(promotions),
      minimumAppVersion: minimumAppVersion, maximumAppVersion: maximumAppVersion, published: published,
      withdrawn: withdrawn, rollout: rollout,
      critical: critical,
      contentBytes: contentBytes, files: files,
      package: try package.reference(atMost: Limits.maximumBytes, reader) { .package(product, version, $0) },
      index: try index.reference(atMost: Int64(DocumentLimits.maximumHeadBytes), reader) {
        .index(product, version, $0)
      },
      pages: try pages.reference(atMost: Int64(DocumentLimits.maximumAllPagesBytes), reader) {
        .pages(product, version, $0)
      }, notes: notes, metadata: metadata)
  }
}

extension JSONWriter {
  /// Writes the channels of a release.
  private mutating func write(_ channels: [Channel]) {
    member("channel", channels.first?.text)
    guard channels.count > 1 else { return }
    key("channels")
    array { writer in for channel in channels { writer.string(channel.text) } }
  }

  private mutating func write(_ critical: CriticalRelease?) {
    guard let critical else { return }
    key("critical")
    critical.write(to: &self)
  }

  fileprivate mutating func write(_ release: PrunedRelease) {
    member("contentVersion", release.contentVersion.text)
    write(release.channels)
    write(release.critical)
    member("withdrawn", release.withdrawn)
    member("sha256", release.digest.hexadecimal)
  }

  fileprivate mutating func write(_ release: Release) {
    member("contentVersion", release.contentVersion.text)
    write(release.channels)
    member("minimumAppVersion", release.minimumAppVersion?.text)
    if let maximum = release.maximumAppVersion { member("maximumAppVersion", maximum.text) }
    member("published", release.published.description)
    member("withdrawn", release.withdrawn)
    if let rollout = release.rollout {
      key("rollout")
      rollout.write(to: &self)
    }
    write(release.critical)
    member("contentBytes", release.contentBytes)
    member("files", release.files)
    key("package")
    object { $0.write(release.package) }
    key("index")
    object { $0.write(release.index) }
    key("pages")
    object { $0.write(release.pages) }
    write(release.notes)
    release.metadata.write(to: &self)
  }
}
