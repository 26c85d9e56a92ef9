import ArgumentParser
import ContentPackage
import SafeFiles
import Support

/// The size limit, and the number of threads.
struct WorkOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The maximum size of a package and of its content, such as 500MB or 1.5GiB; 2GiB at most.",
      valueName: "size"))
  var maxSize = ByteSize.maximum

  @Option(help: ThreadOptions.help, transform: ThreadOptions.count)
  var jobs: Int?

  var limits: Limits { Limits(bytes: maxSize.bytes) }
}

/// The number of threads.
///
/// Option groups are not nested: in debug builds the parser validates a nested group again for each level above it.
struct ThreadOptions: ParsableArguments {
  /// The maximum number of threads.
  private static let maximumJobs = 256

  static let help = ArgumentHelp(
    "The number of threads. The default is the number of processors.", valueName: "n")

  @Option(help: help, transform: count)
  var jobs: Int?

  /// Parses a number of threads.
  ///
  /// - Throws: `ValidationError` for an invalid number of threads.
  static func count(_ text: String) throws -> Int {
    guard let jobs = Int(text), (1...maximumJobs).contains(jobs) else {
      throw ValidationError("--jobs is \(String(displaying: text.utf8)), expected 1 to \(maximumJobs)")
    }
    return jobs
  }
}

/// The option to replace an existing output.
struct ReplaceOptions: ParsableArguments {
  @Flag(help: "Replace an existing output.")
  var force = false
}
