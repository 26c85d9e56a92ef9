import ArgumentParser
import Entitlements

struct SignTransactionCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign-transaction",
    abstract: "Sign a purchase that never took place, as the App Store signs transactions.")

  @OptionGroup var signing: SigningOptions

  @Option(help: ArgumentHelp("The product that is bought.", valueName: "identifier"))
  var product: String

  @Option(help: ArgumentHelp("The app's bundle identifier.", valueName: "identifier"))
  var bundleId: String

  @Option(help: "consumable, non-consumable, auto-renewable or non-renewing.")
  var type: ProductKindArgument = .init(.nonConsumable)

  @Option(help: ArgumentHelp("How many are bought.", valueName: "number"))
  var quantity = 1

  @Option(help: ArgumentHelp("Sandbox, Production, Xcode or LocalTesting.", valueName: "name"))
  var environment: EnvironmentArgument = .init(.sandbox)

  @Option(help: ArgumentHelp("The transaction's identifier; a new one by default.", valueName: "identifier"))
  var transactionId: String?

  @Option(
    help: ArgumentHelp(
      "The identifier of the first transaction of this purchase; that of the transaction by default.",
      valueName: "identifier"))
  var originalTransactionId: String?

  @Option(help: ArgumentHelp("The account that the app names.", valueName: "uuid"))
  var appAccountToken: String?

  @Flag(help: "It comes to this customer through Family Sharing.")
  var familyShared = false

  @Option(help: ArgumentHelp("When it was bought; when it was signed by default.", valueName: "date"))
  var purchaseDate: MomentArgument?

  @Option(help: ArgumentHelp("When a subscription ends.", valueName: "date"))
  var expiresDate: MomentArgument?

  @Flag(help: "The customer changed from it to another product of the subscription's group.")
  var upgraded = false

  @Option(help: ArgumentHelp("When it was taken back.", valueName: "date"))
  var revocationDate: MomentArgument?

  @Option(
    help: ArgumentHelp(
      "How much of it was taken back, in per cent with up to three decimal places; all by default.",
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
        share: revocationPercentage?.thousandths ?? Purchase.Revocation.whole)
    }
    return transaction
  }
}
