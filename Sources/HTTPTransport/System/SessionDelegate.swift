#if !COMMAND_LINE_TOOL
internal import Foundation
import Synchronization
#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// Passes the events of a session to the inbox of its current request.
final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
  private let current = Mutex<ResponseInbox?>(nil)

  func receive(into inbox: ResponseInbox) { current.withLock { $0 = inbox } }

  private var inbox: ResponseInbox? { current.withLock { $0 } }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    inbox?.put(head: response)
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    inbox?.put(data)
  }

  /// Follows no redirects. `HTTPClient` follows them, because it knows which headers another host may receive.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  /// Provides no credentials, so that the response with status 401 or 407 is the result.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    guard SessionPlatform.challengesAreResponses else {
      completionHandler(.performDefaultHandling, nil)
      return
    }
    takeInbox()?.finish(nil, task.response)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask,
    willCacheResponse proposedResponse: CachedURLResponse,
    completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
  ) {
    completionHandler(nil)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    inbox?.put(sent: totalBytesSent)
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    takeInbox()?.finish(error, task.response)
  }

  /// Returns the inbox of the current request, which has ended.
  private func takeInbox() -> ResponseInbox? {
    current.withLock { inbox in
      defer { inbox = nil }
      return inbox
    }
  }
}
#endif
