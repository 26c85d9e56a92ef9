import SafeFiles
import ZipArchive

/// Looks at one file's bytes as they stream by, for code that content may not contain.
struct ContentInspector {
  private let item: ContentItem
  private let spoolFolder: String
  private let cancellation: Cancellation
  private var look: ContentLook
  private var isFirst = true
  /// The bytes of an archive inside the content, which is looked into once it is whole.
  private var nested: SpoolBuffer?

  /// A large archive inside the content is put into `spoolFolder` while it is looked into.
  init(_ item: ContentItem, spoolFolder: String, cancellation: Cancellation) {
    self.item = item
    self.spoolFolder = spoolFolder
    self.cancellation = cancellation
    look = ContentLook(size: item.size)
  }

  /// Looks at the next bytes.
  mutating func consume(_ bytes: RawSpan) throws(FileFailure) {
    unsafe bytes.withUnsafeBytes { unsafe look.take($0.assumingMemoryBound(to: UInt8.self).span) }
    if isFirst, bytes.byteCount > 0 {
      isFirst = false
      if NestedArchiveRules.isArchive(look.head) { nested = SpoolBuffer(folder: spoolFolder) }
    }
    try nested?.append(bytes)
  }

  /// What was found, once all bytes have been consumed.
  func finish() throws -> [Finding] {
    let recognized = look.findings(for: item.path)
    guard let nested else { return recognized }
    return try recognized + NestedArchiveRules.findings(for: item.path, in: nested.finish(), cancellation)
  }

  /// What can be found where the bytes can be reached in any order: without reading them all.
  static func findings(
    for item: ContentItem, in data: EntryData, _ cancellation: Cancellation
  ) throws -> [Finding] {
    var look = ContentLook(size: item.size)
    let step = ContentRecognizer.headLength
    var offset: Int64 = 0
    repeat {
      try cancellation.check()
      let block = try data.bytes(at: offset, count: step)
      look.take(block.span)
      offset += Int64(step)
      // The header of a Windows executable may lie further on.
    } while look.isIncomplete && offset < data.byteCount
    let recognized = look.findings(for: item.path)
    guard NestedArchiveRules.isArchive(look.head) else { return recognized }
    return try recognized + NestedArchiveRules.findings(for: item.path, in: data, cancellation)
  }
}

extension ContentLook {
  fileprivate func findings(for path: EntryPath) -> [Finding] {
    guard let recognition else { return [] }
    return [Finding(recognition.rule, at: path, "contains \(recognition.what)")]
  }
}
