import ContentPackage
import Support

/// A tag of on-demand resources.
package struct ResourceTag: Sendable, Equatable {
  /// The time at which the system downloads a tag (On-Demand Resources Guide, "Presenting Resources in Xcode").
  package enum Category: Sendable, Equatable {
    /// With the app.
    case initialInstall
    /// After the installation of the app, in this position among the prefetched tags, counted from 1; 0 if a build does
    /// not record the position.
    case prefetched(Int)
    /// At the request of the app.
    case onDemand

    /// The policy of an asset pack that the system downloads at the same time.
    package var policy: DownloadPolicy.Kind {
      switch self {
      case .initialInstall: .essential
      case .prefetched: .prefetch
      case .onDemand: .onDemand
      }
    }
  }

  /// The name; not safe to print.
  package let name: String
  package let category: Category

  /// The maximum length of a name in bytes.
  private static let maximumLength = 1_024
  /// The maximum number of tags of one file.
  private static let maximumCount = 1_000

  /// Returns the tags of a file, sorted by their bytes and without duplicates.
  ///
  /// - Throws: `InvalidTag` if a name cannot be that of a tag, or there are too many names.
  static func checked(_ names: [String]) throws(InvalidTag) -> [String] {
    guard names.count <= maximumCount else {
      throw InvalidTag(message: "it has \(names.count) tags, expected at most \(maximumCount)")
    }
    for name in names {
      guard !name.isEmpty, name.utf8.count <= maximumLength,
        !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
      else {
        throw InvalidTag(
          message:
            "it has the tag '\(String(displaying: name.utf8.prefix(80)))', expected 1 to \(maximumLength) bytes "
            + "without control characters")
      }
    }
    return Set(names).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Returns the asset pack ID for files with exactly these tags: hyphens replace all characters but letters and
  /// digits.
  ///
  /// - Returns: Nil if a tag has no ASCII letter or digit.
  static func identifier(_ tags: [String]) -> AssetPackIdentifier? {
    let parts = tags.map { tag in
      let mapped = tag.unicodeScalars.map { scalar in
        scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
          ? Character(scalar) : "-"
      }
      return String(mapped).trimmingHyphens
    }
    guard !parts.contains("") else { return nil }
    let text = parts.joined(separator: separator)
    guard text.utf8.count > AssetPackIdentifier.maximumLength else { return AssetPackIdentifier(text) }
    var hasher = SHA256Hasher()
    hasher.update(unsafe Array(tags.joined(separator: "\0").utf8).borrowedSpan.bytes)  // UInt8 has no padding
    let digits = hasher.finish().hexadecimal.prefix(digitCount)
    let length = AssetPackIdentifier.maximumLength - digitCount - 1
    return AssetPackIdentifier("\(text.prefix(length).description.trimmingHyphens)-\(digits)")
  }

  /// The part of an ID between the names of two tags.
  private static let separator = "-and-"
  /// The number of digits of the digest that completes a shortened ID.
  private static let digitCount = 12
}

/// A name that cannot be that of a tag.
struct InvalidTag: Error {
  /// One lower-case sentence without a full stop about the file; safe to print.
  let message: String
}

extension String {
  /// The text without leading and trailing hyphens.
  fileprivate var trimmingHyphens: String {
    let start = drop { $0 == "-" }
    return start.lastIndex { $0 != "-" }.map { String(start[...$0]) } ?? ""
  }
}
