#if COMMAND_LINE_TOOL
import ContentPackage
package import StrictJSON

/// The manifest from which the system downloads self-hosted asset packs (`BAManifestURL`).
///
/// Apple does not document the keys of the manifest; three independent public sources agree on them. Unknown keys of a
/// pack are kept.
package struct DownloadManifest: Sendable, Equatable {
  /// The maximum size of a manifest in bytes.
  package static let maximumByteCount = 16 << 20
  /// The maximum version and size: every JSON parser represents integers up to it exactly (RFC 8259, section 6).
  package static let maximumNumber: Int64 = 1 << 53 - 1

  /// The entry of a pack.
  package struct Pack: Sendable, Equatable {
    package let identifier: String
    /// The address of the archive.
    package let address: String
    /// A device downloads the pack if its own version is lower.
    package let version: Int64
    /// The size of the archive in bytes.
    package let byteCount: Int64
    /// The value of `downloadPolicy`: an object with the key `essential`, `prefetch` or `onDemand`.
    package let policy: JSONValue
    /// The object for the app; nil for none.
    package let userInfo: JSONValue?
    /// The members that iapkg does not know.
    let others: [JSONValue.Member]

    package init(
      identifier: String, address: String, version: Int64, byteCount: Int64, policy: JSONValue,
      userInfo: JSONValue?
    ) {
      self.init(
        identifier: identifier, address: address, version: version, byteCount: byteCount, policy: policy,
        userInfo: userInfo, others: [])
    }

    init(
      identifier: String, address: String, version: Int64, byteCount: Int64, policy: JSONValue,
      userInfo: JSONValue?, others: [JSONValue.Member]
    ) {
      self.identifier = identifier
      self.address = address
      self.version = version
      self.byteCount = byteCount
      self.policy = policy
      self.userInfo = userInfo
      self.others = others
    }
  }

  /// The packs, sorted by identifier.
  package var packs: [Pack]

  /// Creates a manifest of packs in any order.
  package init(packs: [Pack]) { self.packs = packs.sorted { $0.identifier < $1.identifier } }

  /// Reads a manifest.
  ///
  /// - Throws: `DocumentError` for a key or value that the system might not accept.
  package init(bytes: [UInt8]) throws(DocumentError) {
    var reader = JSONReader(bytes)
    let document = try reader.document { (reader) throws(DocumentError) in try reader.value() }
    guard case .object(let members) = document, members.count == 1,
      case .array(let values) = document["assetPacks"]
    else { throw DocumentError("it has keys other than assetPacks, or assetPacks is not a list") }
    var packs: [Pack] = []
    for value in values { packs.append(try Pack(value)) }
    guard Set(packs.map(\.identifier)).count == packs.count else {
      throw DocumentError("two asset packs have the same id")
    }
    self.init(packs: packs)
  }

  /// Reads the manifest of a store.
  ///
  /// - Returns: The manifest and its tag; nil if it is missing.
  /// - Throws: `AssetPackHostError.damagedManifest`, `StoreError`.
  static func read(
    from store: any Store, _ layout: AssetPackLayout
  ) throws -> (manifest: DownloadManifest, tag: ObjectTag)? {
    let object: StoredObject?
    do throws(StoreError) {
      object = try store.object(at: layout.manifest, limit: maximumByteCount)
    } catch {
      guard error.reason == .missing else { throw error }
      return nil  // A web server throws for a missing object.
    }
    guard let object else { return nil }
    do throws(DocumentError) {
      return (try DownloadManifest(bytes: object.bytes), object.tag)
    } catch {
      throw AssetPackHostError.damagedManifest(
        manifest: "\(store.name)/\(layout.manifest)", reason: error.message)
    }
  }

  /// The manifest as a JSON document.
  package var bytes: [UInt8] {
    let document = JSONValue.object([.init("assetPacks", .array(packs.map(\.value)))])
    return Array((document.formatted + "\n").utf8)
  }
}

extension DownloadManifest.Pack {
  private static let thirdParty = JSONValue.object([.init("thirdParty", .object([]))])

  fileprivate init(_ value: JSONValue) throws(DocumentError) {
    guard case .object(let members) = value, case .string(let identifier) = value["id"], !identifier.isEmpty
    else {
      throw DocumentError("an asset pack has no id")
    }
    func number(_ key: String) throws(DocumentError) -> Int64 {
      guard case .number(let text) = value[key], let number = Int64(text),
        (0...DownloadManifest.maximumNumber).contains(number)
      else {
        throw DocumentError(
          "\(key) of the asset pack '\(identifier)' is not a whole number from 0 to \(DownloadManifest.maximumNumber)"
        )
      }
      return number
    }
    guard case .string(let address) = value["url"], address.hasPrefix("https://") else {
      throw DocumentError("url of the asset pack '\(identifier)' does not begin with https://")
    }
    guard let policy = value["downloadPolicy"], case .object(let kinds) = policy, kinds.count == 1,
      ["essential", "prefetch", "onDemand"].contains(kinds[0].key)
    else {
      throw DocumentError(
        "downloadPolicy of the asset pack '\(identifier)' is not exactly one of essential, prefetch and onDemand"
      )
    }
    guard value["host"] == Self.thirdParty else {
      throw DocumentError("host of the asset pack '\(identifier)' is not {\"thirdParty\": {}}")
    }
    let userInfo = value["userInfo"]
    if let userInfo, userInfo.kind != JSONValue.object([]).kind {
      throw DocumentError("userInfo of the asset pack '\(identifier)' is not an object")
    }
    let known: Set = ["id", "url", "version", "downloadSize", "downloadPolicy", "host", "userInfo"]
    self.init(
      identifier: identifier, address: address, version: try number("version"),
      byteCount: try number("downloadSize"), policy: policy, userInfo: userInfo,
      others: members.filter { !known.contains($0.key) })
  }

  fileprivate var value: JSONValue {
    var members: [JSONValue.Member] = [
      .init("id", .string(identifier)), .init("url", .string(address)),
      .init("version", .number(String(version))),
      .init("downloadSize", .number(String(byteCount))), .init("downloadPolicy", policy),
      .init("host", Self.thirdParty),
    ]
    if let userInfo { members.append(.init("userInfo", userInfo)) }
    return .object(members + others)
  }
}
#endif
