import ZipArchive

/// Compares the declared sizes with the limit, before anything is decoded or written.
package enum SizeRules {
  static func findings(items: some Collection<ContentItem>, archiveBytes: Int64?, limits: Limits) -> [Finding]
  {
    var findings: [Finding] = []
    if let archiveBytes { findings += finding(for: "the package has", archiveBytes, limits) }
    return findings + finding(for: "the content has", contentBytes(of: items), limits)
  }

  /// Returns the sum of the sizes of all items in bytes, or the maximum integer if it overflows.
  static func contentBytes(of items: some Collection<ContentItem>) -> Int64 { sum(items.lazy.map(\.size)) }

  /// Returns the sum of sizes, or the maximum integer if it overflows.
  package static func sum(_ sizes: some Sequence<Int64>) -> Int64 {
    sizes.reduce(0) { sum, size in
      let (next, overflow) = sum.addingReportingOverflow(max(size, 0))
      return overflow ? .max : next
    }
  }

  private static func finding(for subject: String, _ bytes: Int64, _ limits: Limits) -> [Finding] {
    if bytes > limits.bytes {
      return [
        Finding(.sizeOverLimit, "\(subject) \(bytes) bytes, expected at most \(limits.bytes)")
      ]
    }
    if bytes > Limits.publishedBytes {
      return [
        Finding(
          .sizeNearLimit,
          "\(subject) \(bytes) bytes, which is more than \(Limits.publishedBytes), the published limit of 2 GB in "
            + "decimal units")
      ]
    }
    return []
  }
}
