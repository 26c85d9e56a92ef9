package import ContentPackage
package import Support

/// The path of an object in a store. Only paths of the store's layout can be created.
package struct StorePath: Hashable, Sendable, CustomStringConvertible {
  /// The kind of an object.
  package enum Kind: Hashable, Sendable {
    case catalog
    /// The release list of a product.
    case product(ProductIdentifier)
    case package(ProductIdentifier)
    /// The head of the index of a package.
    case index(ProductIdentifier)
    /// The pages of the index of a package.
    case pages(ProductIdentifier)
    /// The notes of a release in one language.
    case notes(ProductIdentifier)
    /// The download manifest of self-hosted asset packs.
    case downloadManifest
    /// The archive of a self-hosted asset pack.
    case assetPack
    /// A trust document, by its number.
    case trust(Int64)
    /// The next trust document, which lacks signatures.
    case trustDraft
  }

  package let kind: Kind
  /// The path: ASCII, with components separated by `/`.
  package let text: String
  package var description: String { text }
  /// The product of the object; nil for the catalog, trust documents and asset packs.
  var product: ProductIdentifier? {
    switch kind {
    case .catalog, .trust, .trustDraft, .downloadManifest, .assetPack: nil
    case .product(let product), .package(let product), .index(let product), .pages(let product),
      .notes(let product):
      product
    }
  }
  /// Whether the object is a trust document, or the draft of the next one.
  var isTrust: Bool {
    switch kind {
    case .trust, .trustDraft: true
    default: false
    }
  }
  /// Whether the object changes, so that caches must revalidate it.
  package var changes: Bool { [.catalog, .trustDraft, .downloadManifest].contains(kind) }
  /// Whether the object is a package.
  var isPackage: Bool { if case .package = kind { true } else { false } }

  /// The version of a package, its index, pages and notes; nil for other objects.
  var version: ContentVersion? {
    guard text.hasPrefix("releases/"), let name = text.split(separator: "/").last,
      let dash = name.lastIndex(of: "-")
    else { return nil }
    return ContentVersion(String(name[..<dash]))
  }

  /// The digest of a release list; nil for other objects.
  var digest: SHA256Digest? {
    guard case .product = kind, let name = text.split(separator: "/").last else { return nil }
    return SHA256Digest(hexadecimal: String(name.dropLast(5)))
  }

  init(_ kind: Kind, _ text: String) {
    self.kind = kind
    self.text = text
  }

  package static let catalog = StorePath(.catalog, "catalog.json")
  package static let trustDraft = StorePath(.trustDraft, "trust/draft.json")

  /// Returns the path of the trust document with this number.
  package static func trust(_ version: Int64) -> StorePath {
    StorePath(.trust(version), "trust/\(version).json")
  }

  /// Returns the noun for the object at an address of a store, for messages.
  static func kind(ofObjectAt address: String) -> String {
    address.hasSuffix(catalog.text) ? "a catalog" : "an object of a store"
  }

  /// The top-level folders of a store.
  package static let folders = ["products", "releases", "trust"]

  /// Returns the path of a product's release list with this digest.
  package static func product(_ product: ProductIdentifier, _ digest: SHA256Digest) -> StorePath {
    StorePath(.product(product), "products/\(product)/\(digest.hexadecimal).json")
  }

  /// Returns the path of a version's package with this digest.
  package static func package(
    _ product: ProductIdentifier, _ version: ContentVersion, _ digest: SHA256Digest
  ) -> StorePath {
    StorePath(.package(product), release(product, version, digest) + ".pkg")
  }

  /// Returns the path of the head of a version's index with this digest.
  package static func index(
    _ product: ProductIdentifier, _ version: ContentVersion, _ digest: SHA256Digest
  ) -> StorePath {
    StorePath(.index(product), release(product, version, digest) + ".json")
  }

  /// Returns the path of the pages of a version's index with this digest.
  package static func pages(
    _ product: ProductIdentifier, _ version: ContentVersion, _ digest: SHA256Digest
  ) -> StorePath {
    StorePath(.pages(product), release(product, version, digest) + ".pages")
  }

  /// Returns the path of notes of a version with this digest.
  package static func notes(
    _ product: ProductIdentifier, _ version: ContentVersion, _ format: NoteFormat, _ digest: SHA256Digest
  ) -> StorePath {
    StorePath(.notes(product), release(product, version, digest) + format.suffix)
  }

  private static func release(
    _ product: ProductIdentifier, _ version: ContentVersion, _ digest: SHA256Digest
  ) -> String {
    "releases/\(product)/\(version)-\(digest.hexadecimal.prefix(releaseDigitCount))"
  }

  /// The number of hexadecimal digits of the digest in the name of a release's object.
  package static let releaseDigitCount = 16
  /// The maximum length of a version in the name of a release: a file name has at most 255 bytes, including `-`, the
  /// digits and `.pages`.
  package static let maximumVersionLength = 255 - 1 - releaseDigitCount - 6

  /// Parses a path; nil if the layout has no such path.
  package init?(_ text: String) {
    switch text {
    case Self.catalog.text:
      self = .catalog
      return
    case Self.trustDraft.text:
      self = .trustDraft
      return
    default: break
    }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    if parts.count == 2, parts[0] == "trust" {
      guard let version = Int64(parts[1].dropLast(5)), version > 0, Self.trust(version).text == text else {
        return nil
      }
      self = .trust(version)
      return
    }
    guard parts.count == 3, let product = ProductIdentifier(parts[1]) else { return nil }
    switch parts[0] {
    case "products":
      guard parts[2].hasSuffix(".json"), SHA256Digest(hexadecimal: String(parts[2].dropLast(5))) != nil else {
        return nil
      }
      self.init(.product(product), text)
    case "releases":
      let kinds: [(suffix: String, kind: Kind)] =
        [(".pkg", .package(product)), (".json", .index(product)), (".pages", .pages(product))]
        + NoteFormat.allCases.map { ($0.suffix, .notes(product)) }
      guard let (suffix, kind) = kinds.first(where: { parts[2].hasSuffix($0.suffix) }) else { return nil }
      let name = parts[2].dropLast(suffix.count)
      guard let dash = name.lastIndex(of: "-"), name[..<dash].utf8.count <= Self.maximumVersionLength,
        ContentVersion(String(name[..<dash])) != nil, Self.areDigits(name[name.index(after: dash)...])
      else { return nil }
      self.init(kind, text)
    default: return nil
    }
  }

  private static func areDigits(_ text: Substring) -> Bool {
    text.utf8.count == releaseDigitCount
      && text.utf8.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
      }
  }
}
