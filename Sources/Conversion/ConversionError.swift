import Support

/// A reason why content cannot be converted.
public enum ConversionError: Error, Sendable, Equatable {
  /// The file at this path is damaged or malformed. The path is not safe to print; the second value, a sentence about
  /// the file, is.
  case damaged(String, String)
  /// The Xcode project at this path has no content target of the wanted name, only the listed ones.
  case noTarget(String, wanted: String, [String])
}
