/// The build whose settings are taken: that of an archive, for a device.
///
/// A setting with conditions, `NAME[sdk=iphoneos*][config=Release]`, holds if all of them do, and then counts before one
/// without (Xcode Help, "Add a build configuration (xcconfig) file").
struct BuildCondition {
  /// The name of the configuration, such as `Release`.
  let configuration: String

  /// The kit and the processor of every device that hosted content was for.
  private static let kit = "iphoneos"
  private static let architecture = "arm64"

  /// The settings that hold for the build, by their names; of several alike the last counts.
  func settings(_ all: [(key: String, value: String)]) -> [String: String] {
    var plain: [String: String] = [:]
    var conditional: [String: String] = [:]
    for (key, value) in all {
      guard let bracket = key.firstIndex(of: "[") else {
        plain[key] = value
        continue
      }
      if holds(key[bracket...]) { conditional[String(key[..<bracket])] = value }
    }
    return plain.merging(conditional) { _, conditional in conditional }
  }

  /// Whether all conditions hold; they stand in brackets of their own, or behind commas.
  private func holds(_ conditions: Substring) -> Bool {
    conditions.split { "[],".contains($0) }.allSatisfy { condition in
      let parts = condition.split(separator: "=", maxSplits: 1).map { $0.filter { !$0.isWhitespace } }
      guard parts.count == 2 else { return false }
      switch parts[0] {
      case "sdk": return Self.matches(parts[1], Self.kit)
      case "arch": return Self.matches(parts[1], Self.architecture)
      case "config": return Self.matches(parts[1], configuration)
      default: return false
      }
    }
  }

  /// Whether a name fits; `*` at the end stands for anything.
  private static func matches(_ pattern: String, _ name: String) -> Bool {
    pattern.hasSuffix("*") ? name.hasPrefix(pattern.dropLast()) : pattern == name
  }
}
