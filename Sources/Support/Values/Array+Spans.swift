// The standard library has spans of an array only from iOS 26 and macOS 26 on.

extension Array where Element: BitwiseCopyable {
  /// The elements, for as long as the array is borrowed.
  package var borrowedSpan: Span<Element> {
    @_lifetime(borrow self)
    borrowing get {
      // Such elements always lie in memory of the array, which the borrow keeps.
      let elements = unsafe withUnsafeBufferPointer { unsafe $0 }
      return unsafe _overrideLifetime(Span(_unsafeElements: elements), borrowing: self)
    }
  }
}

extension [UInt8] {
  /// Passes the memory of the bytes to `body`.
  package mutating func withMutableBytes<Value, Failure: Error>(
    _ body: (inout MutableRawSpan) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try unsafe withUnsafeMutableBufferPointer { (buffer) throws(Failure) -> Value in
      let memory = UnsafeMutableRawBufferPointer(buffer)
      var bytes = unsafe memory.mutableBytes
      return try body(&bytes)
    }
  }
}
