#if !COMMAND_LINE_TOOL
internal import Foundation
#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// Owns a `URLSession`, which performs one request at a time and keeps its connections open.
final class SessionHandle: Sendable {
  private let session: URLSession
  private let delegate = SessionDelegate()

  private init() {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.httpCookieAcceptPolicy = .never
    configuration.urlCredentialStorage = nil
    configuration.httpAdditionalHeaders = [
      "User-Agent": "iapkg", "Accept": "*/*", "Accept-Encoding": "identity",
    ]
    // `SpeedCheck` ends slow transfers earlier.
    configuration.timeoutIntervalForRequest = 600
    SessionPlatform.configure(configuration)
    session = URLSession(
      configuration: configuration, delegate: delegate, delegateQueue: SessionPlatform.makeDelegateQueue())
  }

  deinit { session.invalidateAndCancel() }

  static func make() throws(HTTPError) -> SessionHandle { SessionHandle() }

  /// Starts a request whose response goes to `inbox`. The previous request must have ended.
  func start(_ request: URLRequest, into inbox: ResponseInbox) -> URLSessionTask {
    delegate.receive(into: inbox)
    let task = session.dataTask(with: request)
    task.resume()
    return task
  }
}
#endif
