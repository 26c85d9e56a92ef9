package import SafeFiles
package import Support

/// The parts of a file that identify its format, received from a stream or read directly.
package struct FileExcerpt: Sendable {
  /// The number of bytes in `head`, unless the file is shorter.
  package static let headLength = 4096

  /// A range of the file, and its bytes received so far.
  private struct Part: Sendable {
    var range: Range<Int64>
    var bytes: [UInt8] = []

    /// Copies the bytes of `chunk` in the range. The first byte of `chunk` is at `position`.
    mutating func update(_ chunk: Span<UInt8>, at position: Int64) {
      let common = range.clamped(to: position..<position + Int64(chunk.count))
      guard !common.isEmpty else { return }
      if bytes.isEmpty { bytes.reserveCapacity(range.count) }
      let part = chunk.extracting(Int(common.lowerBound - position)..<Int(common.upperBound - position))
      unsafe part.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    }

    mutating func read(_ data: any ByteSource) throws(SourceError) {
      if !range.isEmpty { bytes = try data.bytes(at: range.lowerBound, count: range.count) }
    }
  }

  /// The size of the whole file in bytes; the maximum integer if it is unknown.
  package let size: Int64
  /// The first bytes of the file received so far, at most `headLength`.
  package private(set) var head: [UInt8] = []
  /// The last bytes of a file that is longer than `headLength`.
  private var tail: Part
  /// The volume descriptor of a compact disc image.
  private var volume: Part
  /// The part of a Windows executable's header after `head`.
  private var header = Part(range: 0..<0)
  /// The check of all bytes of a compound file; nil for other files.
  private var compound: CompoundFile?
  private var position: Int64 = 0

  /// Creates an empty excerpt of a file of `size` bytes. The caller passes all bytes of the file to `update`, in order.
  package init(size: Int64) {
    self.size = size
    let isLonger = size > Int64(Self.headLength)
    tail = Part(range: isLonger ? max(0, size - Int64(FileEnd.length))..<size : 0..<0)
    volume = Part(range: VolumeDescriptor.range.upperBound <= size ? VolumeDescriptor.range : 0..<0)
    head.reserveCapacity(Int(clamping: min(size, Int64(Self.headLength))))
  }

  /// Creates the excerpt of a file of which only the start is available.
  package init(head: [UInt8], size: Int64) {
    self.init(size: size)
    self.head = head
    beginCompoundCheck()
    compound?.update(head.borrowedSpan)
  }

  /// Reads the required parts of `data`, or a short file as a whole.
  ///
  /// - Throws: `SourceError`, `Interruption`.
  package static func read(_ data: any ByteSource, _ cancellation: Cancellation = Cancellation()) throws
    -> FileExcerpt
  {
    var file = FileExcerpt(size: data.byteCount)
    if file.size <= Int64(FileEnd.length) {
      let bytes = try data.bytes(at: 0, count: Int(file.size))
      file.updateAll(bytes)
      return file
    }
    file.head = try data.bytes(at: 0, count: headLength)
    file.setHeaderRange()
    try file.tail.read(data)
    try file.volume.read(data)
    try file.header.read(data)
    file.beginCompoundCheck()
    if file.compound != nil {
      _ = try data.forEachBlock { block in
        try cancellation.check()
        unsafe block.withUnsafeBytes {
          unsafe file.compound?.update($0.assumingMemoryBound(to: UInt8.self).span)
        }
      }
    }
    return file
  }

  /// Receives the next bytes of the file.
  package mutating func update(_ chunk: Span<UInt8>) {
    if head.count < Self.headLength {
      let missing = chunk.extracting(first: min(chunk.count, Self.headLength - head.count))
      unsafe missing.withUnsafeBufferPointer { unsafe head.append(contentsOf: $0) }
      if head.count == Self.headLength { setHeaderRange() }
    }
    if compound == nil, position < CompoundFile.signatureLength {
      beginCompoundCheck()
      let before = head.prefix(Int(position))
      compound?.update(before.span)
    }
    compound?.update(chunk)
    tail.update(chunk, at: position)
    volume.update(chunk, at: position)
    header.update(chunk, at: position)
    position += Int64(chunk.count)
  }

  /// Receives a whole file of at most `FileEnd.length` bytes.
  private mutating func updateAll(_ bytes: [UInt8]) {
    head = Array(bytes.prefix(Self.headLength))
    setHeaderRange()
    volume.update(bytes.borrowedSpan, at: 0)
    header.update(bytes.borrowedSpan, at: 0)
    beginCompoundCheck()
    compound?.update(bytes.borrowedSpan)
    // Shares the array instead of copying it, because most files of an app have this size.
    if !tail.range.isEmpty { tail.bytes = bytes }
  }

  /// The last bytes of the file, at most `FileEnd.length`.
  var end: [UInt8] { size <= Int64(Self.headLength) ? head : tail.bytes }

  /// The format that bytes between the head and the tail identify.
  var middleFormat: Recognition? {
    compound?.recognition ?? (VolumeDescriptor.recognize(volume.bytes.borrowedSpan))
  }

  /// Returns the `count` bytes at `offset`; nil if the excerpt lacks some of them.
  func bytes(at offset: Int64, count: Int) -> [UInt8]? {
    let end = offset + Int64(count)
    if offset >= 0, end <= head.count { return Array(head[Int(offset)..<Int(end)]) }
    let restStart = max(offset, Int64(head.count))
    guard restStart == header.range.lowerBound, Int64(header.bytes.count) >= end - restStart else {
      return nil
    }
    return Array(head.dropFirst(Int(clamping: offset))) + Array(header.bytes.prefix(Int(end - restStart)))
  }

  /// Starts the check of a compound file, if `head` has its signature. The caller must pass all bytes to the check.
  private mutating func beginCompoundCheck() {
    if CompoundFile.hasSignature(head) { compound = CompoundFile() }
  }

  /// Sets the range of a Windows executable's header, if it is not within `head`.
  private mutating func setHeaderRange() {
    guard let offset = PortableExecutable.headerOffset(self) else { return }
    let end = offset + Int64(PortableExecutable.headerLength)
    let start = max(offset, Int64(head.count))
    if start < end { header.range = start..<end }
  }
}

/// The volume descriptor in the 17th sector of a compact disc image (ECMA-119, 8.1).
private enum VolumeDescriptor {
  static let range: Range<Int64> = 32_768..<32_774

  static func recognize(_ bytes: Span<UInt8>) -> Recognition? {
    bytes.has("CD001", at: 1) ? .archive("an ISO 9660 image") : nil
  }
}
