import ContentPackage
import PackageForge
import SafeFiles
import Support
import TestSupport
import Testing
import ZipArchive

@testable import Delivery

/// A release of files, with the documents that lead to it. Large files have chunks.
struct ForgedRelease {
  /// The number of bytes before each entry's data, such as its local header.
  private static let gap = 60
  private static let minimumDeflatedSize = 1 << 20

  /// The documents by path, including the package.
  private(set) var documents: [String: [UInt8]] = [:]
  private(set) var packagePath = ""
  private(set) var indexPath = ""
  private(set) var pagesPath = ""
  /// The list of the product's releases, which has this one only.
  private(set) var list: ProductReleases

  /// Creates a release of `files` with their contents, followed by `links` with their targets.
  ///
  /// The index contains the targets if `includesTargets` is set. With `deflates`, files of a megabyte or more are deflated,
  /// and all others stored. The catalog has the number `sequence`, and is unsigned without a signer. The release has notes
  /// by language, and metadata.
  init(
    _ product: ProductIdentifier, _ version: String, _ files: [(path: String, bytes: [UInt8])],
    links: [(path: String, target: String)] = [], includesTargets: Bool = false, deflates: Bool = false,
    channel: Channel = .stable, minimumAppVersion: ContentVersion? = nil,
    sequence: Int64 = 1, notes: [String: String] = [:], metadata: [String: String] = [:],
    signer: TestSigner? = nil
  ) throws {
    list = ProductReleases(productIdentifier: product)
    var pairs = ReleaseMetadata()
    for (key, value) in metadata { try pairs.add(key, value) }
    let contentVersion = try #require(ContentVersion(version))
    let manifest = Array(ForgedArchive.manifest(product.text, version).utf8)
    var package: [UInt8] = []
    func entry(_ path: String, _ kind: IndexEntry.Kind, _ bytes: [UInt8]) throws -> IndexEntry {
      package += [UInt8](repeating: 0x50, count: Self.gap)
      let offset = Int64(package.count)
      let isDeflated = deflates && bytes.count >= Self.minimumDeflatedSize
      let (chunks, packed) = Self.chunks(of: bytes, deflated: isDeflated)
      package += packed
      return IndexEntry(
        path: EntryPath(path), kind: kind, mode: 0o644, size: Int64(bytes.count),
        digest: SHA256Digest(of: bytes), method: isDeflated ? .deflated : .stored,
        offset: offset, packedSize: Int64(packed.count), crc32: CRC32.checksum(bytes),
        target: kind == .link && includesTargets ? bytes : nil, chunks: chunks)
    }
    let entries =
      try ([("ContentInfo.plist", manifest)] + files).map { try entry($0, .file, $1) }
      + links.map { try entry($0, .link, Array($1.utf8)) }
    package += [UInt8](repeating: 0x51, count: Self.gap)
    let index = try PagedIndex(of: entries, manifest: manifest)
    let pages = try index.pages.bytes(at: 0, count: Int(index.pages.byteCount))
    let release = Release(
      contentVersion: contentVersion, channel: channel, minimumAppVersion: minimumAppVersion,
      published: Timestamp(seconds: 1), contentBytes: files.reduce(0) { $0 + Int64($1.bytes.count) },
      files: Int64(files.count), package: add(package) { .package(product, contentVersion, $0) },
      index: add(index.head.bytes) { .index(product, contentVersion, $0) },
      pages: add(pages) { .pages(product, contentVersion, $0) },
      notes: try notes.map { language, text in
        ReleaseNote(
          language: try #require(LanguageTag(language)), format: .plain,
          object: add(Array(text.utf8)) { .notes(product, contentVersion, .plain, $0) })
      }, metadata: pairs)
    list.insert(release)
    packagePath = release.package.path.text
    indexPath = release.index.path.text
    pagesPath = release.pages.path.text
    var catalog = Catalog(sequence: sequence, published: Timestamp(seconds: 1))
    catalog.products[product] = .init(
      contentVersion: contentVersion,
      releases: add(list.bytes) { .product(product, $0) })
    documents[StorePath.catalog.text] =
      CatalogEnvelope(
        payload: catalog.payload, signature: try signer?.sign(catalog.payload)
      ).bytes
  }

  /// Returns the chunks of a file and its data; no chunks for a small one.
  private static func chunks(
    of bytes: [UInt8], deflated: Bool
  ) -> (chunks: [Chunk], packed: [UInt8]) {
    guard bytes.count >= ChunkCutter.minimumFileSize else {
      return ([], deflated ? Deflate.packed(bytes) : bytes)
    }
    var cut: [(size: Int, digest: ChunkDigest)] = []
    var hasher = ChunkHasher()
    hasher.update(unsafe bytes.borrowedSpan.bytes) { cut.append(($0, $1)) }  // UInt8 has no padding
    hasher.finish { cut.append(($0, $1)) }
    var (chunks, packed, start) = ([Chunk](), [UInt8](), 0)
    for (size, digest) in cut {
      let before = packed.count
      if deflated {
        packed += Deflate.packed(Array(bytes[start..<start + size]), isFinal: start + size == bytes.count)
      } else {
        packed += bytes[start..<start + size]
      }
      chunks.append(Chunk(size: size, packedSize: packed.count - before, digest: digest))
      start += size
    }
    return (chunks, packed)
  }

  /// Adds a document under the path for its digest.
  private mutating func add(_ bytes: [UInt8], _ path: (SHA256Digest) -> StorePath) -> ObjectReference {
    let digest = SHA256Digest(of: bytes)
    let reference = ObjectReference(path: path(digest), byteCount: Int64(bytes.count), digest: digest)
    documents[reference.path.text] = bytes
    return reference
  }

  /// Writes the documents as a folder store.
  func write(to folder: TemporaryFolder, _ store: String) throws {
    for (path, bytes) in documents {
      try folder.makeFolder("\(store)/\(path.split(separator: "/").dropLast().joined(separator: "/"))")
      try folder.write(bytes, to: "\(store)/\(path)")
    }
  }
}
