/// The action that resolves an error of a store. The message of the error does not include the action, because only the
/// caller knows how a user performs it.
public enum StoreAdvice: Sendable, Equatable {
  /// Name the keys that sign the catalog now.
  case trustKeys
  /// Replace the remembered keys with those that sign the catalog now.
  case replaceKeys
  /// Renew a catalog that was restored from a backup, with a sequence number above this one.
  case renewCatalog(above: Int64)
  /// Publish again. If the store again returns bytes other than those written, examine the store.
  case publishAgain
  /// Name the first trust document of the store.
  case trustDocument
  /// Sign the catalog with keys of the newest trust document.
  case signCatalog
  /// Restore a lost trust document.
  case trustDocumentLost
  /// Specify a valid token.
  case token
  /// Declare that only one publisher publishes at a time.
  case singlePublisher
}
