public import SafeFiles
import Support

/// A failed operation of a store.
public struct StoreError: Error, Sendable, CustomStringConvertible {
  /// The reason of the failure.
  public enum Reason: Sendable, Equatable {
    /// The object does not exist.
    case missing
    /// The folder or the bucket of the store does not exist.
    case noStore
    /// The condition of a write does not hold: another writer came first.
    case conditionFailed
    /// Another writer is active; a retry may succeed.
    case conflict
    /// The credentials are missing, wrong or insufficient (HTTP status 401 or 403).
    case denied
    /// The store cannot be reached, or all retries failed.
    case unreachable
    /// The store ignored a range request and sends the whole object.
    case rangeIgnored
    /// The response violates the protocol or contradicts an earlier response.
    case invalidResponse
    /// The store lists objects that were not requested.
    case wrongListing
    /// An object exceeds its maximum size.
    case tooLarge
    /// The store or its address cannot be used: the store ignores conditions, or the settings are wrong.
    case unsuitable
    /// A source file cannot be read, or a destination file cannot be written, for example because the disk is full.
    case file(SourceError)
    /// The operation was cancelled.
    case cancelled
  }

  /// The reason of the failure.
  public let reason: Reason
  /// The object or store concerned; safe to print.
  public let place: String
  /// One lower-case sentence without a full stop, safe to print, with the actual and the expected state.
  public let message: String
  /// The action that resolves the error; nil if there is none.
  public let advice: StoreAdvice?

  /// Creates an error. Neither `place` nor `message` needs to be safe to print.
  package init(_ reason: Reason, _ place: String, _ message: String, advice: StoreAdvice? = nil) {
    self.reason = reason
    self.advice = advice
    self.place = String(displaying: place.utf8)
    self.message = String(displaying: message.utf8)
  }

  /// Creates the error for a failed operation on a file.
  package init(_ error: FileError) {
    self.init(.file(.file(error)), error.path, error.description)
  }

  /// Creates the error for a source that cannot be read.
  package init(_ error: SourceError, reading place: String) {
    self.init(.file(error), place, error.description)
  }

  /// The hint after a failure that an incomplete mirror may have caused.
  static let laterHint = "; try again later"

  /// The same as `message`.
  public var description: String { message }
}

extension Error {
  /// Whether one object of a store is missing, or does not match the catalog.
  var concernsObject: Bool { self is IntegrityError || (self as? StoreError)?.reason == .missing }
}
