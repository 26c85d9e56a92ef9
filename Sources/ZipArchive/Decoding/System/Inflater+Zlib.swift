#if !COMMAND_LINE_TOOL
import CZlib

/// Inflates data in memory with zlib. Owns one stream for each format.
package struct Inflater: ~Copyable {
  /// The wrapping of a deflate stream (RFC 1951).
  package enum Format {
    /// A deflate stream alone.
    case bare
    /// With a header and a checksum (RFC 1950).
    case zlib
  }

  private let bare: ZlibInflater
  private let zlib: ZlibInflater

  /// Creates an inflater; nil if there is not enough memory.
  package static func make() -> Inflater? {
    guard let bare = ZlibInflater.make(.bare), let zlib = ZlibInflater.make(.zlib) else { return nil }
    return Inflater(bare: bare, zlib: zlib)
  }

  private init(bare: consuming ZlibInflater, zlib: consuming ZlibInflater) {
    self.bare = bare
    self.zlib = zlib
  }

  /// Fills `target` with the decoded `bytes`.
  ///
  /// - Returns: Whether `bytes` are exactly one stream that fills `target`, with a correct checksum if it has one.
  package func inflate(_ bytes: RawSpan, _ format: Format, into target: inout MutableRawSpan) -> Bool {
    switch format {
    case .bare: bare.inflateWhole(bytes, into: &target)
    case .zlib: zlib.inflateWhole(bytes, into: &target)
    }
  }
}

extension ZlibInflater {
  fileprivate func inflateWhole(_ bytes: RawSpan, into target: inout MutableRawSpan) -> Bool {
    reset()
    // With Z_FINISH, zlib keeps no copy of the last bytes for another call.
    guard let progress = try? inflate(bytes, into: &target, Z_FINISH) else { return false }
    return progress.isEnd && progress.used == bytes.byteCount && progress.produced == target.byteCount
  }
}
#endif
