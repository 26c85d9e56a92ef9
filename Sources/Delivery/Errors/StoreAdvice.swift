/// The action that resolves an error of a store. Its message does not include the action, because only the caller knows
/// how a user performs it.
public enum StoreAdvice: Sendable, Equatable {
  /// Name the keys that sign the catalog now.
  case trustKeys
  /// Replace the remembered keys by those that sign the catalog now.
  case replaceKeys
  /// Renew a catalog that was restored from a backup, with a sequence number above this one.
  case renewCatalog(above: Int64)
  /// Publish again, and examine the store if it returns other bytes than were written again.
  case publishAgain
  /// Name the first trust document of the store.
  case trustDocument
  /// Sign the catalog by the keys of the newest trust document.
  case signCatalog
  /// Put a lost trust document back.
  case trustDocumentLost
  /// Specify a valid token.
  case token
  /// Declare that only one publisher publishes at a time.
  case singlePublisher
}
