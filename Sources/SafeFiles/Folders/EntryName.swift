import Support
import SystemPackage

/// The maximum number of bytes in a name (NAME_MAX of every common file system).
package let maximumNameLength = 255

/// A NUL-terminated name or path for system calls.
///
/// Valid only in the closure that receives it.
@safe struct CName: ~Copyable {
  let pointer: UnsafePointer<CChar>

  fileprivate init(_ pointer: UnsafePointer<CChar>) { unsafe self.pointer = pointer }
}

/// Calls `body` with `name`, which must be the name of a single directory entry.
///
/// - Throws: `.invalidArgument` for an empty name, `.`, `..`, a `/` or a NUL; `.fileNameTooLong`; the errors of `body`.
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
    let isOnlyDots = unsafe bytes.allSatisfy { $0 == UInt8(ascii: ".") }  // also true for the empty name
    guard isPlain, !(isOnlyDots && count <= 2) else { throw .invalidArgument }
    unsafe buffer[count] = 0
    guard let start = buffer.baseAddress else { throw .noMemory }
    return try unsafe body(CName(start.assumingMemoryBound(to: CChar.self)))
  }
}

/// Calls `body` with `bytes`, a path or the target of a link.
///
/// - Throws: `.invalidArgument` if there is a NUL; the errors of `body`.
func withCName<Value: ~Copyable>(
  _ bytes: some Collection<UInt8>, _ body: (borrowing CName) throws(Errno) -> Value
) throws(Errno) -> Value {
  guard !bytes.contains(0) else { throw .invalidArgument }
  let terminated = bytes.map(CChar.init(bitPattern:)) + [0]
  return try unsafe terminated.borrowedSpan.withUnsafeBufferPointer { buffer throws(Errno) -> Value in
    guard let start = buffer.baseAddress else { throw .noMemory }
    return try unsafe body(CName(start))
  }
}
