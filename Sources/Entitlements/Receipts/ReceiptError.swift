import Support

/// Why a receipt gives no purchases.
public struct ReceiptError: Error, Equatable, Sendable, CustomStringConvertible {
  public enum Reason: Equatable, Sendable {
    /// The App Store does not vouch for it, or it is for another app or environment. Asking again is of no use.
    case refused(VerificationError.Reason)
    /// The App Store cannot be asked, or does not answer properly. A later try may succeed.
    case unavailable
  }

  public let reason: Reason
  /// One lower-case sentence without a full stop, safe to print. It has nothing of the receipt in it.
  public let message: String
  public var description: String { message }

  init(_ reason: Reason, _ message: String) {
    self.reason = reason
    self.message = String(displaying: message.utf8)
  }
}
