/// What the status of an answer of `verifyReceipt` means (https://developer.apple.com/documentation/appstorereceipts/status).
enum ReceiptStatus: Equatable {
  case valid
  /// 21007: the receipt is of the sandbox, and production was asked.
  case ofSandbox
  /// 21008: the reverse.
  case ofProduction
  /// Asking again may help.
  case temporary
  case refused(VerificationError.Reason, String)
  /// Asking again does not help until somebody changes something here or there.
  case unusable(String)

  init(_ number: Int64, isRetryable: Bool) {
    self =
      switch number {
      case 0: .valid
      // 21002 is for receipts that are malformed, and for a service that has a problem.
      case 21002, 21005, 21009: .temporary
      case 21003: .refused(.signature, "the App Store did not make this receipt")
      case 21004: .unusable("the shared secret is not that of the app's account")
      case 21006: .refused(.expired, "the subscription of this receipt has ended")
      case 21007: .ofSandbox
      case 21008: .ofProduction
      case 21010: .refused(.malformed, "the customer's account is not found or was deleted")
      case 21100...21199:
        isRetryable ? .temporary : .refused(.malformed, "the App Store has no data for this receipt")
      default: .unusable("the App Store answered with status \(number)")
      }
  }
}
