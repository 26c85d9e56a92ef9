import HTTPTransport
import Support

extension S3Store {
  /// The path prefix of probe objects. A killed publisher may leave one behind.
  static let probePrefix = ".iapkg-probe-"

  /// Returns whether a path is that of a probe object.
  static func isProbe(_ path: String) -> Bool {
    path.hasPrefix(probePrefix) && UInt64(hexadecimal: Array(path.utf8)[probePrefix.utf8.count...]) != nil
  }

  /// Verifies with a probe object that the store enforces the conditions of writes: otherwise concurrent publishers
  /// would overwrite each other's changes. A single publisher needs no conditions.
  package func checkConditions() throws(StoreError) {
    guard !isSinglePublisher else { return }
    let key = key("\(Self.probePrefix)\(String(UInt64.random(in: .min ... .max), radix: 16))")
    defer { try? delete(key: key) }
    let first = try attempt(key, nil)
    guard first.head.isSuccess else { throw StoreError(first, "cannot write to \(name)", name) }
    guard let tag = first.head["etag"],
      try isRefused(key, HTTPHeader("If-None-Match", "*")),
      try isRefused(key, HTTPHeader("If-Match", "\"00000000000000000000000000000000\"")),
      // The store may perform a write, lose the response and refuse the retry, so only 501 counts.
      try attempt(key, HTTPHeader("If-Match", tag)).head.status != 501
    else {
      throw StoreError(
        .unsuitable, name,
        "the store \(name) ignores If-Match and If-None-Match, so one of two simultaneous publications could "
          + "be lost", advice: .singlePublisher)
    }
  }

  /// Returns whether the store rejects a write whose condition does not hold.
  private func isRefused(_ key: String, _ condition: HTTPHeader) throws(StoreError) -> Bool {
    [409, 412].contains(try attempt(key, condition).head.status)
  }

  private func attempt(_ key: String, _ condition: HTTPHeader?) throws(StoreError) -> S3Response {
    var request = S3Request(.put, key)
    request.headers = condition.map { [$0] } ?? []
    request.setBody(
      Array("iapkg tests whether this store honors conditional requests; this object may be deleted\n".utf8))
    let response = try client.send(request)
    if [301, 307, 400, 401, 403].contains(response.head.status)
      || response.serviceError?.code == "NoSuchBucket"
    {
      throw StoreError(response, "cannot write to \(name)", name)
    }
    return response
  }
}
