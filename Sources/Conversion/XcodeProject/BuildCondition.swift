/// The build whose settings apply: an archive build for a device.
///
/// A conditional setting, `NAME[sdk=iphoneos*][config=Release]`, applies if all of its conditions hold, and then
/// overrides an unconditional one (Xcode Help, "Add a build configuration (xcconfig) file").
struct BuildCondition {
  /// The name of the configuration, such as `Release`.
  let configuration: String

  /// The SDK and the architecture of all devices that supported hosted content.
  private static let sdk = "iphoneos"
  private static let architecture = "arm64"

  /// Returns the settings that apply to the build, by name. The last of several equal names wins.
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

  /// Returns whether all conditions hold. Each is in its own brackets, or separated by commas.
  private func holds(_ conditions: Substring) -> Bool {
    conditions.split { "[],".contains($0) }.allSatisfy { condition in
      let parts = condition.split(separator: "=", maxSplits: 1).map { $0.filter { !$0.isWhitespace } }
      guard parts.count == 2 else { return false }
      switch parts[0] {
      case "sdk": return Self.matches(parts[1], Self.sdk)
      case "arch": return Self.matches(parts[1], Self.architecture)
      case "config": return Self.matches(parts[1], configuration)
      default: return false
      }
    }
  }

  /// Returns whether a name matches a pattern with an optional trailing `*`.
  private static func matches(_ pattern: String, _ name: String) -> Bool {
    pattern.hasSuffix("*") ? name.hasPrefix(pattern.dropLast()) : pattern == name
  }
}
