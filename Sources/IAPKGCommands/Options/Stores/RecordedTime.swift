import SafeFiles
import Support
import ZipArchive

/// The modification time of package entries.
enum RecordedTime {
  /// Returns `SOURCE_DATE_EPOCH`, in seconds since 1970 (reproducible-builds.org), or the earliest time of the ZIP
  /// format.
  ///
  /// A time before 1980 is recorded as the earliest time.
  ///
  /// - Throws: `CommandError` if the variable is not a number, or is a time before 1970 or after the last time of the
  ///   format.
  static func fromEnvironment() throws -> DOSTime {
    guard let text = ProcessEnvironment.value("SOURCE_DATE_EPOCH") else { return .first }
    guard let seconds = Int64(text), (0...DOSTime.lastSecond).contains(seconds) else {
      throw CommandError(
        .usage,
        "SOURCE_DATE_EPOCH is '\(String(displaying: text.utf8))', expected seconds since 1970, at most "
          + "\(DOSTime.lastSecond), the end of 2107, after which ZIP records no time")
    }
    return DOSTime(secondsSince1970: seconds)
  }
}
