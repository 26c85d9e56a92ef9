public import Foundation

/// A token store in a file that only its owner can read. On a device, prefer `KeychainTokenStore`.
public struct FileTokenStore: TokenStore {
  private let file: PrivateFile

  /// Creates a token store in a file. The folder of the file must exist before a token is stored.
  public init(at file: URL) { self.file = PrivateFile(file) }

  public func token() throws -> StoredToken? {
    try file.read().map { try Self.decoder.decode(StoredToken.self, from: $0) }
  }

  public func store(_ token: StoredToken?) throws {
    guard let token else { return try file.remove() }
    try file.write(Self.encoder.encode(token))
  }

  private static var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return decoder
  }

  private static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    return encoder
  }
}
