import Support

/// The reason why something cannot be converted.
public enum ConversionError: Error, Sendable, Equatable {
  /// The file at this path, which is not safe to print, is damaged or is not made as it should be. The sentence says
  /// what is wrong with it; its subject is the file, and it is safe to print.
  case damaged(String, String)
  /// The Xcode project at this path has no target of the wanted name that makes content, but others.
  case noTarget(String, wanted: String, [String])
}
