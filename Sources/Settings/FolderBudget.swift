import ContentPackage
import Support
import ZipArchive

/// The maximum sizes of the product in a content folder.
package struct FolderBudget: Sendable {
  /// The pattern of a limit for all files.
  static let all = "*"

  /// The maximum size of the package in bytes; nil for no limit.
  package let package: Setting<Int64>?
  /// The maximum download of an update in bytes; nil for no limit.
  package let update: Setting<Int64>?
  /// The maximum number of files and links; nil for no limit.
  package let files: Setting<Int64>?
  /// The patterns of files; `sizes` has the limit of each pattern in bytes, at the same index.
  package let patterns: PatternList
  package let sizes: [Int64]

  /// Creates the budget of a content folder.
  ///
  /// - Parameters:
  ///   - setting: The value of the key `budget`.
  ///   - prefix: The path of the content folder relative to the folder of the settings file.
  init(_ setting: BudgetSetting, prefix: [UInt8]) {
    package = setting.package
    update = setting.update
    files = setting.files
    patterns = PatternList(
      setting.file.map { PatternList.Entry($0.value.0, at: $0.location, prefix: prefix) })
    sizes = setting.file.map(\.value.1)
  }

  /// Returns the limit of a file, given by its path in the folder; nil for none.
  func file(at path: EntryPath) -> SizeBudget.Limit? {
    patterns.last(matching: path.bytes, isFolder: false).map {
      SizeBudget.Limit(sizes[$0], at: patterns.entries[$0].location.displayed)
    }
  }

  /// The use of the patterns so far, without limits for all files, which need no matching file.
  var usage: [(entry: PatternList.Entry, isUsed: Bool)] {
    patterns.usage.filter { $0.entry.pattern.text != Self.all }
  }
}

extension Setting<Int64> {
  var limit: SizeBudget.Limit { SizeBudget.Limit(value, at: location.displayed) }
}

extension SettingsLocation {
  /// The location; safe to print.
  fileprivate var displayed: String { String(displaying: description.utf8) }
}
