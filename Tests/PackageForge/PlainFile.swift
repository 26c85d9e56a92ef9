import CLibrary

/// File writing for tests.
package enum PlainFile {
  /// Creates or overwrites a file.
  ///
  /// Foundation would wait for the disk (`fsync`), which takes longer than most tests.
  package static func write(_ bytes: [UInt8], to path: String) throws {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw Failure(path: path, code: errno) }
    defer { close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Self.write(descriptor, $0) }
      guard count > 0 else { throw Failure(path: path, code: errno) }
      rest = rest.dropFirst(count)
    }
  }

  private static func write(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Darwin)
    unsafe Darwin.write(descriptor, bytes.baseAddress, bytes.count)  // untested
    #elseif canImport(Musl)
    unsafe Musl.write(descriptor, bytes.baseAddress, bytes.count)  // untested
    #else
    unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
    #endif
  }

  /// An error of opening or writing a file.
  package struct Failure: Error {
    let path: String
    let code: CInt
  }
}
