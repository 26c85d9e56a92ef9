/// Looks at a file's bytes while they stream past, keeps its beginning and what the beginning points to.
package struct ContentLook: Sendable {
  private let size: Int64
  private var position: Int64 = 0
  /// The file's first bytes, as far as they were taken.
  private(set) var head: [UInt8] = []
  /// Where a Windows executable's header begins, if that is not within the beginning.
  private var headerPlace: Int64?
  private var header: [UInt8] = []

  /// - Parameter size: bytes of the whole file.
  package init(size: Int64) {
    self.size = size
    head.reserveCapacity(Int(clamping: min(size, Int64(ContentRecognizer.headLength))))
  }

  /// Takes the next bytes of the file.
  package mutating func take(_ chunk: Span<UInt8>) {
    let missing = chunk.extracting(first: min(chunk.count, ContentRecognizer.headLength - head.count))
    unsafe missing.withUnsafeBufferPointer { unsafe head.append(contentsOf: $0) }
    if headerPlace == nil, head.count == ContentRecognizer.headLength { findHeader() }
    if let headerPlace, header.count < PortableExecutable.headerStart {
      let first = headerPlace + Int64(header.count) - position
      let end = headerPlace + Int64(PortableExecutable.headerStart) - position
      for index in max(0, first)..<max(0, first, min(end, Int64(chunk.count))) {
        header.append(chunk[Int(index)])
      }
    }
    position += Int64(chunk.count)
  }

  /// What the file is, once all of it was taken.
  package var recognition: Recognition? {
    let first = ContentRecognizer.recognize(head: head.span, size: size)
    guard header.count == PortableExecutable.headerStart else { return first }
    return PortableExecutable.header(header.span) ?? first
  }

  /// Whether the beginning points to bytes that were not taken yet.
  var isIncomplete: Bool { headerPlace != nil && header.count < PortableExecutable.headerStart }

  private mutating func findHeader() {
    guard head.starts(with: "MZ".utf8), let place = PortableExecutable.headerPlace(head.span, size) else {
      return
    }
    if place + PortableExecutable.headerStart > head.count {
      headerPlace = Int64(place)
      header = Array(head.dropFirst(place))
    }
  }
}
