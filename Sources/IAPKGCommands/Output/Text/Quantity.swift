import ContentPackage
import Support

/// Formatting of numbers in text.
enum Quantity {
  /// Formats the counts of excluded items: "2 files and 1 folder".
  static func excluded(_ items: ExcludedItems) -> String {
    let counts = [(items.files, "file"), (items.folders, "folder")]
    return counts.filter { $0.0 > 0 }.map { count($0.0, $0.1) }.joined(separator: " and ")
  }

  /// Formats the counts of excluded items as the end of a list: ", 2 files excluded", or an empty string.
  static func exclusionEnding(_ items: ExcludedItems) -> String {
    items.isEmpty ? "" : ", \(excluded(items)) excluded"
  }

  /// The maximum number of names in a list of completed inputs.
  private static let maximumNameCount = 20

  /// Formats the completed inputs of an interrupted run: "2 of 3 were raised: One, Two".
  static func completed(_ names: [String], of count: Int, _ pastParticiple: String) -> String {
    let shown = names.prefix(maximumNameCount).map { String(displaying: $0.utf8) }.joined(separator: ", ")
    let others = names.count > maximumNameCount ? " and \(names.count - maximumNameCount) more" : ""
    return
      "\(names.count) of \(count) \(names.count == 1 ? "was" : "were") \(pastParticiple): \(shown)\(others)"
  }

  /// Formats a count: "1 file", "2 files".
  static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

  /// Formats a count of entries: "1 entry", "2 entries".
  static func entries(_ number: Int) -> String { "\(number) \(number == 1 ? "entry" : "entries")" }

  /// Formats a size in decimal units: "999 bytes", "1.2 kB", "34.5 MB".
  static func bytes(_ number: Int64) -> String {
    guard number >= 1_000 else { return number == 1 ? "1 byte" : "\(number) bytes" }
    var value = Double(number)
    var unit = ""
    for next in ["kB", "MB", "GB", "TB", "PB", "EB"] where value >= 999.95 {
      value /= 1_000
      unit = next
    }
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) \(unit)"
  }

  /// Formats a percentage: "51 %".
  static func percent(_ part: Int64, of whole: Int64) -> String {
    whole > 0 ? "\(Int((Double(part) * 100 / Double(whole)).rounded())) %" : "100 %"
  }
}
