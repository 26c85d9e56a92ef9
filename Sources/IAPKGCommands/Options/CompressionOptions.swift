import ArgumentParser
import ContentPackage

/// The choice of files to deflate in content folders.
struct CompressionOptions: ParsableArguments {
  @Option(
    help: """
      The files to deflate: auto stores those that would not become smaller, and best tries all. Without the option, \
      .iapkg.yml may choose by pattern, and auto applies to the rest.
      """)
  var compression: Compression?

  /// The compression of files for which the settings specify none.
  var defaultMethod: Compression { compression ?? .auto }
  /// Whether the settings can choose the compression.
  var isLeftToSettings: Bool { compression == nil }
}
