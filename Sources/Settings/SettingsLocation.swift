/// The location of a setting: a settings file or the command line.
package struct SettingsLocation: Hashable, Sendable {
  /// The file, not safe to print; nil for the command line.
  package let path: String?
  /// The line, from 1; 0 for the command line.
  package let line: Int
  /// The column in characters, from 1; 0 for the command line.
  package let column: Int

  package init(path: String?, line: Int, column: Int) {
    self.path = path
    self.line = line
    self.column = column
  }

  /// The location of settings given on the command line.
  package static let commandLine = SettingsLocation(path: nil, line: 0, column: 0)
}

extension SettingsLocation: CustomStringConvertible {
  /// The location in compiler style, such as `products/.iapkg.yml:3:5`; not safe to print.
  package var description: String { path.map { "\($0):\(line):\(column)" } ?? "the command line" }
}

/// An invalid setting.
package struct SettingsError: Error, Sendable {
  package let location: SettingsLocation
  /// The found and the expected value; not safe to print.
  package let message: String

  package init(_ location: SettingsLocation, _ message: String) {
    self.location = location
    self.message = message
  }
}
