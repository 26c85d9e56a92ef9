import ContentPackage
package import Delivery
package import HTTPTransport
package import Support

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation  // untested
#endif

/// A client of the App Store Connect API; belongs to one thread.
///
/// Tokens are sent to the API's host only: requests follow no redirect, and the next page of a list must be on the same
/// host.
package final class AppStoreClient {
  /// The address of Apple's API.
  package static let defaultAddress = "https://api.appstoreconnect.apple.com"
  /// The maximum size of a response in bytes; a page of 200 purchases has a few hundred thousand.
  private static let maximumResponseSize: Int64 = 4 << 20
  private static let maximumPageCount = 1_000
  /// The maximum number of purchases of an app; Apple allows 10,000.
  private static let maximumPurchaseCount = 100_000
  /// The maximum page size of the API.
  private static let pageSize = 200
  /// The remaining lifetime in seconds below which a token is replaced.
  private static let minimumLifetime: Int64 = 60
  /// The number of requests left in the quota below which the client sends requests only as fast as the quota grows.
  private static let reserve: Int64 = 10

  let http: HTTPClient
  private let base: HTTPAddress
  private let credentials: AppStoreCredentials
  /// The current time in seconds since 1970.
  let now: @Sendable () -> Int64
  private var token: (text: String, expires: Int64)?
  /// The seconds by which the API's clock is ahead of the local clock.
  private var skew: Int64 = 0
  private var rateLimit: RequestRate?

  /// Creates a client without contacting the API.
  ///
  /// - Parameters:
  ///   - address: The address of the API.
  ///   - credentials: The credentials of the client.
  ///   - network: The settings of all requests.
  ///   - cancellation: Ends the work early.
  ///   - now: Returns the time in seconds since 1970.
  /// - Throws: `StoreError` with `.unsuitable` for an invalid address, or for one that is neither `https` nor on this
  ///   machine.
  package init(
    _ address: String = defaultAddress, _ credentials: AppStoreCredentials,
    network: HTTPSettings = .fromEnvironment(), cancellation: Cancellation,
    now: @escaping @Sendable () -> Int64 = { Timestamp.now.seconds }
  ) throws(StoreError) {
    do throws(HTTPError) {
      base = try HTTPAddress(address)
    } catch {
      throw StoreError(error, address)
    }
    http = HTTPClient(network, cancellation: cancellation)
    guard base.isEncrypted || base.isOfThisMachine else {
      throw StoreError(
        .unsuitable, "\(base)", "\(base) is not encrypted, so no token is sent to it; expected https")
    }
    self.credentials = credentials
    self.now = now
  }

  /// Returns the in-app purchases of an app.
  ///
  /// - Parameter app: The Apple ID of the app, which `AppStoreCredentials.isIdentifier` accepts.
  /// - Returns: The purchases in the order of the API.
  /// - Throws: `StoreError`, with `.noStore` if the app does not exist, `IntegrityError`, `Interruption`.
  package func purchases(ofApp app: String) throws -> [HostedPurchase] {
    var purchases: [HostedPurchase] = []
    try forEachPage(of: "/v1/apps/\(app)/inAppPurchasesV2") { address in
      guard let page: PurchasePage = try document(at: address) else {
        throw StoreError(.noStore, "\(address)", Self.missingAppMessage(app))
      }
      purchases += try page.data.map { try purchase($0, address) }
      guard purchases.count <= Self.maximumPurchaseCount else {
        throw IntegrityError("\(address)", "lists more than \(Self.maximumPurchaseCount) purchases")
      }
      return page.links?.next
    }
    return purchases
  }

  /// Returns the message for an app that does not exist.
  static func missingAppMessage(_ app: String) -> String {
    "App Store Connect has no app \(app) that this key can access; compare the number with the Apple ID on the page App "
      + "Information"
  }

  /// Reads the pages of a list.
  ///
  /// - Parameters:
  ///   - path: The path of the list.
  ///   - query: The query, without the page size.
  ///   - read: Reads the page at an address, and returns the link to the next one.
  /// - Throws: The errors of `read`; `IntegrityError` for links that do not end, or that lead to another host.
  func forEachPage(of path: String, _ query: String = "", _ read: (HTTPAddress) throws -> String?) throws {
    var next: HTTPAddress? = address(
      path, query: "limit=\(Self.pageSize)" + (query.isEmpty ? "" : "&\(query)"))
    var visited: Set<HTTPAddress> = []
    while let address = next {
      guard visited.insert(address).inserted, visited.count <= Self.maximumPageCount else {
        throw IntegrityError("\(address)", "leads to itself, or to more than \(Self.maximumPageCount) pages")
      }
      next = try read(address).flatMap { try $0.isEmpty ? nil : self.next($0, after: address) }
    }
  }

  /// Returns the content that Apple hosts for a purchase; nil if there is none.
  ///
  /// - Throws: `StoreError`, `Interruption`.
  package func content(of purchase: HostedPurchase) throws -> HostedContent? {
    let response: ContentResponse? = try document(
      at: address("/v2/inAppPurchases/\(purchase.id)/content"))
    return response?.data?.attributes.map {
      HostedContent(
        fileName: $0.fileName, fileSize: $0.fileSize, lastModifiedDate: $0.lastModifiedDate, url: $0.url)
    }
  }

  /// Returns the address of the content of a purchase.
  ///
  /// - Throws: `IntegrityError` if the address is missing or invalid, or is not `https` although the API's is.
  func address(of content: HostedContent, _ purchase: HostedPurchase) throws(IntegrityError) -> HTTPAddress {
    let name = "the content of \(purchase.product)"
    guard let url = content.url else { throw IntegrityError(name, "has no address") }
    guard let address = try? HTTPAddress(url), address.isEncrypted || !base.isEncrypted else {
      throw IntegrityError(name, "has an address that is not https")
    }
    return address
  }

  /// Whether the API is a server without encryption on this machine, as in tests; the addresses in its responses then
  /// need no encryption either.
  var isLocal: Bool { !base.isEncrypted }

  func address(_ path: String, query: String? = nil) -> HTTPAddress {
    base.with(
      path: (base.path.hasSuffix("/") ? String(base.path.dropLast()) : base.path) + path, query: query)
  }

  private func purchase(
    _ purchase: PurchasePage.Purchase, _ address: HTTPAddress
  ) throws(IntegrityError) -> HostedPurchase {
    guard AppStoreCredentials.isIdentifier(purchase.id) else {
      throw IntegrityError("\(address)", "lists a purchase with the invalid id '\(purchase.id)'")
    }
    return HostedPurchase(id: purchase.id, product: purchase.attributes?.productId ?? "")
  }

  private func next(_ link: String, after address: HTTPAddress) throws -> HTTPAddress {
    guard let next = try? address.following(link), next.origin == base.origin else {
      throw IntegrityError(
        "\(address)",
        "links to a next page on a host other than \(base.authority), which must not receive the token"
      )
    }
    return next
  }
}

