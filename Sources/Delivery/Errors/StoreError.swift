public import SafeFiles
import Support

/// Why a store did not do what it was asked.
public struct StoreError: Error, Sendable, CustomStringConvertible {
  /// What kept the store from it.
  public enum Reason: Sendable, Equatable {
    /// There is no such object.
    case missing
    /// There is no such store: no folder, no bucket.
    case noStore
    /// The condition of a write does not hold: another was there before.
    case conditionFailed
    /// Another writes at the same moment; a later try may succeed.
    case conflict
    /// The credentials are missing or wrong, or do not allow it (401, 403).
    case denied
    /// The store cannot be reached, or had no answer after all retries.
    case unreachable
    /// A part of an object was asked for, and the store sends all of it.
    case rangeIgnored
    /// The store answered what it must not, or not as was promised.
    case invalidAnswer
    /// An object has more bytes than it may have.
    case tooLarge
    /// The store, or its name, cannot be used so: it ignores conditions, the settings are wrong.
    case unsuitable
    /// What is written could not be read, or a file could not be read or written: a full disk, a defect.
    case file(SourceError)
    /// The work was asked to stop.
    case cancelled
  }

  /// What kept the store from it.
  public let reason: Reason
  /// The object or store that is meant; safe to print.
  public let place: String
  /// One lower-case sentence without a full stop, safe to print: what was found, what was expected.
  public let message: String

  package init(_ reason: Reason, _ place: String, _ message: String) {
    self.reason = reason
    self.place = String(displaying: place.utf8)
    self.message = String(displaying: message.utf8)
  }

  package init(_ error: FileError) {
    self.init(.file(.file(error)), error.path, error.description)
  }

  package init(_ error: SourceError, reading place: String) {
    self.init(.file(error), place, error.description)
  }

  /// The sentence of `message`.
  public var description: String { message }
}
