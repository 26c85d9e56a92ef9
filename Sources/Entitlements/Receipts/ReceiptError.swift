import Support

/// The reason why the purchases of a receipt are not available.
public struct ReceiptError: Error, Equatable, Sendable, CustomStringConvertible {
  public enum Reason: Equatable, Sendable {
    /// The App Store rejects the receipt, or it is for another app or environment. A retry cannot succeed.
    case refused(VerificationError.Reason)
    /// The App Store is unreachable or gives no usable answer. A retry may succeed.
    case unavailable
  }

  public let reason: Reason
  /// One lower-case sentence without a full stop, safe to print. It includes nothing of the receipt.
  public let message: String
  public var description: String { message }

  init(_ reason: Reason, _ message: String) {
    self.reason = reason
    self.message = String(displaying: message.utf8)
  }
}
