import Support
import SystemPackage

extension DirectoryHandle {
  /// Returns the path of an entry, for messages.
  package func childPath(_ name: some Collection<UInt8>) -> String {
    FileSystem.joined(path, String(displaying: name))
  }

  /// Calls `body` with the directory's descriptor and the checked name.
  func call<Value: ~Copyable>(
    _ operation: FileError.Operation, _ name: some Collection<UInt8>,
    _ body: (CInt, borrowing CName) throws(Errno) -> Value
  ) throws(FileError) -> Value {
    do throws(Errno) {
      return try withEntryName(name) { pointer throws(Errno) in
        try body(descriptor.number, pointer)
      }
    } catch {
      throw FileError(operation, childPath(name), error)
    }
  }

  /// Opens an entry. For a link, adds the same detail to the error on all systems; the system's own errors differ.
  func opening(
    _ name: some Collection<UInt8>, flags: CInt, operation: FileError.Operation
  ) throws(FileError) -> Descriptor {
    do {
      return try call(operation, name) { folder, name throws(Errno) in
        try POSIX.openEntry(in: folder, name, flags)
      }
    } catch {
      guard let status = try? status(of: name), status.kind == .link else { throw error }
      throw FileError(
        operation, error.path, error.errno, detail: "it is a symbolic link, which is not followed")
    }
  }
}

/// Compares names and paths by their bytes.
package func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool {
  POSIX.compare(left, right) < 0
}
