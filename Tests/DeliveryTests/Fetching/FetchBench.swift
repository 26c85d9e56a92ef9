import ContentPackage
import Foundation
import Installation
import Support
import TestSupport
import Testing

@testable import Delivery

/// Store folders of forged releases, which a test changes as a publisher or an attacker does, and their clients.
struct FetchBench: Sendable {
  typealias Files = [(path: String, bytes: [UInt8])]

  let folder: TemporaryFolder
  let product: ProductIdentifier
  let other: ProductIdentifier

  init() throws {
    folder = try TemporaryFolder()
    product = try #require(ProductIdentifier("com.example.book"))
    other = try #require(ProductIdentifier("com.example.other"))
  }

  static func book(cover: String = "a cover") -> Files {
    [("Contents/cover.txt", Array(cover.utf8)), ("Contents/pages/one.txt", Array("page one".utf8))]
  }

  // MARK: Publishers

  /// Publishes a version in the next catalog of a store.
  func publish(
    _ version: String, _ files: Files = book(), of product: ProductIdentifier? = nil,
    to store: String = "store", by signers: TestSigner..., channel: Channel = .stable,
    minimumAppVersion: String? = nil, _ edit: (inout Release) throws -> Void = { _ in }
  ) throws {
    let forged = try ForgedRelease(
      product ?? self.product, version, files, channel: channel,
      minimumAppVersion: minimumAppVersion.flatMap(ContentVersion.init))
    for (path, bytes) in forged.documents where path.hasPrefix("releases/") {
      try folder.write(bytes, to: "\(store)/\(path)")
    }
    try change(of: product, in: store, by: signers) { list in
      for var release in forged.list.releases {
        try edit(&release)
        list.releases.removeAll { $0.contentVersion == release.contentVersion }
        list.insert(release)
      }
    }
  }

  /// Changes a release in the next catalog of a store.
  func edit(
    _ version: String, of product: ProductIdentifier? = nil, in store: String = "store",
    by signers: TestSigner..., changing edit: (inout Release) -> Void
  ) throws {
    try change(of: product, in: store, by: signers) { list in
      for index in list.releases.indices where list.releases[index].contentVersion.text == version {
        edit(&list.releases[index])
      }
    }
  }

  /// Removes a release in the next catalog of a store, which keeps its version.
  func prune(
    _ version: String, of product: ProductIdentifier? = nil, in store: String = "store",
    by signers: TestSigner...
  ) throws {
    try change(of: product, in: store, by: signers) { list in
      list.prune(list.releases.filter { $0.contentVersion.text == version })
    }
  }

  private func change(
    of product: ProductIdentifier?, in store: String, by signers: [TestSigner],
    _ change: (inout ProductReleases) throws -> Void
  ) throws {
    let product = product ?? self.product
    let isNew = !folder.has("\(store)/catalog.json")
    var catalog = isNew ? Catalog(sequence: 0, published: Timestamp(seconds: 1)) : try self.catalog(store)
    var list = ProductReleases(productIdentifier: product)
    if let path = catalog.products[product]?.releases.path.text {
      list = try ProductReleases(bytes: folder.bytes("\(store)/\(path)"), of: product)
    }
    try change(&list)
    let digest = SHA256Digest(of: list.bytes)
    let reference = ObjectReference(
      path: .product(product, digest), byteCount: Int64(list.bytes.count), digest: digest)
    try folder.write(list.bytes, to: "\(store)/\(reference.path.text)")
    catalog.products[product] = .init(
      contentVersion: try #require(list.catalogVersion), releases: reference)
    catalog.sequence += 1
    try write(catalog, to: store, by: signers)
  }

  func catalog(_ store: String = "store") throws -> Catalog {
    try Catalog(payload: CatalogEnvelope(bytes: folder.bytes("\(store)/catalog.json")).payload)
  }

  /// Replaces the catalog of a store by one that any keys sign.
  func forgeCatalog(
    by signers: [TestSigner] = [], in store: String = "store", _ change: (inout Catalog) throws -> Void
  ) throws {
    var catalog = try catalog(store)
    try change(&catalog)
    try write(catalog, to: store, by: signers)
  }

  private func write(_ catalog: Catalog, to store: String, by signers: [TestSigner]) throws {
    let payload = catalog.payload
    let signatures = try signers.map { try $0.sign(payload) }
    let isSingle = catalog.trust == nil && signatures.count < 2
    let envelope =
      isSingle
      ? CatalogEnvelope(payload: payload, signature: signatures.first)
      : CatalogEnvelope(payload: payload, signatures: signatures)
    try folder.write(envelope.bytes, to: "\(store)/catalog.json")
  }

  /// Returns the path of an object of a store.
  func object(in store: String = "store", _ isMeant: (String) -> Bool) throws -> String {
    let path = documents(store).keys.first(where: isMeant)
    return try #require(path)
  }

  /// Returns the objects of a store by path.
  func documents(_ store: String = "store") -> [String: [UInt8]] { snapshot(store) }

  /// Returns a web server of a store, which corrupts the responses for paths that contain `part`.
  func serve(
    _ store: String = "store", _ part: String = ".pkg", fault: @escaping FaultyStore.Fault = { _, _, _ in }
  ) throws -> FaultyStore {
    try FaultyStore({ [self] in documents(store) }, part, fault: fault)
  }

  // MARK: Files

  /// Copies a folder or file, and replaces the destination.
  func copy(_ path: String, to destination: String) throws {
    if folder.has(destination) { try folder.remove(destination) }
    try FileManager.default.copyItem(atPath: folder.place(path), toPath: folder.place(destination))
  }

  /// Returns the files in a folder by path; none if there is no folder.
  func snapshot(_ path: String) -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for case let name as String in FileManager.default.enumerator(atPath: folder.place(path)) ?? .init() {
      if let bytes = try? folder.bytes("\(path)/\(name)") { files[name] = bytes }
    }
    return files
  }

  /// Returns the inode number of an item, which identifies it.
  func inode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.place(path))
    return try #require(attributes[.systemFileNumber] as? Int)
  }
}
