import SafeFiles
import Support

/// The requirements for the permissions and the content of a file with a secret.
enum SecretFile {
  /// Returns whether only the owner may read or write the file. The group may also read a file of root, such as a
  /// secret that is mounted into a container, unless the server runs as root.
  static func isPrivate(permissions: UInt16, owner: UInt32, user: UInt32) -> Bool {
    let isMounted = owner == 0 && user != 0
    return permissions & (isMounted ? 0o037 : 0o077) == 0
  }

  static func isPrivate(_ status: FileStatus) -> Bool {
    isPrivate(permissions: status.permissions, owner: status.owner, user: FileSystem.effectiveUser)
  }

  /// Returns the secret in the only line of a file. A secret must be printable ASCII without spaces, so that it fits
  /// into a header or form field.
  static func line(_ bytes: [UInt8], _ secret: String, in path: String) throws(CommandFailure) -> String {
    let shown = String(displaying: path.utf8)
    let lines = String(decoding: ByteOrderMark.dropped(from: bytes), as: UTF8.self).split(
      whereSeparator: \.isNewline)
    guard lines.count == 1, let line = lines.first else {
      throw CommandFailure(
        .configuration,
        "\(shown) has \(lines.isEmpty ? "no" : "\(lines.count)") lines, expected one with \(secret)")
    }
    guard line.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw CommandFailure(
        .configuration,
        "\(secret) in \(shown) has a space or a character outside ASCII, expected printable ASCII without spaces"
      )
    }
    return String(line)
  }
}
