// Untested: this file requires the keychain of Apple's systems, and is not compiled on Linux.
#if canImport(Security)
public import Foundation
import Security

/// A token store in the keychain. The token stays on the device, and can be read in the background after the first
/// unlock.
public struct KeychainTokenStore: TokenStore {
  private let service: String
  private let account: String

  /// Creates a token store in one item of the keychain.
  ///
  /// - Parameters:
  ///   - service: The name of the item, such as the bundle identifier of the app.
  ///   - account: The customer, if several customers use the app.
  public init(service: String, account: String = "content") {
    self.service = service
    self.account = account
  }

  public func token() throws -> StoredToken? {
    var query = item
    query[kSecReturnData as String] = true
    query[kSecMatchLimit as String] = kSecMatchLimitOne
    var found: CFTypeRef?
    let status = unsafe SecItemCopyMatching(query as CFDictionary, &found)
    if status == errSecItemNotFound { return nil }
    guard status == errSecSuccess, let data = found as? Data else { throw KeychainError(status: status) }
    return try JSONDecoder().decode(StoredToken.self, from: data)
  }

  public func store(_ token: StoredToken?) throws {
    guard let token else {
      let status = SecItemDelete(item as CFDictionary)
      guard status == errSecSuccess || status == errSecItemNotFound else {
        throw KeychainError(status: status)
      }
      return
    }
    let values: [String: Any] = [
      kSecValueData as String: try JSONEncoder().encode(token),
      kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
    ]
    var status = SecItemUpdate(item as CFDictionary, values as CFDictionary)
    if status == errSecItemNotFound {
      status = unsafe SecItemAdd(item.merging(values) { $1 } as CFDictionary, nil)
    }
    guard status == errSecSuccess else { throw KeychainError(status: status) }
  }

  private var item: [String: Any] {
    [
      kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
      kSecAttrAccount as String: account, kSecUseDataProtectionKeychain as String: true,
    ]
  }
}

/// A failed operation of the keychain.
public struct KeychainError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The code of the Security framework.
  public let status: OSStatus

  /// One lower-case sentence without a full stop.
  public var description: String { "the keychain failed with code \(status)" }
}
#endif
