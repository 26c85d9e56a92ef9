import ContentPackage
package import SafeFiles
package import StrictJSON
package import Support
import ZipArchive

/// The first document of a release's index: the manifest, and the pages that list the entries.
///
/// A page lists consecutive entries of the package. It has no absolute offsets: a page of unchanged entries is the same
/// in the next release, and clients that have the page do not request it again.
package struct IndexHead: Sendable, Equatable {
  static let format = "iapkg-index-2"

  /// The bytes of `ContentInfo.plist`.
  package let manifest: [UInt8]
  /// The pages, in the order of their entries.
  package let pages: [IndexPage]
  /// The offset of each page in the object of all pages.
  private let starts: [Int64]

  package init(manifest: [UInt8], pages: [IndexPage]) {
    self.manifest = manifest
    self.pages = pages
    var start: Int64 = 0
    starts = pages.map { page in
      defer { start += Int64(page.packedSize) }
      return start
    }
  }

  /// The uncompressed size of all pages, in bytes.
  var contentBytes: Int { pages.reduce(0) { $0 + Int($1.size) } }

  /// Returns the range of a page in the object of all pages.
  func range(of page: Int) -> Range<Int64> { starts[page]..<starts[page] + Int64(pages[page].packedSize) }

  /// Returns the plan of the requests for pages with these indices, which must be in ascending order.
  func plan(of pages: [UInt32]) -> TransferPlan {
    TransferPlan(
      of: pages.map { TransferPlan.Part(range: range(of: Int($0)), entry: $0) }, merging: .ofPages)
  }

  /// Returns the number of bytes of an index that a client requests; `hasPage` returns whether the client has a page.
  func transferBytes(without hasPage: (Int) -> Bool) -> Int64 {
    let missing = pages.indices.filter { !hasPage($0) }.map { UInt32($0) }
    return Int64(bytes.count) + plan(of: missing).bytes
  }

  /// Returns the size of a head, which depends only on the manifest and on the number of pages.
  static func byteCount(manifest: [UInt8], pageCount: Int) -> Int64 {
    let page = IndexPage(digest: .none, packedSize: 1, size: 1, entryCount: 1, offset: 0)
    return Int64(IndexHead(manifest: manifest, pages: Array(repeating: page, count: pageCount)).bytes.count)
  }

  /// The head as a document. The digests and sizes of the pages are one string, because there may be thousands.
  package var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.object {
      $0.member("format", Self.format)
      $0.member("manifest", Base64.standard.encode(manifest))
      $0.member("pages", Base64.standard.encode(pages.flatMap(\.record)))
    }
    return writer.line()
  }

  /// Parses the head of an index for a package of `packageBytes` bytes. The compressed pages have `pageBytes` bytes
  /// together.
  package init(bytes: any ByteSource, packageBytes: Int64, pageBytes: Int64) throws(DocumentError) {
    var format: String?
    var manifest: [UInt8]?
    var records: [UInt8]?
    var reader = JSONReader(bytes, limits: DocumentLimits.index)
    try reader.document { (reader) throws(DocumentError) in
      try reader.object { (key, reader) throws(DocumentError) in
        switch key {
        case "format": format = try reader.string(atMost: DocumentLimits.maximumWordBytes)
        case "manifest": manifest = try reader.base64(atMost: Int(Limits.maximumManifestBytes))
        case "pages": records = try reader.base64(atMost: DocumentLimits.maximumHeadBytes)
        default: try reader.skip()
        }
      }
    }
    guard format == Self.format else {
      throw DocumentError(
        "its format is \(format.map { "'\($0)'" } ?? "missing"), expected '\(Self.format)'")
    }
    guard let manifest, let records else { throw DocumentError("the index lacks its manifest or pages") }
    guard records.count.isMultiple(of: IndexPage.recordSize) else {
      throw DocumentError("the list of pages ends within a page")
    }
    let pages = stride(from: 0, to: records.count, by: IndexPage.recordSize).map {
      IndexPage(record: records[$0..<$0 + IndexPage.recordSize])
    }
    try Self.check(pages, packageBytes: packageBytes, pageBytes: pageBytes)
    self.init(manifest: manifest, pages: pages)
  }

  private static func check(
    _ pages: [IndexPage], packageBytes: Int64, pageBytes: Int64
  ) throws(DocumentError) {
    var (entries, size, packedSize) = (0, 0, Int64(0))
    var offset: UInt64 = 0
    for page in pages {
      guard page.entryCount > 0, page.packedSize > 0 else { throw DocumentError("a page is empty") }
      guard max(page.size, page.packedSize) <= DocumentLimits.maximumPageBytes else {
        throw DocumentError(
          "a page has \(max(page.size, page.packedSize)) bytes, expected at most \(DocumentLimits.maximumPageBytes)"
        )
      }
      entries += Int(page.entryCount)
      size += Int(page.size)
      packedSize += Int64(page.packedSize)
      guard page.offset >= offset, page.offset <= UInt64(packageBytes) else {
        throw DocumentError(
          "the entries of a page begin at \(page.offset), expected \(offset) to \(packageBytes)")
      }
      offset = page.offset
    }
    guard entries <= Limits.maximumEntryCount else {
      throw DocumentError("there are more than \(Limits.maximumEntryCount) entries")
    }
    guard size <= DocumentLimits.maximumAllPagesBytes else {
      throw DocumentError(
        "the pages have \(size) bytes, expected at most \(DocumentLimits.maximumAllPagesBytes)")
    }
    guard packedSize == pageBytes else {
      throw DocumentError("the pages have \(packedSize) bytes, expected \(pageBytes)")
    }
  }
}

/// The description of a page in the head of an index.
package struct IndexPage: Sendable, Equatable {
  /// The digest of the compressed page.
  package let digest: SHA256Digest
  /// The offset of the first entry's data in the package.
  package let offset: UInt64
  /// The size of the compressed page in bytes.
  package let packedSize: UInt32
  /// The uncompressed size of the page in bytes.
  package let size: UInt32
  package let entryCount: UInt32

  package init(digest: SHA256Digest, packedSize: UInt32, size: UInt32, entryCount: UInt32, offset: UInt64) {
    self.digest = digest
    self.packedSize = packedSize
    self.size = size
    self.entryCount = entryCount
    self.offset = offset
  }

  /// The size of a record in bytes. Every number has a fixed width, so that the size of a head depends only on its
  /// manifest and the number of its pages.
  static let recordSize = SHA256Digest.byteCount + 3 * 4 + 8

  fileprivate var record: [UInt8] {
    var bytes = digest.bytes
    for number in [packedSize, size, entryCount] { bytes.append(littleEndian: number) }
    bytes.append(littleEndian: offset)
    return bytes
  }

  fileprivate init(record: ArraySlice<UInt8>) {
    let numbers = record.dropFirst(SHA256Digest.byteCount)
    self.init(
      digest: SHA256Digest(bytes: record.prefix(SHA256Digest.byteCount)) ?? .none,
      packedSize: numbers.uint32(at: 0), size: numbers.uint32(at: 4), entryCount: numbers.uint32(at: 8),
      offset: numbers.uint64(at: 12))
  }
}
