import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// When a request is made again. All requests of the API may be: each counts once.
public struct Retry: Sendable {
  /// The most tries.
  public var attempts = 8
  /// The wait before the second try, in seconds; each further one is twice as long.
  public var firstWait = 0.5
  /// The longest wait, whatever the server asks for.
  public var longestWait = 30.0

  public init() {}

  /// Seconds before the try after `attempt`, which counts from 1. What the server asks for goes before; a random part
  /// keeps apps from coming back all at once.
  func wait(after attempt: Int, asked: Double?) -> Double {
    let growing = firstWait * pow(2, Double(attempt - 1)) * Double.random(in: 0.75...1.25)
    return min(max(asked ?? 0, growing), longestWait)
  }

  /// Whether the server may answer something else later.
  static func isTransient(status: Int) -> Bool {
    [408, 425, 429].contains(status) || (500...599).contains(status)
  }

  /// Whether a connection that failed in this way may come about later.
  static func isTransient(_ error: URLError) -> Bool {
    switch error.code {
    case .badURL, .unsupportedURL, .cancelled, .userAuthenticationRequired, .serverCertificateUntrusted,
      .serverCertificateHasBadDate, .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid:
      false
    default: true
    }
  }
}
