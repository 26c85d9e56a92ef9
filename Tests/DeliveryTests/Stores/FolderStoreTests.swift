import ContentPackage
import SafeFiles
import Support
import TestSupport
import Testing

@testable import Delivery

@Suite("A folder as a store")
struct FolderStoreTests {
  private let folder: TemporaryFolder
  private let store: FolderStore

  init() throws {
    folder = try TemporaryFolder()
    store = FolderStore(folder.path + "/store", cancellation: Cancellation())
  }

  @Test func `reads back an object with its status, and a range of it`() throws {
    #expect(try store.status(of: .catalog) == nil)
    #expect(try store.object(at: .catalog, limit: 10) == nil)
    let status = try store.put("catalog", at: .catalog)
    #expect(status.byteCount == 7)
    #expect(try store.status(of: .catalog) == status)
    let object = try #require(try store.object(at: .catalog, limit: 7))
    #expect(object == StoredObject(bytes: Array("catalog".utf8), tag: status.tag))
    var read: [UInt8] = []
    try store.read(.catalog, range: 2..<5) { unsafe $0.withUnsafeBytes { unsafe read += $0 } }
    #expect(read == Array("tal".utf8))
  }

  @Test func `refuses an object above the limit, and a range past its end`() throws {
    try store.put("catalog", at: .catalog)
    #expect(reason { _ = try store.object(at: .catalog, limit: 6) } == .tooLarge)
    #expect(reason { try store.read(.catalog, range: 0..<8) { _ in } } == .invalidResponse)
  }

  @Test func `writes only if the condition holds`() throws {
    let first = try store.put("one", at: .catalog, if: .absent)
    #expect(reason { try store.put("two", at: .catalog, if: .absent) } == .conditionFailed)
    let second = try store.put("two", at: .catalog, if: .unchanged(first.tag))
    #expect(reason { try store.put("three", at: .catalog, if: .unchanged(first.tag)) } == .conditionFailed)
    #expect(try store.object(at: .catalog, limit: 9)?.bytes == Array("two".utf8))
    #expect(try store.status(of: .catalog) == second)
  }

  @Test func `lists all objects except its own lock, and deletes objects`() throws {
    let product = try #require(ProductIdentifier("com.example.book"))
    let path = StorePath.product(product, SHA256Digest(of: []))
    try store.exclusively {
      try store.put("catalog", at: .catalog)
      try store.put("{}", at: path)
    }
    #expect(Set(try store.list("").map(\.path)) == ["catalog.json", path.text])
    #expect(try store.list("products/").map(\.path) == [path.text])
    try store.delete(path)
    try store.delete(path)
    #expect(try store.list("products/").isEmpty)
    #expect(try store.leftovers().isEmpty)
  }

  @Test func `removes folders that it created and did not use`() throws {
    let product = try #require(ProductIdentifier("com.example.book"))
    let path = StorePath.product(product, SHA256Digest(of: []))
    func interrupt(_ cancellation: Cancellation) {
      let interrupted = FolderStore(store.name, cancellation: cancellation)
      #expect(reason { try interrupted.put("{}", at: path) } == .cancelled)
      #expect(!PendingCleanup.isEmpty)
    }
    let cancellation = Cancellation()
    cancellation.cancel()
    interrupt(cancellation)
    #expect(try folder.names("") == [])
    // Folders of other processes, and folders that are not empty, stay.
    try store.put("catalog", at: .catalog)
    interrupt(cancellation)
    #expect(try DirectoryHandle.open(store.name).list() == [Array("catalog.json".utf8)])
  }

  @Test func `creates a folder again that another process has removed`() throws {
    let product = try #require(ProductIdentifier("com.example.book"))
    let path = StorePath.product(product, SHA256Digest(of: []))
    let name = FileSystem.joined(store.name, "products/com.example.book")
    var attempts = 0
    let isEmpty = try store.withFolder(of: path) { () throws(FileError) -> Bool in
      attempts += 1
      if attempts == 1 { FileSystem.removeFolderIfEmpty(name) }
      return try DirectoryHandle.open(name).isEmpty()
    }
    #expect(isEmpty && attempts == 2)
    try store.put("{}", at: path)
    #expect(try store.list("products/").count == 1)
  }

  @Test func `locks out other processes while the catalog is replaced`() throws {
    let impatient = FolderStore(store.name, timeout: .zero, cancellation: Cancellation())
    try store.exclusively {
      #expect(reason { try impatient.exclusively {} } == .conflict)
    }
    try impatient.exclusively {}
  }
}