// Single requests.
extension AppStoreClient {
  /// Returns the document at an address; nil if it does not exist.
  private func document<Document: Decodable>(at address: HTTPAddress) throws -> Document? {
    let name = "\(address)"
    do {
      guard let bytes = try http.retrying({ try responseBody(to: HTTPRequest(.get, address)) }) else {
        return nil
      }
      return try JSONDecoder().decode(Document.self, from: Data(bytes))
    } catch let error as HTTPError {
      throw StoreError(error, name)
    } catch is DecodingError {
      throw StoreError(
        .invalidResponse, name, "\(name) sent a response that does not match the API's documentation")
    }
  }

  /// Sends a request, and repeats it with a new token if the token is rejected.
  ///
  /// - Returns: The body of the response; nil if the resource does not exist.
  /// - Throws: `HTTPError`, `StoreError`, `Interruption`.
  func responseBody(to request: HTTPRequest) throws -> [UInt8]? {
    let address = request.address
    if let rateLimit, rateLimit.remaining < Self.reserve {
      http.cancellation.wait(rateLimit.interval)
      try http.cancellation.check()
    }
    var (head, body) = try exchange(request)
    if head.status == 401 {
      if let date = head.date { skew = date - now() }
      token = nil
      (head, body) = try exchange(request)
    }
    rateLimit = RequestRate(head) ?? rateLimit
    switch head.status {
    case 200, 201, 204: return body
    case 404: return nil
    case 401, 403:
      throw StoreError(
        .denied, "\(address)",
        "App Store Connect refuses the key \(credentials.keyID) (status \(head.status))"
          + explanation(of: body))
    case 400, 409, 422:
      throw StoreError(
        .conflict, "\(address)",
        "App Store Connect refuses \(request.method.rawValue) \(address) (status \(head.status))"
          + explanation(of: body))
    default:
      throw HTTPError(
        .status(head.status),
        "\(address) answered with status \(head.status)" + explanation(of: body)
          + (head.status == 429 ? "; run the command again to resume when the quota is renewed" : ""),
        retryAfter: head.retryAfter(now: now()))
    }
  }

  private func exchange(_ request: HTTPRequest) throws -> (HTTPHead, [UInt8]) {
    var request = request
    request.headers += [
      HTTPHeader("Authorization", "Bearer \(try currentToken())"), HTTPHeader("Accept", "application/json"),
    ]
    request.bodyLimit = Self.maximumResponseSize
    let response = try http.open(request)
    return (response.head, try response.body())
  }

  private func currentToken() throws -> String {
    let time = now() + skew
    if let token, token.expires - time > Self.minimumLifetime { return token.text }
    let newToken = try credentials.token(at: time)
    token = (newToken, time + AppStoreCredentials.tokenLifetime)
    return newToken
  }

  /// Returns a colon and the API's explanation of a rejection; empty without an explanation, or if the explanation
  /// contains a part of the token.
  private func explanation(of body: [UInt8]) -> String {
    let reason = (try? JSONDecoder().decode(ErrorResponse.self, from: Data(body)))?.errors?.first
    guard let text = reason?.detail ?? reason?.title, !text.isEmpty else { return "" }
    let secrets = token?.text.split(separator: ".") ?? []
    guard !secrets.contains(where: { text.contains($0) }) else { return "" }
    return ": \(String(text.prefix(Self.maximumExplanationLength)))"
  }

  private static var maximumExplanationLength: Int { 300 }
}

/// The quota of API requests: `X-Rate-Limit: user-hour-lim:3600;user-hour-rem:3500;` ("Identifying Rate Limits").
struct RequestRate: Sendable, Equatable {
  /// The number of requests granted per hour.
  let limit: Int64
  /// The number of remaining requests.
  let remaining: Int64

  /// The time in which the quota grows by one request, at most one minute.
  var interval: Duration { .seconds(3600) / Int(max(limit, 60)) }

  /// Parses the header of a response; nil if it has no quota.
  init?(_ head: HTTPHead) {
    guard let text = head["x-rate-limit"] else { return nil }
    var numbers: [Substring: Int64] = [:]
    for field in text.split(separator: ";") {
      let parts = field.split(separator: ":")
      guard parts.count == 2 else { continue }
      numbers[parts[0].drop { $0 == " " }] = Int64(parts[1])
    }
    guard let limit = numbers["user-hour-lim"], let remaining = numbers["user-hour-rem"], limit > 0,
      remaining >= 0
    else { return nil }
    self.limit = limit
    self.remaining = remaining
  }
}
