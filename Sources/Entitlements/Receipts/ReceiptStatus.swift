/// The meaning of `verifyReceipt` status codes (https://developer.apple.com/documentation/appstorereceipts/status).
enum ReceiptStatus: Equatable {
  case valid
  /// 21007: a sandbox receipt was sent to production.
  case ofSandbox
  /// 21008: a production receipt was sent to the sandbox.
  case ofProduction
  /// A retry may succeed.
  case temporary
  case refused(VerificationError.Reason, String)
  /// A retry cannot succeed until the configuration or the service changes.
  case unusable(String)

  init(_ number: Int64, isRetryable: Bool) {
    self =
      switch number {
      case 0: .valid
      // 21002 covers malformed receipts as well as problems of the service.
      case 21002, 21005, 21009: .temporary
      case 21003: .refused(.signature, "the App Store did not make this receipt")
      case 21004: .unusable("the shared secret does not match the app's account")
      case 21006: .refused(.expired, "the subscription of this receipt has ended")
      case 21007: .ofSandbox
      case 21008: .ofProduction
      case 21010: .refused(.malformed, "the customer's account was not found or was deleted")
      case 21100...21199:
        isRetryable ? .temporary : .refused(.malformed, "the App Store has no data for this receipt")
      default: .unusable("the App Store answered with status \(number)")
      }
  }
}
