import ArgumentParser
import ContentPackage
import SafeFiles

/// How large a package may be, and how many threads work on it.
struct WorkOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The most bytes of package and content, as in 500MB or 1.5GiB; 2GiB is the largest.", valueName: "size")
  )
  var maxSize = ByteSize.largest

  @OptionGroup private var threadOptions: ThreadOptions

  var limits: Limits { Limits(bytes: maxSize.bytes) }
  var threads: Int { threadOptions.count }
}

/// How many threads work.
struct ThreadOptions: ParsableArguments {
  /// More threads than this help nobody.
  private static let mostJobs = 256

  @Option(
    help: ArgumentHelp(
      "How many threads work; as many as there are processors unless given.", valueName: "n"))
  var jobs: Int?

  func validate() throws {
    if let jobs, !(1...Self.mostJobs).contains(jobs) {
      throw ValidationError("--jobs is \(jobs), expected 1 to \(Self.mostJobs)")
    }
  }

  var count: Int { jobs ?? WorkerPool.processorCount }
}

/// Whether an existing output may be replaced.
struct ReplaceOptions: ParsableArguments {
  @Flag(help: "Replace an output that exists.")
  var force = false
}
