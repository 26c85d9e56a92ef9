import Crypto
import SafeFiles
import Support
import SystemPackage

/// The file of token keys: one per line, `NAME hmac-sha256 BASE64` or `NAME ed25519 BASE64`. The first key signs.
struct TokenKeyFile: Sendable {
  struct Key: Sendable {
    let name: String
    let material: Material
  }

  enum Material: Sendable {
    case hmac(SymmetricKey)
    case ed25519(Curve25519.Signing.PrivateKey)
  }

  /// The keys, at least one.
  let keys: [Key]

  /// The maximum number of keys: the signing key and its predecessor.
  private static let maximumKeyCount = 2
  private static let keyBytes = 32
  private static let maximumFileSize = 4_096

  /// Parses the text of a file. Ignores empty lines, and comments: lines that begin with `#`.
  ///
  /// - Throws: `CommandFailure` if a key is malformed, two keys have the same name, or there are no keys or too many.
  init(_ text: String, path: String) throws(CommandFailure) {
    let lines = text.split(whereSeparator: \.isNewline).map { $0.split(separator: " ") }
      .filter { !($0.first ?? "#").hasPrefix("#") }
    guard (1...Self.maximumKeyCount).contains(lines.count) else {
      throw CommandFailure(
        .configuration,
        "\(path) has \(lines.count) keys, expected 1 or \(Self.maximumKeyCount), each on its own line")
    }
    keys = try lines.map { words throws(CommandFailure) in
      guard let key = Self.key(words) else {
        throw CommandFailure(
          .configuration,
          "\(path) has a line that is not a key, expected a name in ASCII, hmac-sha256 or ed25519, and \(Self.keyBytes) bytes in base64"
        )
      }
      return key
    }
    guard Set(keys.map(\.name)).count == keys.count else {
      throw CommandFailure(
        .configuration, "\(path) has two keys with the same name, expected different names")
    }
  }

  private static func key(_ words: [Substring]) -> Key? {
    guard words.count == 3, words[0].utf8.count <= 64,
      words[0].utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
      let data = Base64.standard.decode(words[2].utf8),
      data.count == keyBytes
    else { return nil }
    switch words[1] {
    case "hmac-sha256": return Key(name: String(words[0]), material: .hmac(SymmetricKey(data: data)))
    case "ed25519":
      guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: data) else { return nil }
      return Key(name: String(words[0]), material: .ed25519(key))
    default: return nil
    }
  }

  /// Reads the file. Creates a missing file with a new key, accessible to its owner only.
  ///
  /// - Throws: `CommandFailure` if the file is invalid or other users may read it, `FileError` or `SourceError` if it
  ///   cannot be read or created.
  static func open(_ path: String) throws -> TokenKeyFile {
    let shown = String(displaying: path.utf8)
    if try FileSystem.status(of: path, followingLinks: true) == nil { try make(path) }
    let bytes = try InputFile.open(path).secret("the token keys", atMost: maximumFileSize)
    return try TokenKeyFile(String(decoding: bytes, as: UTF8.self), path: shown)
  }

  /// Creates a file with a new key, unless another server creates it concurrently.
  private static func make(_ path: String) throws {
    let folder = try DirectoryHandle.open(FileSystem.folder(of: path))
    let secret = unsafe SymmetricKey(size: .bits256).withUnsafeBytes { unsafe Array($0) }
    let name = String(UInt64.random(in: 0 ... .max), radix: 36)
    let staged = ".\(name).keys"
    do throws(FileError) {
      var output = try folder.createFile(staged.utf8, permissions: 0o600)
      let line = Array("\(name) hmac-sha256 \(Base64.standard.encode(secret))\n".utf8)
      try output.write(unsafe line.borrowedSpan.bytes)  // UInt8 has no padding
      try output.synchronize()
      try output.close()
      // The rename is atomic, so that another server never reads a partial file.
      try folder.move(staged.utf8, to: FileSystem.name(of: path), in: folder)
    } catch {
      try? folder.remove(staged.utf8)
      guard error.errno == .fileExists else { throw error }
    }
  }
}
