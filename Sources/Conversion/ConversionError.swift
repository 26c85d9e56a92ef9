import Support

/// A reason why content cannot be converted.
public enum ConversionError: Error, Sendable, Equatable {
  /// The file at this path, which is not safe to print, is damaged or malformed. The second value is a sentence about
  /// the file, which is safe to print.
  case damaged(String, String)
  /// The Xcode project at this path has no content target of the wanted name, only the listed ones.
  case noTarget(String, wanted: String, [String])
}
