import Synchronization

/// The metrics of the server, for Prometheus (text format 0.0.4).
final class ServerMetrics: Sendable {
  private struct Series: Hashable {
    let endpoint: String
    let status: Int
  }

  private struct Counts {
    var requests: [Series: UInt64] = [:]
    /// For each endpoint: the cumulative counts by duration, the total duration in seconds, and the number of requests.
    var durations: [String: (buckets: [UInt64], sum: Double, count: UInt64)] = [:]
    var outcomes: [String: UInt64] = [:]
    var refusals: [String: UInt64] = [:]
    var contentBytes: UInt64 = 0
  }

  /// The upper bounds of the histogram's buckets, in seconds.
  private static let bounds = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5]

  private let counts = Mutex(Counts())

  func count(_ endpoint: Endpoint?, _ status: Int, _ time: Duration) {
    let name = endpoint?.rawValue ?? "none"
    let seconds = time / .seconds(1)
    counts.withLock { counts in
      counts.requests[Series(endpoint: name, status: status), default: 0] += 1
      var entry = counts.durations[name] ?? (Self.bounds.map { _ in 0 }, 0, 0)
      for (index, bound) in Self.bounds.enumerated() where seconds <= bound { entry.buckets[index] += 1 }
      entry.sum += seconds
      entry.count += 1
      counts.durations[name] = entry
    }
  }

  /// Counts the results of purchases, by their names in the API.
  func count(outcomes: [String]) {
    counts.withLock { counts in
      for status in outcomes { counts.outcomes[status, default: 0] += 1 }
    }
  }

  /// Counts a rejected request, purchase or notification, by reason.
  func count(refusal reason: String) {
    counts.withLock { $0.refusals[reason, default: 0] += 1 }
  }

  /// Counts sent bytes of content.
  @Sendable func countContent(_ bytes: Int64) { counts.withLock { $0.contentBytes += UInt64(bytes) } }

  var text: String {
    let counts = counts.withLock(\.self)
    var lines = head("iapkg_http_requests_total", "counter", "Requests by endpoint and status.")
    for (series, count) in counts.requests.sorted(by: {
      ($0.key.endpoint, $0.key.status) < ($1.key.endpoint, $1.key.status)
    }) {
      lines.append(
        "iapkg_http_requests_total{endpoint=\"\(series.endpoint)\",status=\"\(series.status)\"} \(count)")
    }
    lines += head("iapkg_http_request_seconds", "histogram", "Time until the head of the response.")
    for (name, entry) in counts.durations.sorted(by: { $0.key < $1.key }) {
      for (bound, count) in zip(Self.bounds, entry.buckets) {
        lines.append("iapkg_http_request_seconds_bucket{endpoint=\"\(name)\",le=\"\(bound)\"} \(count)")
      }
      lines.append("iapkg_http_request_seconds_bucket{endpoint=\"\(name)\",le=\"+Inf\"} \(entry.count)")
      lines.append("iapkg_http_request_seconds_sum{endpoint=\"\(name)\"} \(entry.sum)")
      lines.append("iapkg_http_request_seconds_count{endpoint=\"\(name)\"} \(entry.count)")
    }
    lines += head("iapkg_purchases_total", "counter", "Presented purchases by result.")
    for (status, count) in counts.outcomes.sorted(by: { $0.key < $1.key }) {
      lines.append("iapkg_purchases_total{status=\"\(status)\"} \(count)")
    }
    lines += head(
      "iapkg_refusals_total", "counter", "Refused requests, purchases and notifications by reason."
    )
    for (reason, count) in counts.refusals.sorted(by: { $0.key < $1.key }) {
      lines.append("iapkg_refusals_total{reason=\"\(reason)\"} \(count)")
    }
    lines += head("iapkg_content_bytes_total", "counter", "Bytes of completely sent content.")
    lines.append("iapkg_content_bytes_total \(counts.contentBytes)")
    return lines.joined(separator: "\n") + "\n"
  }

  private func head(_ name: String, _ kind: String, _ help: String) -> [String] {
    ["# HELP \(name) \(help)", "# TYPE \(name) \(kind)"]
  }
}
