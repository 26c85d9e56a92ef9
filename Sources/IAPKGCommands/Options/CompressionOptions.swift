import ArgumentParser
import ContentPackage

/// Which files of content folders are deflated.
struct CompressionOptions: ParsableArguments {
  @Option(
    help: """
      Which files to deflate: auto stores those that would not become smaller, and best tries all. Without the option, \
      .iapkg.yml may choose by pattern, and auto holds for the rest.
      """)
  var compression: Compression?

  /// For the files of which the settings do not say how they are compressed.
  var usual: Compression { compression ?? .auto }
  /// Whether the settings may say it.
  var isLeftToSettings: Bool { compression == nil }
}
