import ArgumentParser
import Entitlements

struct SignTransactionCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign-transaction",
    abstract: "Sign a test transaction, as the App Store signs transactions.")

  @OptionGroup var signing: SigningOptions

  @Option(help: ArgumentHelp("The identifier of the product.", valueName: "identifier"))
  var product: String

  @Option(help: ArgumentHelp("The app's bundle identifier.", valueName: "identifier"))
  var bundleId: String

  @Option(help: "The type: consumable, non-consumable, auto-renewable or non-renewing.")
  var type: ProductKindArgument = .init(.nonConsumable)

  @Option(help: ArgumentHelp("The quantity.", valueName: "number"))
  var quantity = 1

  @Option(
    help: ArgumentHelp("The environment: Sandbox, Production, Xcode or LocalTesting.", valueName: "name"))
  var environment: EnvironmentArgument = .init(.sandbox)

  @Option(help: ArgumentHelp("The transaction's identifier; a new one by default.", valueName: "identifier"))
  var transactionId: String?

  @Option(
    help: ArgumentHelp(
      "The identifier of the first transaction of this purchase; the transaction's identifier by default.",
      valueName: "identifier"))
  var originalTransactionId: String?

  @Option(help: ArgumentHelp("The appAccountToken.", valueName: "uuid"))
  var appAccountToken: String?

  @Flag(help: "Mark the purchase as received through Family Sharing.")
  var familyShared = false

  @Option(help: ArgumentHelp("The purchase date. The default is the signing date.", valueName: "date"))
  var purchaseDate: DateArgument?

  @Option(help: ArgumentHelp("The end of a subscription.", valueName: "date"))
  var expiresDate: DateArgument?

  @Flag(help: "Mark the purchase as upgraded to another product of the subscription group.")
  var upgraded = false

  @Option(help: ArgumentHelp("The revocation date.", valueName: "date"))
  var revocationDate: DateArgument?

  @Option(
    help: ArgumentHelp(
      "The revoked share in percent, with up to three decimal places; 100 by default.",
      valueName: "number"))
  var revocationPercentage: PercentageArgument?

  func run() async throws {
    try CommandOutput.write(Array(try signing.signer().sign(transaction).utf8))
  }

  private var transaction: TestingTransaction {
    let signed = signing.date
    var transaction = TestingTransaction(
      product: product, kind: type.value, bundleIdentifier: bundleId, environment: environment.value,
      at: purchaseDate?.milliseconds ?? signed)
    transaction.purchase.signedDate = signed
    transaction.purchase.quantity = quantity
    transaction.purchase.appAccountToken = appAccountToken
    transaction.purchase.isFamilyShared = familyShared
    transaction.purchase.isUpgraded = upgraded
    transaction.purchase.expiresDate = expiresDate?.milliseconds
    if let transactionId { transaction.purchase.transactionIdentifier = transactionId }
    transaction.purchase.originalTransactionIdentifier =
      originalTransactionId ?? transaction.purchase.transactionIdentifier
    if revocationDate != nil || revocationPercentage != nil {
      transaction.purchase.revocation = Purchase.Revocation(
        date: revocationDate?.milliseconds ?? signed,
        share: revocationPercentage?.thousandths ?? Purchase.Revocation.maximumShare)
    }
    return transaction
  }
}
