#if !COMMAND_LINE_TOOL
internal import Foundation
import SafeFiles
#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// Translates the errors of URLSession.
enum SessionFailure {
  /// The number of descriptors that a connection needs.
  private static let descriptorsPerConnection = 2

  static func stall(_ exchange: HTTPExchange, rate: Int) -> HTTPError {
    HTTPError(
      .stalled,
      "\(exchange.request.address): fewer than \(rate) bytes a second arrived for \(exchange.request.stallTimeout)"
    )
  }

  static func error(_ error: any Error, of exchange: HTTPExchange) -> HTTPError {
    if let error = error as? HTTPError { return error }
    let address = exchange.request.address
    let code = (error as? URLError)?.code ?? .unknown
    if code == .cannotConnectToHost || code == .cannotFindHost,
      FreeDescriptors.count < descriptorsPerConnection
    {
      return HTTPError(
        .exhausted,
        "\(address): this process cannot open more files; raise the limit with ulimit -n")
    }
    let text = error.localizedDescription
    if let known = SessionPlatform.failure(text, of: exchange) { return known }
    let reason = reason(code)
    if reason == .unreachable || reason == .unexpectedResponse,
      let encoding = exchange.responseHead?.contentEncoding
    {
      return HTTPError(
        .unexpectedResponse,
        "\(address): \(text); the response came with Content-Encoding: \(encoding), which the request did not ask for"
      )
    }
    return HTTPError(reason, "\(address): \(text)")
  }

  private static func reason(_ code: URLError.Code) -> HTTPError.Reason {
    switch code {
    case .timedOut: .stalled
    case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
      .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
      .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
      .untrusted
    case .cannotDecodeRawData, .cannotDecodeContentData, .cannotParseResponse, .dataLengthExceedsMaximum:
      .unexpectedResponse
    default: .unreachable
    }
  }
}
#endif
