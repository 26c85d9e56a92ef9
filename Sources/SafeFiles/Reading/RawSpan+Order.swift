extension RawSpan {
  /// Returns whether these bytes sort before `other`; a prefix sorts before the whole.
  package func precedes(_ other: RawSpan) -> Bool {
    let common = Swift.min(byteCount, other.byteCount)
    let difference = unsafe withUnsafeBytes { left in
      unsafe other.withUnsafeBytes { right in unsafe POSIX.difference(of: left, right, count: common) }
    }
    return difference == 0 ? byteCount < other.byteCount : difference < 0
  }
}
