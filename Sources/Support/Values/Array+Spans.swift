// The standard library's spans of an array require iOS 26 or macOS 26.

extension Array where Element: BitwiseCopyable {
  /// The elements, for as long as the array is borrowed.
  package var borrowedSpan: Span<Element> {
    @_lifetime(borrow self)
    borrowing get {
      // Elements of such a type are always in the memory of the array, which the borrow keeps alive.
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
