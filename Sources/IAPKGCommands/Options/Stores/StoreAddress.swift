import ArgumentParser
import Delivery

/// The check of an option that names a store.
enum StoreAddress {
  /// Checks an address before the command opens any file.
  ///
  /// - Parameters:
  ///   - address: The address; nil if the option is missing.
  ///   - option: The name of the option.
  ///   - hasCredentials: Whether the command sends header fields to the store.
  /// - Throws: `ValidationError` for an empty address, an unknown kind of address, or an address that cannot take
  ///   header fields.
  static func check(_ address: String?, of option: String, with hasCredentials: Bool = false) throws {
    guard let address else { return }
    guard !address.isEmpty else { throw ValidationError("\(option) is empty, expected a store") }
    do throws(StoreError) { try StoreLocation.check(address, withHeaders: hasCredentials) } catch {
      throw ValidationError(error.message)
    }
  }
}
