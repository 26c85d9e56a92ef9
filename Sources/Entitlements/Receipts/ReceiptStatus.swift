/// The meaning of `verifyReceipt` status codes (https://developer.apple.com/documentation/appstorereceipts/status).
enum ReceiptStatus: Equatable {
  case valid
  /// 21007: a sandbox receipt was sent to production.
  case sandboxReceipt
  /// 21008: a production receipt was sent to the sandbox.
  case productionReceipt
  /// A retry may succeed.
  case temporary
  case refused(VerificationError.Reason, String)
  /// A retry cannot succeed until the configuration or the service changes.
  case unusable(String)

  init(_ code: Int64, isRetryable: Bool) {
    self =
      switch code {
      case 0: .valid
      // 21002 covers malformed receipts as well as problems of the service.
      case 21002, 21005, 21009: .temporary
      case 21003: .refused(.signature, "the App Store did not issue this receipt")
      case 21004: .unusable("the shared secret does not match the app's account")
      case 21006: .refused(.expired, "the subscription of this receipt has ended")
      case 21007: .sandboxReceipt
      case 21008: .productionReceipt
      case 21010: .refused(.malformed, "the customer's account was not found or was deleted")
      case 21100...21199:
        isRetryable ? .temporary : .refused(.malformed, "the App Store has no data for this receipt")
      default: .unusable("the App Store answered with status \(code)")
      }
  }
}
