import SafeFiles

/// Standard output for data, standard error for everything said about it.
///
/// Output is gathered and written in large pieces; a write that fails is remembered and told by `flush`.
final class Console {
  private var output: [UInt8] = []
  private var outputFailed = false
  /// Where messages go.
  let messages = MessageStream()

  private static let pieceSize = 64 * 1024

  /// Adds a line of data.
  func print(_ line: String) {
    output += line.utf8
    output.append(UInt8(ascii: "\n"))
    if output.count > Self.pieceSize { _ = flush() }
  }

  /// Says something about the work.
  func note(_ line: String) {
    _ = flush()  // so that the two streams keep their order on a terminal
    messages.write(line)
  }

  /// Writes what is gathered.
  ///
  /// - Returns: false if any data could not be written; a reader that has gone away is not a failure.
  func flush() -> Bool {
    if !output.isEmpty, !StandardStream.output.write(output) { outputFailed = true }
    output = []
    return !outputFailed
  }
}
