import SafeFiles

/// A folder of accepted packages, for comparison with other readers.
///
/// Used by libFuzzer's single thread only.
final class AcceptedPackages: Sendable {
  private static let hashOffset: UInt64 = 0xCBF2_9CE4_8422_2325
  private static let hashPrime: UInt64 = 0x0000_0100_0000_01B3

  private let path: String

  init(_ path: String) { self.path = path }

  /// Writes a package under the FNV-1a hash of its bytes, so that duplicates are kept once.
  func keep(_ bytes: [UInt8]) {
    let hash = bytes.reduce(Self.hashOffset) { ($0 ^ UInt64($1)) &* Self.hashPrime }
    let file = "\(path)/\(String(hash, radix: 16)).pkg"
    do {
      guard try FileSystem.status(of: file, followingLinks: false) == nil else { return }
      var output = try StagedOutput.create(at: file, replacing: true)
      try output.write(unsafe bytes.span.bytes)
      try output.commit()
    } catch {
      fatalError("cannot keep an accepted package: \(error)")
    }
  }
}
