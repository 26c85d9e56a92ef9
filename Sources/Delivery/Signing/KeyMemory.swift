import SafeFiles
import StrictJSON
import Support

/// The last sequence number of each store that a key signed for, in a file beside the key.
///
/// A store that is behind this number may have been restored from a backup. The file is a hint: without it, or without
/// the permission to write it, nothing else changes.
package struct KeyMemory: Sendable {
  /// The maximum number of remembered stores; the oldest are forgotten.
  private static let maximumStoreCount = 100
  /// The maximum size of the file in bytes.
  private static let maximumFileSize = 1 << 20

  private struct Entry {
    let store: String
    let sequence: Int64
  }

  private let path: String

  package init(keyFile: String) { path = Self.path(beside: keyFile) }

  /// Returns the path of the file beside a key.
  package static func path(beside keyFile: String) -> String {
    (keyFile.hasSuffix(".pub") ? String(keyFile.dropLast(4)) : keyFile) + ".iapkg"
  }

  /// Returns the last sequence number of a store; nil if it is unknown.
  func sequence(of store: String) -> Int64? {
    entries().first { $0.store == StoreLocation.identity(of: store) }?.sequence
  }

  /// Remembers the sequence number of a store, unless a higher one is known.
  func remember(_ sequence: Int64, of store: String) {
    let name = StoreLocation.identity(of: store)
    let known = entries()
    guard sequence > known.first(where: { $0.store == name })?.sequence ?? 0 else { return }
    let others = known.filter { $0.store != name }
    var writer = JSONWriter()
    writer.object {
      $0.key("stores")
      $0.array { writer in
        for entry in [Entry(store: name, sequence: sequence)] + others.prefix(Self.maximumStoreCount - 1) {
          writer.object {
            $0.member("store", entry.store)
            $0.member("sequence", entry.sequence)
          }
        }
      }
    }
    try? write(writer.line())
  }

  private func write(_ bytes: [UInt8]) throws {
    var output = try StagedOutput.create(at: path, replacing: true, durable: false, isPrivate: true)
    try output.write(unsafe bytes.span.bytes)  // any UInt8 is a byte
    try output.commit()
  }

  private func entries() -> [Entry] {
    guard let bytes = try? SmallInput.read(path, atMost: Self.maximumFileSize) else { return [] }
    var entries: [Entry] = []
    var reader = JSONReader(bytes, limits: DocumentLimits.note)
    try? reader.object { (key, reader) throws(DocumentError) in
      guard key == "stores" else { return try reader.skip() }
      try reader.array { (reader) throws(DocumentError) in
        var (store, sequence): (String?, Int64?)
        try reader.object { (key, reader) throws(DocumentError) in
          switch key {
          case "store": store = try reader.string(atMost: ProductOrigin.maximumAddressLength)
          case "sequence": sequence = try reader.integer(in: 1...DocumentLimits.maximumSequence)
          default: try reader.skip()
          }
        }
        guard let store, let sequence, entries.count < Self.maximumStoreCount else { return }
        entries.append(Entry(store: store, sequence: sequence))
      }
    }
    return entries
  }
}
