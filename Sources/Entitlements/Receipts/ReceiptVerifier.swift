import HTTPTransport
import StrictJSON
import Support
import Synchronization

/// Fetches the purchases of an app's receipt from the App Store (`verifyReceipt`): first from production, and for a sandbox
/// receipt from the sandbox.
///
/// Apple has deprecated receipts. Apps with StoreKit 2 have signed transactions, which `PurchaseVerifier` verifies
/// offline.
public final class ReceiptVerifier: Sendable {
  /// The accepted app, and the addresses and the secret for requests.
  public struct Settings: Sendable {
    /// The bundle identifier that a receipt must name.
    public var bundleIdentifier: String
    /// Whether sandbox receipts are accepted.
    public var allowsSandbox: Bool
    /// The app's shared secret, which receipts with subscriptions require.
    public var sharedSecret: String?
    public var productionAddress = "https://buy.itunes.apple.com/verifyReceipt"
    public var sandboxAddress = "https://sandbox.itunes.apple.com/verifyReceipt"
    /// The function to call once, with the value of `Deprecation` (RFC 9745), when a response announces the deprecation
    /// of the service.
    public var noteDeprecation: @Sendable (String) -> Void = { _ in }

    public init(bundleIdentifier: String, allowsSandbox: Bool, sharedSecret: String? = nil) {
      self.bundleIdentifier = bundleIdentifier
      self.allowsSandbox = allowsSandbox
      self.sharedSecret = sharedSecret
    }
  }

  /// The maximum length of a receipt, in characters.
  public static let maximumReceiptLength = 4 << 20
  /// The delay before each retry.
  static let retryDelays: [Duration] = [.milliseconds(500), .seconds(1), .seconds(2), .seconds(4)]
  /// The maximum number of receipts in progress at a time.
  static let maximumReceiptCount = 64
  /// The time limit for a receipt, including the wait in the queue and all retries. A client of the server, or a proxy in
  /// front of it, waits for at most a minute.
  static let timeout = Duration.seconds(20)

  private let settings: Settings
  private let production: HTTPAddress
  private let sandbox: HTTPAddress
  private let transport: any PostTransport
  private let pause: @Sendable (Duration) async throws -> Void
  private let now: @Sendable () -> ContinuousClock.Instant
  private let isDeprecationNoted = Atomic(false)
  private let count = Atomic(0)

  /// Creates a verifier that sends requests on its own threads.
  ///
  /// - Throws: `ReceiptError` if an address is invalid, or the system cannot start a thread.
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

  /// Fetches the purchases in a receipt.
  ///
  /// - Parameter receipt: The base64 of the app's receipt.
  /// - Returns: Every transaction once, in the order of purchase. The absence of a transaction means nothing.
  /// - Throws: `ReceiptError` with `.refused` for a receipt that no retry makes valid, otherwise with `.unavailable`.
  public func purchases(in receipt: String) async throws(ReceiptError) -> [Purchase] {
    guard !receipt.isEmpty, receipt.utf8.count <= Self.maximumReceiptLength,
      Base64.standard.decode(receipt.utf8) != nil
    else { throw ReceiptError(.refused(.malformed), "the receipt is empty, too long or not base64") }
    defer { count.subtract(1, ordering: .relaxed) }
    guard count.add(1, ordering: .relaxed).newValue <= Self.maximumReceiptCount else {
      throw ReceiptError(.unavailable, "too many receipts wait for the App Store")
    }
    let body = requestBody(for: receipt)
    let end = now() + Self.timeout
    var environment = StoreEnvironment.production
    var (status, response) = try await send(body, to: production, until: end)
    if status == .sandboxReceipt {
      guard settings.allowsSandbox else {
        throw ReceiptError(
          .refused(.environment), "the receipt is from the sandbox, expected one from production")
      }
      environment = .sandbox
      (status, response) = try await send(body, to: sandbox, until: end)
    }
    switch status {
    case .valid: break
    case .refused(let reason, let message): throw ReceiptError(.refused(reason), message)
    case .unusable(let message): throw ReceiptError(.unavailable, message)
    case .temporary, .sandboxReceipt, .productionReceipt:
      throw ReceiptError(.unavailable, "the App Store does not accept the receipt in any environment")
    }
    guard response.environment ?? environment == environment else {
      throw ReceiptError(
        .refused(.environment),
        "the App Store answered for an environment other than '\(environment.rawValue)'")
    }
    do throws(VerificationError) {
      return try response.purchases(of: settings.bundleIdentifier, in: environment)
    } catch {
      throw ReceiptError(.refused(error.reason), error.message)
    }
  }

  /// Returns the `requestBody` of Apple's documentation.
  private func requestBody(for receipt: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("receipt-data", receipt)
      if let secret = settings.sharedSecret { writer.member("password", secret) }
    }
    return writer.bytes
  }

  /// Sends the request, and retries with growing delays while the failure is temporary.
  private func send(
    _ body: [UInt8], to address: HTTPAddress, until end: ContinuousClock.Instant
  ) async throws(ReceiptError) -> (ReceiptStatus, ReceiptResponse) {
    for delay in Self.retryDelays {
      if let response = try await sendOnce(body, to: address, until: end) { return response }
      if now() + delay >= end { throw ReceiptError(.unavailable, "\(address) does not answer in time") }
      do { try await pause(delay) } catch {
        throw ReceiptError(.unavailable, "the request to the App Store was interrupted")
      }
    }
    if let response = try await sendOnce(body, to: address, until: end) { return response }
    throw ReceiptError(.unavailable, "\(address) cannot answer now")
  }

  /// Sends the request once; returns nil if a retry may succeed.
  private func sendOnce(
    _ body: [UInt8], to address: HTTPAddress, until end: ContinuousClock.Instant
  ) async throws(ReceiptError) -> (ReceiptStatus, ReceiptResponse)? {
    let response: PostResponse
    do throws(HTTPError) {
      response = try await transport.post(body, as: "application/json", to: address, until: end)
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
    let parsed = try Self.parse(response.body, from: address)
    let status = ReceiptStatus(parsed.status ?? -1, isRetryable: parsed.isRetryable)
    return status == .temporary ? nil : (status, parsed)
  }

  private static func parse(
    _ body: [UInt8], from address: HTTPAddress
  ) throws(ReceiptError) -> ReceiptResponse {
    do throws(DocumentError) {
      var reader = JSONReader(body)
      return try reader.document { (reader) throws(DocumentError) in try ReceiptResponse(reader: &reader) }
    } catch {
      throw ReceiptError(.unavailable, "the response of \(address) cannot be read: \(error.message)")
    }
  }
}
