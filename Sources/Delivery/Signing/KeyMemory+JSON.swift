import ContentPackage
import StrictJSON
import Support

/// The file of a key's memory. Earlier versions of iapkg wrote only `versions`, or no `list`, and skip unknown members.
extension KeyMemory {
  static func document(_ entries: [Entry]) -> [UInt8] {
    var writer = JSONWriter()
    writer.object {
      $0.key("stores")
      $0.array { writer in
        for entry in entries {
          writer.object {
            $0.member("store", entry.store)
            $0.member("sequence", entry.sequence)
            if let catalog = entry.catalog { $0.member("catalog", catalog.hexadecimal) }
            if let trust = entry.trust {
              $0.member("trust", trust.version)
              $0.member("firstTrust", trust.first.hexadecimal)
            }
            if let text = entry.signedFirst { $0.member("signedTrust", text.hexadecimal) }
            $0.key("products")
            $0.array { writer in
              let products = Set(entry.releases.keys).union(entry.lists.keys)
              for product in products.sorted(by: { $0.text < $1.text }) {
                writer.object {
                  $0.member("productIdentifier", product.text)
                  if let list = entry.lists[product] { $0.member("list", list.hexadecimal) }
                  if let versions = entry.releases[product] { write(versions, to: &$0) }
                }
              }
            }
          }
        }
      }
    }
    return writer.line()
  }

  /// Writes the members for the releases of a product, without empty lists.
  private static func write(_ releases: [String: Release], to writer: inout JSONWriter) {
    let versions = releases.sorted { $0.key < $1.key }
    write("versions", versions.map(\.key), to: &writer)
    write("lost", versions.filter(\.value.isLost).map(\.key), to: &writer)
    write("withdrawn", versions.filter(\.value.isWithdrawn).map(\.key), to: &writer)
    guard versions.contains(where: { $0.value.digest != nil }) else { return }
    writer.key("packages")
    writer.array { writer in
      for (version, release) in versions {
        guard let digest = release.digest else { continue }
        writer.object {
          $0.member("contentVersion", version)
          $0.member("sha256", digest.hexadecimal)
        }
      }
    }
  }

  private static func write(_ name: String, _ versions: [String], to writer: inout JSONWriter) {
    guard !versions.isEmpty else { return }
    writer.key(name)
    writer.array { writer in
      for version in versions { writer.string(version) }
    }
  }

  static func entries(in bytes: [UInt8]) throws(DocumentError) -> [Entry] {
    var entries: [Entry] = []
    var reader = JSONReader(bytes, limits: DocumentLimits.note)
    try reader.object { (key, reader) throws(DocumentError) in
      guard key == "stores" else { return try reader.skip() }
      try reader.array { (reader) throws(DocumentError) in
        var (store, sequence, version): (String?, Int64?, Int64?)
        var (catalog, first, signedFirst): (SHA256Digest?, SHA256Digest?, SHA256Digest?)
        var (releases, lists): (Releases, Lists) = ([:], [:])
        try reader.object { (key, reader) throws(DocumentError) in
          switch key {
          case "store": store = try reader.string(atMost: ProductOrigin.maximumAddressLength)
          case "sequence": sequence = try reader.integer(in: 0...DocumentLimits.maximumSequence)
          case "trust": version = try reader.integer(in: 1...DocumentLimits.maximumSequence)
          case "catalog": catalog = try Self.digest(&reader)
          case "firstTrust": first = try Self.digest(&reader)
          case "signedTrust": signedFirst = try Self.digest(&reader)
          case "products":
            try reader.array { (reader) throws(DocumentError) in
              try Self.read(&releases, &lists, &reader)
            }
          default: try reader.skip()
          }
        }
        guard let store, let sequence, entries.count < maximumStoreCount else { return }
        let trust = version.flatMap { version in first.map { Trust(version: version, first: $0) } }
        entries.append(
          Entry(
            store: store, sequence: sequence, releases: releases, catalog: catalog, lists: lists,
            trust: trust, signedFirst: signedFirst))
      }
    }
    return entries
  }

  private static func digest(_ reader: inout JSONReader) throws(DocumentError) -> SHA256Digest? {
    SHA256Digest(hexadecimal: try reader.string(atMost: DocumentLimits.maximumWordBytes))
  }

  private static func read(
    _ releases: inout Releases, _ lists: inout Lists, _ reader: inout JSONReader
  ) throws(DocumentError) {
    var product: ProductIdentifier?
    var list: SHA256Digest?
    var (versions, lost, withdrawn): (Set<String>, Set<String>, Set<String>) = ([], [], [])
    var digests: [String: SHA256Digest] = [:]
    try reader.object { (key, reader) throws(DocumentError) in
      switch key {
      case "productIdentifier":
        product = ProductIdentifier(try reader.string(atMost: DocumentLimits.maximumWordBytes))
      case "list": list = try Self.digest(&reader)
      case "versions": try Self.read(&versions, &reader)
      case "lost": try Self.read(&lost, &reader)
      case "withdrawn": try Self.read(&withdrawn, &reader)
      case "packages":
        try reader.array { (reader) throws(DocumentError) in
          var (version, digest): (String?, SHA256Digest?)
          try reader.object { (key, reader) throws(DocumentError) in
            switch key {
            case "contentVersion": version = try reader.string(atMost: StorePath.maximumVersionLength)
            case "sha256": digest = try Self.digest(&reader)
            default: try reader.skip()
            }
          }
          if let version { digests[version] = digest }
        }
      default: try reader.skip()
      }
    }
    guard let product else { return }
    lists[product] = list
    guard !versions.isEmpty else { return }
    releases[product] = Dictionary(
      uniqueKeysWithValues: versions.map {
        (
          $0,
          Release(
            digest: digests[$0], isLost: lost.contains($0), isWithdrawn: withdrawn.contains($0))
        )
      })
  }

  private static func read(_ versions: inout Set<String>, _ reader: inout JSONReader) throws(DocumentError) {
    try reader.array { (reader) throws(DocumentError) in
      versions.insert(try reader.string(atMost: StorePath.maximumVersionLength))
    }
  }
}
