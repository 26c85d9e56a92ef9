internal import Crypto
import Support

/// A checksum of bytes in a xar archive.
struct XarChecksum: Sendable, Equatable {
  private enum Style: String {
    case md5, sha1, sha256, sha512

    /// The length of a digest in bytes.
    var length: Int {
      switch self {
      case .md5: Insecure.MD5.byteCount
      case .sha1: Insecure.SHA1.byteCount
      case .sha256: SHA256.byteCount
      case .sha512: SHA512.byteCount
      }
    }
  }

  private let style: Style
  private let bytes: [UInt8]

  /// Creates a checksum; nil for an unknown algorithm or a digest of another length.
  ///
  /// - Parameters:
  ///   - style: The name of the algorithm.
  ///   - text: The digest in hexadecimal digits.
  init?(style: String, hexadecimal text: String) {
    guard let bytes = [UInt8](hexadecimal: text) else { return nil }
    self.init(style: style, bytes)
  }

  /// Creates a checksum from the bytes of a digest; nil for an unknown algorithm or a digest of another length.
  init?(style: String, _ bytes: [UInt8]) {
    guard let style = Style(rawValue: style.lowercased()), bytes.count == style.length else { return nil }
    self.style = style
    self.bytes = bytes
  }

  /// Returns whether `bytes` have this checksum.
  func matches(_ bytes: [UInt8]) -> Bool {
    var hasher = Hasher(for: self)
    hasher.update(unsafe bytes.borrowedSpan.bytes)  // UInt8 has no padding
    return hasher.isMatch
  }

  /// Computes a checksum and compares it with the expected one.
  struct Hasher {
    private enum State {
      case md5(Insecure.MD5)
      case sha1(Insecure.SHA1)
      case sha256(SHA256)
      case sha512(SHA512)
    }

    private let expected: XarChecksum
    private var state: State

    init(for expected: XarChecksum) {
      self.expected = expected
      state =
        switch expected.style {
        case .md5: .md5(Insecure.MD5())
        case .sha1: .sha1(Insecure.SHA1())
        case .sha256: .sha256(SHA256())
        case .sha512: .sha512(SHA512())
        }
    }

    mutating func update(_ bytes: RawSpan) {
      switch state {
      case .md5(var hash): state = .md5(Self.updated(&hash, bytes))
      case .sha1(var hash): state = .sha1(Self.updated(&hash, bytes))
      case .sha256(var hash): state = .sha256(Self.updated(&hash, bytes))
      case .sha512(var hash): state = .sha512(Self.updated(&hash, bytes))
      }
    }

    private static func updated<Hash: HashFunction>(_ hash: inout Hash, _ bytes: RawSpan) -> Hash {
      unsafe bytes.withUnsafeBytes { unsafe hash.update(bufferPointer: $0) }
      return hash
    }

    /// Whether the bytes have the expected checksum.
    var isMatch: Bool {
      switch state {
      case .md5(let hash): Array(hash.finalize()) == expected.bytes
      case .sha1(let hash): Array(hash.finalize()) == expected.bytes
      case .sha256(let hash): Array(hash.finalize()) == expected.bytes
      case .sha512(let hash): Array(hash.finalize()) == expected.bytes
      }
    }
  }
}
