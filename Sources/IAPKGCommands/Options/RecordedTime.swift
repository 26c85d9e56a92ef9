import SafeFiles
import ZipArchive

/// The time that entries get.
enum RecordedTime {
  /// `SOURCE_DATE_EPOCH`, in seconds since 1970 (reproducible-builds.org), or the first that ZIP can record.
  ///
  /// - Throws: `CommandFailure` if the variable is no number.
  static func fromEnvironment() throws -> DOSTime {
    guard let text = ProcessEnvironment.value("SOURCE_DATE_EPOCH") else { return .first }
    guard let seconds = Int64(text) else {
      throw CommandFailure(
        .usage, "SOURCE_DATE_EPOCH is '\(String(displaying: text.utf8))', expected seconds since 1970")
    }
    return DOSTime(secondsSince1970: seconds)
  }
}
