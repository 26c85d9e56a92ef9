/// The compression effort.
package enum CompressionLevel: Sendable, Equatable {
  /// No compression.
  case store
  /// The levels of libdeflate, 1 to 12.
  case deflate(Int)

  package static let fast = CompressionLevel.deflate(1)
  package static let standard = CompressionLevel.deflate(5)
  package static let best = CompressionLevel.deflate(9)
}
