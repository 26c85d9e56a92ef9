/// The keys of one object. Most objects have few keys, for which a list is enough; a catalog may have many.
struct SeenKeys {
  private static let maximumFewCount = 16
  private var few: [String] = []
  private var many: Set<String> = []

  var count: Int { many.isEmpty ? few.count : many.count }

  init() { few.reserveCapacity(Self.maximumFewCount) }

  /// Adds a key; returns false for a duplicate.
  mutating func insert(_ key: String) -> Bool {
    if !many.isEmpty { return many.insert(key).inserted }
    guard !few.contains(key) else { return false }
    few.append(key)
    if few.count > Self.maximumFewCount { (few, many) = ([], Set(few)) }
    return true
  }
}
