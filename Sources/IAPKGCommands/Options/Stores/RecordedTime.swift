import SafeFiles
import Support
import ZipArchive

/// The modification time of package entries.
enum RecordedTime {
  /// Returns `SOURCE_DATE_EPOCH`, in seconds since 1970 (reproducible-builds.org), or the earliest time of the ZIP
  /// format.
  ///
  /// - Throws: `CommandError` if the variable is not a number.
  static func fromEnvironment() throws -> DOSTime {
    guard let text = ProcessEnvironment.value("SOURCE_DATE_EPOCH") else { return .first }
    guard let seconds = Int64(text) else {
      throw CommandError(
        .usage, "SOURCE_DATE_EPOCH is '\(String(displaying: text.utf8))', expected seconds since 1970")
    }
    return DOSTime(secondsSince1970: seconds)
  }
}
