import ArgumentParser
import Entitlements
import StrictJSON

struct SignNotificationCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign-notification",
    abstract: "Sign a test notification, as the App Store signs notifications.")

  @OptionGroup var signing: SigningOptions

  @Option(
    help: ArgumentHelp("The notification's type, such as REFUND or ONE_TIME_CHARGE.", valueName: "name"))
  var type: String

  @Option(help: ArgumentHelp("The notification's subtype.", valueName: "name"))
  var subtype: String?

  @Option(
    help: ArgumentHelp(
      "A file with the signed transaction of the notification; - for standard input.", valueName: "file"))
  var transaction: String?

  @Option(
    help: ArgumentHelp("The app's bundle identifier, without --transaction.", valueName: "identifier")
  )
  var bundleId: String?

  @Option(help: ArgumentHelp("The environment, without --transaction.", valueName: "name"))
  var environment: EnvironmentArgument = .init(.sandbox)

  @Option(help: ArgumentHelp("The app's Apple ID, for the production environment.", valueName: "number"))
  var appAppleId: Int64?

  @Option(
    help: ArgumentHelp(
      "The notification's identifier (notificationUUID); a new one by default.", valueName: "uuid"))
  var notificationId: String?

  @Option(
    help: ArgumentHelp(
      "The end of the subscription's grace period, during which the App Store retries the payment.",
      valueName: "date"))
  var gracePeriodExpiresDate: DateArgument?

  @Flag(help: "Write the body that the App Store posts instead of the signed notification alone.")
  var body = false

  func validate() throws {
    guard (transaction == nil) != (bundleId == nil) else {
      throw ValidationError("expected either --transaction or --bundle-id")
    }
    if gracePeriodExpiresDate != nil, transaction == nil {
      throw ValidationError("--grace-period-expires-date requires --transaction")
    }
  }

  func run() async throws {
    let signer = try signing.signer()
    let signed = try signer.sign(try notification(signer))
    guard body else { return try CommandOutput.write(Array(signed.utf8)) }
    var writer = JSONWriter()
    writer.object { $0.member("signedPayload", signed) }
    try CommandOutput.write(writer.bytes)
  }

  private func notification(_ signer: TestingSigner) throws -> TestingNotification {
    let identifier = notificationId ?? TestingNotification.newIdentifier()
    guard let transaction else {
      return TestingNotification(
        type: type, subtype: subtype, identifier: identifier, signedDate: signing.date,
        bundleIdentifier: bundleId ?? "", appIdentifier: appAppleId, environment: environment.value,
        signedTransaction: nil)
    }
    do {
      let signed = String(decoding: try SignedFile.read(transaction), as: UTF8.self)
      var notification = try TestingNotification(
        type: type, subtype: subtype, identifier: identifier, signedDate: signing.date, about: signed,
        appIdentifier: appAppleId)
      if let end = gracePeriodExpiresDate {
        notification.signedRenewal = try signer.sign(
          TestingRenewal(of: signed, signedDate: signing.date, gracePeriodEnd: end.milliseconds))
      }
      return notification
    } catch let error as VerificationError {
      throw CommandFailure(.invalid, "the transaction cannot be read: \(error.message)")
    }
  }
}
