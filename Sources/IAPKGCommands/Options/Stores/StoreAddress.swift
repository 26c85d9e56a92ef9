import ArgumentParser
import Delivery

/// The address of a store in an option.
enum StoreAddress {
  /// Checks an address before the command opens any file.
  ///
  /// - Parameters:
  ///   - address: The address; nil if the option is missing.
  ///   - option: The name of the option.
  ///   - hasCredentials: Whether the store would get header fields.
  /// - Throws: `ValidationError` for an empty address, one of an unknown kind, or one that gets no header fields.
  static func check(_ address: String?, of option: String, with hasCredentials: Bool = false) throws {
    guard let address else { return }
    guard !address.isEmpty else { throw ValidationError("\(option) is empty, expected a store") }
    do throws(StoreError) { try StoreLocation.check(address, withHeaders: hasCredentials) } catch {
      throw ValidationError(error.message)
    }
  }
}
