/// Where something is written: a file of settings, or the command line.
package struct SettingsPlace: Hashable, Sendable {
  /// The file, which is not safe to print; nil for the command line.
  package let path: String?
  /// Counted from 1; 0 for the command line.
  package let line: Int
  package let column: Int

  package init(path: String?, line: Int, column: Int) {
    self.path = path
    self.line = line
    self.column = column
  }

  /// On the command line.
  package static let commandLine = SettingsPlace(path: nil, line: 0, column: 0)
}

extension SettingsPlace: CustomStringConvertible {
  /// `products/.iapkg.yml:3:5`, as compilers write it; not safe to print.
  package var description: String { path.map { "\($0):\(line):\(column)" } ?? "the command line" }
}

/// A setting that cannot be taken as it is.
package struct SettingsError: Error, Sendable {
  package let place: SettingsPlace
  /// What was found, and what was expected; not safe to print.
  package let message: String

  package init(_ place: SettingsPlace, _ message: String) {
    self.place = place
    self.message = message
  }
}
