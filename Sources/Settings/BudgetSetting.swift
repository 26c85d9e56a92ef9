import ContentPackage
import StrictYAML
package import Support

/// The value of the key `budget` in a settings file.
package struct BudgetSetting: Sendable {
  /// The keys of the value.
  enum Key: String, CaseIterable {
    case package, file, update, files
  }

  /// The maximum size of the package in bytes.
  package fileprivate(set) var package: Setting<Int64>?
  /// The maximum download of an update in bytes.
  package fileprivate(set) var update: Setting<Int64>?
  /// The maximum number of files and links.
  package fileprivate(set) var files: Setting<Int64>?
  /// The patterns of files, with their limits in bytes; the last match decides.
  package fileprivate(set) var file: [Setting<(PathPattern, Int64)>] = []
}

extension SettingsReader {
  func budget(_ node: YAMLNode) throws(SettingsError) -> BudgetSetting {
    var budget = BudgetSetting()
    for (key, value) in try pairs(node, in: "budget") {
      switch try named(key, BudgetSetting.Key.allCases.map { ($0.rawValue, $0) }, "key") {
      case .package: budget.package = try size(value, of: "package")
      case .file: budget.file = try fileSizes(value)
      case .update: budget.update = try size(value, of: "update")
      case .files: budget.files = try fileCount(value)
      }
    }
    return budget
  }

  /// Returns the limits of files: a single limit for all files, or a limit for each pattern.
  private func fileSizes(_ node: YAMLNode) throws(SettingsError) -> [Setting<(PathPattern, Int64)>] {
    if case .text = node.content, let pattern = PathPattern(FolderBudget.all) {
      let size = try size(node, of: "file")
      return [Setting((pattern, size.value), at: size.location)]
    }
    var sizes: [Setting<(PathPattern, Int64)>] = []
    for (key, value) in try pairs(node, in: "file") {
      let pattern = try pattern(key)
      sizes.append(Setting((pattern.value, try size(value, of: "a pattern").value), at: pattern.location))
    }
    return sizes
  }

  private func size(_ node: YAMLNode, of what: String) throws(SettingsError) -> Setting<Int64> {
    let text = try text(node, of: what)
    guard let size = ByteSize(text.value) else {
      throw SettingsError(
        text.location,
        "the budget of \(what) is not a size, expected one such as 200MB or 1.5GiB, from 1 byte to 2GiB")
    }
    return Setting(size.bytes, at: text.location)
  }

  private func fileCount(_ node: YAMLNode) throws(SettingsError) -> Setting<Int64> {
    let text = try text(node, of: "files")
    guard let count = Int64(text.value), (1...Int64(Limits.maximumEntryCount)).contains(count) else {
      throw SettingsError(
        text.location,
        "the budget of files is not a number of files, expected 1 to \(Limits.maximumEntryCount)")
    }
    return Setting(count, at: text.location)
  }
}
