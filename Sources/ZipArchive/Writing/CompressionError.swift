/// The reason why an entry could not be compressed.
public enum CompressionError: Error, Sendable {
  /// There is not enough memory for a compressor.
  case outOfMemory
  /// libdeflate produced a stream that zlib cannot read.
  case unexpectedStream
}
