import Support

/// An error that prevents fetching the purchases of a receipt.
public struct ReceiptError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The cause of the error, and whether a retry may succeed.
  public enum Reason: Equatable, Sendable {
    /// The App Store rejects the receipt, or it is for another app or environment. A retry cannot succeed.
    case refused(VerificationError.Reason)
    /// The App Store is unreachable, sends no usable response or does not accept the settings. A retry may succeed.
    case unavailable
  }

  public let reason: Reason
  /// One lower-case sentence without a full stop, safe to print. It contains no part of the receipt.
  public let message: String
  public var description: String { message }

  init(_ reason: Reason, _ message: String) {
    self.reason = reason
    self.message = String(displaying: message.utf8)
  }
}
