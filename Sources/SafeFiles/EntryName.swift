import SystemPackage

/// The most bytes that a name may have (NAME_MAX of every file system in use).
package let maximumNameLength = 255

/// A name or path as system calls take it: bytes up to a NUL.
///
/// It lives as long as the closure that it is handed to, which cannot keep it.
@safe struct CName: ~Copyable {
  let pointer: UnsafePointer<CChar>

  fileprivate init(_ pointer: UnsafePointer<CChar>) { unsafe self.pointer = pointer }
}

/// Hands `name` to `body`, if it names one entry of a folder and nothing else.
///
/// - Throws: `.invalidArgument` for an empty name, `.`, `..`, a `/` or a NUL; `.fileNameTooLong`; what
///   `body` throws.
func withEntryName<Value: ~Copyable>(
  _ name: some Collection<UInt8>, _ body: (borrowing CName) throws(Errno) -> Value
) throws(Errno) -> Value {
  let count = name.count
  guard count <= maximumNameLength else { throw .fileNameTooLong }
  let capacity = maximumNameLength + 1
  return try unsafe withUnsafeTemporaryAllocation(byteCount: capacity, alignment: 1) {
    buffer throws(Errno) -> Value in
    unsafe buffer.copyBytes(from: name)
    let bytes = unsafe buffer[..<count]
    let isPlain = unsafe bytes.allSatisfy { $0 != 0 && $0 != UInt8(ascii: "/") }
    let isOnlyDots = unsafe bytes.allSatisfy { $0 == UInt8(ascii: ".") }  // so is the empty name
    guard isPlain, !(isOnlyDots && count <= 2) else { throw .invalidArgument }
    unsafe buffer[count] = 0
    guard let start = buffer.baseAddress else { throw .noMemory }
    return try unsafe body(CName(start.assumingMemoryBound(to: CChar.self)))
  }
}

/// Hands `bytes`, a path or the target of a link, to `body`.
///
/// - Throws: `.invalidArgument` if it holds a NUL; what `body` throws.
func withCName<Value: ~Copyable>(
  _ bytes: some Collection<UInt8>, _ body: (borrowing CName) throws(Errno) -> Value
) throws(Errno) -> Value {
  guard !bytes.contains(0) else { throw .invalidArgument }
  let terminated = bytes.map(CChar.init(bitPattern:)) + [0]
  return try unsafe terminated.span.withUnsafeBufferPointer { buffer throws(Errno) -> Value in
    guard let start = buffer.baseAddress else { throw .noMemory }
    return try unsafe body(CName(start))
  }
}
