import CLibrary

/// An array of C strings that ends in a null pointer.
@safe package final class CStringList {
  /// Copies of the strings, valid as long as the list exists.
  @unsafe package let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  package init(_ strings: [String]) {
    count = strings.count
    unsafe pointers = .allocate(capacity: count + 1)
    for (index, text) in strings.enumerated() {
      unsafe (pointers + index).initialize(to: strdup(text))
    }
    unsafe (pointers + count).initialize(to: nil)
  }

  deinit {
    for index in 0..<count { unsafe free(pointers[index]) }
    unsafe pointers.deallocate()
  }
}
