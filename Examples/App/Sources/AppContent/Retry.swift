import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The policy for retrying requests. Every request of the API is safe to repeat, because it counts once.
public struct Retry: Sendable {
  /// The maximum number of attempts.
  public var attempts = 8
  /// The wait before the second attempt, in seconds; it doubles with each further attempt.
  public var firstWait = 0.5
  /// The maximum wait in seconds, even if the server requests more.
  public var maximumWait = 30.0

  public init() {}

  /// Returns the seconds to wait after `attempt`, counted from 1. A longer wait requested by the server takes
  /// precedence; a random factor spreads the retries of many apps.
  func wait(after attempt: Int, asked: Double?) -> Double {
    let growing = firstWait * pow(2, Double(attempt - 1)) * Double.random(in: 0.75...1.25)
    return min(max(asked ?? 0, growing), maximumWait)
  }

  /// Whether the server may respond differently later.
  static func isTransient(status: Int) -> Bool {
    [408, 425, 429].contains(status) || (500...599).contains(status)
  }

  /// Whether a connection that failed with this error may succeed later.
  static func isTransient(_ error: URLError) -> Bool {
    switch error.code {
    case .badURL, .unsupportedURL, .cancelled, .userAuthenticationRequired, .serverCertificateUntrusted,
      .serverCertificateHasBadDate, .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid:
      false
    default: true
    }
  }
}
