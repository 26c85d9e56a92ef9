import SafeFiles
import Support
import ZipArchive

/// The entropy of a file, which identifies compressed data at a fraction of the cost of deflating it.
///
/// Measured with two games (8,461 files, 880 MB): the package is 0.2 % larger than if every file were deflated.
enum ByteEntropy {
  /// The density of a file, estimated from a sample.
  enum Density {
    /// Deflating the file would not make it smaller.
    case dense
    /// Byte sequences hardly repeat. Only the frequencies of the byte values allow savings, which every level finds.
    case nearlyDense
    case sparse
  }

  /// The number of blocks in a sample, which come from the start, the middle and the end, and their size in bytes.
  private static let blockCount = 3
  private static let blockSize = 32 * 1024
  /// The minimum size of an examined file in bytes. The estimate for shorter files is too low, and deflating them is
  /// cheap.
  private static let minimumFileSize: Int64 = 2 * 1024
  /// The entropy above which a file is dense, in bits per byte. PNG, JPEG and OGG files are above this value; data that
  /// deflates by 5 % or more is below it.
  private static let denseBits = 7.84
  /// The entropy above which a file is nearly dense, in bits per byte. Above this value, level 5 makes a package 0.1 %
  /// smaller than level 1, in twice the time.
  private static let nearlyDenseBits = 7.5

  /// Estimates the entropy from a sample.
  ///
  /// - Throws: `SourceError`.
  static func density(of data: any ByteSource) throws(SourceError) -> Density {
    guard data.byteCount >= minimumFileSize else { return .sparse }
    var counts = [UInt32](repeating: 0, count: 256)
    if data.byteCount <= Int64(blockCount * blockSize) {
      try count(data, at: 0, Int(data.byteCount), into: &counts)
    } else {
      let step = (data.byteCount - Int64(blockSize)) / Int64(blockCount - 1)
      for block in 0..<blockCount { try count(data, at: Int64(block) * step, blockSize, into: &counts) }
    }
    let bits = bits(counts)
    return bits > denseBits ? .dense : bits > nearlyDenseBits ? .nearlyDense : .sparse
  }

  private static func count(
    _ data: any ByteSource, at offset: Int64, _ length: Int, into counts: inout [UInt32]
  ) throws(SourceError) {
    for byte in try data.bytes(at: offset, count: length) { counts[Int(byte)] &+= 1 }
  }

  /// Returns the Shannon entropy in bits per byte, 0 to 8.
  private static func bits(_ counts: [UInt32]) -> Double {
    let total = Double(counts.reduce(0, &+))
    guard total > 0 else { return 0 }
    return counts.reduce(0) { sum, count in
      count == 0 ? sum : sum + Double(count) / total * binaryLogarithm(total / Double(count))
    }
  }
}
