import Delivery
import Synchronization

/// Asks the App Store what an app's receipt says (`verifyReceipt`): production, and for receipts of the sandbox that.
///
/// Apple has deprecated receipts; apps with StoreKit 2 have signed transactions, which `PurchaseVerifier` needs nobody
/// for.
public final class ReceiptVerifier: Sendable {
  public struct Settings: Sendable {
    /// The app's bundle identifier, which a receipt has to name.
    public var bundleIdentifier: String
    /// Whether receipts of the sandbox are accepted.
    public var allowsSandbox: Bool
    /// The app's shared secret, which receipts with subscriptions need.
    public var sharedSecret: String?
    public var productionAddress = "https://buy.itunes.apple.com/verifyReceipt"
    public var sandboxAddress = "https://sandbox.itunes.apple.com/verifyReceipt"
    /// Hears once of an answer that says that the service is deprecated.
    public var noteDeprecation: @Sendable (String) -> Void = { _ in }

    public init(bundleIdentifier: String, allowsSandbox: Bool, sharedSecret: String? = nil) {
      self.bundleIdentifier = bundleIdentifier
      self.allowsSandbox = allowsSandbox
      self.sharedSecret = sharedSecret
    }
  }

  /// The most characters of a receipt.
  public static let largestReceipt = 4 << 20
  /// How long to wait after each try that failed for a reason that passes.
  static let pauses: [Duration] = [.milliseconds(500), .seconds(1), .seconds(2), .seconds(4)]
  /// After this time nothing is tried again: whoever asked, or a proxy before the server, waits a minute at most.
  static let patience = Duration.seconds(20)

  private let settings: Settings
  private let production: HTTPAddress
  private let sandbox: HTTPAddress
  private let transport: any PostTransport
  private let pause: @Sendable (Duration) async throws -> Void
  private let now: @Sendable () -> ContinuousClock.Instant
  private let isDeprecationNoted = Atomic(false)

  /// - Throws: `ReceiptError` if an address cannot be used, or the system grants no thread.
  public convenience init(_ settings: Settings) throws(ReceiptError) {
    let transport: HTTPPoster
    do throws(HTTPError) { transport = try HTTPPoster() } catch {
      throw ReceiptError(.unavailable, error.message)
    }
    try self.init(settings, transport) { try await Task.sleep(for: $0) }
  }

  package init(
    _ settings: Settings, _ transport: any PostTransport,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    pause: @escaping @Sendable (Duration) async throws -> Void
  ) throws(ReceiptError) {
    self.now = now
    self.settings = settings
    self.transport = transport
    self.pause = pause
    do throws(HTTPError) {
      production = try HTTPAddress(settings.productionAddress)
      sandbox = try HTTPAddress(settings.sandboxAddress)
    } catch {
      throw ReceiptError(.unavailable, "the address of verifyReceipt cannot be used: \(error.message)")
    }
  }

  /// Asks for the purchases in a receipt.
  ///
  /// - Parameter receipt: the base64 of the app's receipt.
  /// - Returns: every transaction once, by the time of purchase. One that is missing means nothing.
  /// - Throws: `ReceiptError`.
  public func purchases(in receipt: String) async throws(ReceiptError) -> [Purchase] {
    guard !receipt.isEmpty, receipt.utf8.count <= Self.largestReceipt,
      StrictBase64.padded.decode(receipt.utf8) != nil
    else { throw ReceiptError(.refused(.malformed), "the receipt is not base64") }
    let question = question(about: receipt)
    let end = now() + Self.patience
    var environment = StoreEnvironment.production
    var (status, answer) = try await ask(question, at: production, until: end)
    if status == .ofSandbox {
      guard settings.allowsSandbox else {
        throw ReceiptError(.refused(.environment), "the receipt is of the sandbox, expected production")
      }
      environment = .sandbox
      (status, answer) = try await ask(question, at: sandbox, until: end)
    }
    switch status {
    case .valid: break
    case .refused(let reason, let message): throw ReceiptError(.refused(reason), message)
    case .unusable(let message): throw ReceiptError(.unavailable, message)
    case .temporary, .ofSandbox, .ofProduction:
      throw ReceiptError(.unavailable, "the App Store does not say what the receipt is")
    }
    guard answer.environment ?? environment == environment else {
      throw ReceiptError(
        .refused(.environment),
        "the App Store answered for another environment than '\(environment.rawValue)'")
    }
    do throws(VerificationError) {
      return try answer.purchases(of: settings.bundleIdentifier, in: environment)
    } catch {
      throw ReceiptError(.refused(error.reason), error.message)
    }
  }

  /// `requestBody` of Apple's documentation.
  private func question(about receipt: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("receipt-data", receipt)
      if let secret = settings.sharedSecret { writer.member("password", secret) }
    }
    return writer.bytes
  }

  /// Asks, and asks again after growing pauses as long as the reason for having no answer is one that passes.
  private func ask(
    _ question: [UInt8], at address: HTTPAddress, until end: ContinuousClock.Instant
  ) async throws(ReceiptError) -> (ReceiptStatus, ReceiptAnswer) {
    for wait in Self.pauses {
      if let answer = try await askOnce(question, at: address) { return answer }
      if now() + wait >= end { throw ReceiptError(.unavailable, "\(address) does not answer in time") }
      do { try await pause(wait) } catch {
        throw ReceiptError(.unavailable, "the question to the App Store was interrupted")
      }
    }
    if let answer = try await askOnce(question, at: address) { return answer }
    throw ReceiptError(.unavailable, "\(address) cannot answer at present")
  }

  /// - Returns: nil if asking again may help.
  private func askOnce(
    _ question: [UInt8], at address: HTTPAddress
  ) async throws(ReceiptError) -> (ReceiptStatus, ReceiptAnswer)? {
    let response: PostResponse
    do throws(HTTPError) {
      response = try await transport.post(question, as: "application/json", to: address)
    } catch {
      guard !error.isTransient else { return nil }
      throw ReceiptError(.unavailable, error.message)
    }
    if let deprecation = response.deprecation, !isDeprecationNoted.exchange(true, ordering: .relaxed) {
      settings.noteDeprecation(deprecation)
    }
    guard response.status == 200 else {
      let error = HTTPError(.status(response.status), "\(address) answered with status \(response.status)")
      guard !error.isTransient else { return nil }
      throw ReceiptError(.unavailable, error.message)
    }
    let answer = try Self.answer(in: response.body, of: address)
    let status = ReceiptStatus(answer.status ?? -1, isRetryable: answer.isRetryable)
    return status == .temporary ? nil : (status, answer)
  }

  private static func answer(
    in body: [UInt8], of address: HTTPAddress
  ) throws(ReceiptError) -> ReceiptAnswer {
    do throws(DocumentError) {
      var reader = JSONReader(body)
      return try reader.document { (reader) throws(DocumentError) in try ReceiptAnswer(reader: &reader) }
    } catch {
      throw ReceiptError(.unavailable, "the answer of \(address) cannot be read: \(error.message)")
    }
  }
}
