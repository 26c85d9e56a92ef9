/// Recognises code by what a file holds, whatever its name says.
package enum ContentRecognizer {
  /// How many bytes of a file's beginning are wanted; fewer only if the file has no more.
  package static let headLength = 4096

  /// - Parameters:
  ///   - head: the file's first bytes, `headLength` of them if it has so many.
  ///   - size: bytes of the whole file.
  /// - Returns: nil for everything that is no code, the empty file included.
  package static func recognize(head: Span<UInt8>, size: Int64) -> Recognition? {
    for signature in Signature.table where signature.matches(head) {
      if let recognition = signature.check(head, size) { return recognition }
    }
    return nil
  }
}
