package import HTTPTransport

extension StoreError {
  /// Creates the store error for a failed HTTP request.
  package init(_ error: HTTPError, _ place: String) {
    let reason: Reason =
      switch error.reason {
      case .unreachable, .stalled, .tooSlow, .stream, .unexpectedResponse, .untrusted, .exhausted:
        .unreachable
      case .unauthorized: .denied
      case .status(let status): status == 401 || status == 403 ? .denied : .unreachable
      case .redirect: .invalidResponse
      case .missing: .missing
      case .rangeIgnored: .rangeIgnored
      case .invalidRequest: .unsuitable
      case .tooLarge: .tooLarge
      case .body(let error): .file(error)
      }
    self.init(
      reason, place, error.message + (reason == .missing ? Self.laterHint : ""),
      advice: error.reason == .unauthorized ? .token : nil)
  }

  /// Creates the error for an unsuccessful S3 response that a retry does not change; `operation` names the failed
  /// operation, such as "cannot read …".
  init(_ response: S3Response, _ operation: String, _ place: String) {
    let code = response.serviceError?.code ?? ""
    let message = response.errorMessage(operation)
    switch (response.head.status, code) {
    case (301, _), (307, _), (400, "AuthorizationHeaderMalformed"),
      (400, "IllegalLocationConstraintException"):
      let region = response.region.map { "the bucket is in the region '\($0)'; set AWS_REGION to it" }
      self.init(
        .unsuitable, place, "\(message); " + (region ?? "check that AWS_REGION is the region of the bucket"))
    case (404, "NoSuchBucket"): self.init(.noStore, place, message)
    case (404, _): self.init(.missing, place, message)
    case (409, _): self.init(.conflict, place, message)
    case (412, _): self.init(.conditionFailed, place, message)
    case (401, _), (403, _), (400, "ExpiredToken"), (400, "InvalidToken"): self.init(.denied, place, message)
    case (501, _): self.init(.unsuitable, place, message)
    default: self.init(.invalidResponse, place, message)
    }
  }
}
