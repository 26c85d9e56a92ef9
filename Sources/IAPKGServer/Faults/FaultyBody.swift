import Hummingbird
import NIOCore

/// A body with the faults of its request.
struct FaultyBody: Sendable {
  let body: FileBody
  let plan: FaultPlan
  let throttle: Throttle?

  private var byteCount: Int64 { Int64(body.range.count) }
  /// The offset of the first byte that is not sent.
  private var cut: Int64? { plan.cut.map { Int64($0 * Double(byteCount)) } }
  private var corruption: Int64? { plan.corruption.map { Int64($0 * Double(byteCount)) } }

  /// Writes the body, up to the position of a cut.
  ///
  /// - Throws: `CutConnection`, and the errors of `FileBody.write`.
  func write(to writer: inout any ResponseBodyWriter) async throws {
    let (cut, corruption) = (cut, corruption)
    let sent = FileBody(file: body.file, range: body.range.prefix(cut), eventLoop: body.eventLoop)
    try await sent.write(to: &writer, block: throttle?.blockSize) { buffer, offset in
      try await throttle?.wait(toSend: buffer.readableBytes)
      guard let corruption, case let position = corruption - offset,
        (0..<Int64(buffer.readableBytes)) ~= position
      else { return }
      let index = buffer.readerIndex + Int(position)
      if let byte: UInt8 = buffer.getInteger(at: index) { buffer.setInteger(~byte, at: index) }
    }
    if cut != nil { throw CutConnection() }
  }
}

/// The error that cuts a connection on purpose.
struct CutConnection: Error {}

extension Range<Int64> {
  /// Returns the first `count` elements of the range; the whole range if `count` is nil.
  fileprivate func prefix(_ count: Int64?) -> Range<Int64> {
    count.map { lowerBound..<Swift.min(lowerBound + $0, upperBound) } ?? self
  }
}
