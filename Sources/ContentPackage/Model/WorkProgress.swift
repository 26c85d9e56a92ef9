import SafeFiles
import Support
import Synchronization

/// The progress of work. The threads that do the work update the progress, and any thread can read it at any time.
///
/// Pass a `WorkContext` with the progress to the function that does the work. Read `state` at any time, or let `watched`
/// call a closure at intervals:
///
/// ```swift
/// let progress = WorkProgress()
/// let validator = PackageValidator(context: WorkContext(progress: progress))
/// let report = try progress.watched { state in
///   print(state.activity, state.fraction ?? 0)
/// } during: {
///   try validator.validate("Book.pkg")
/// }
/// ```
public final class WorkProgress: Sendable {
  /// An activity of the work.
  public enum Activity: Sendable {
    /// Checking content with the rules.
    case checking
    /// Compressing files into the entries of a package.
    case packing
    /// Copying entries from one package to another.
    case copying
    /// Checking content and unpacking it into the staging folder.
    case installing
    /// Comparing installed files with the record.
    case verifying
    /// Comparing two packages or folders.
    case comparing
    /// Uploading files to a store.
    case uploading
    /// Downloading a file from a store.
    case downloading
    /// Writing content as files into a folder, or extracting it from another kind of archive.
    case unpacking
    /// Flushing written files to stable storage.
    case synchronizing
    /// Waiting for another process that uses the folder.
    case waiting
  }

  /// The progress at one moment.
  public struct State: Sendable, Equatable {
    /// The current activity.
    public let activity: Activity
    /// The path of the input, as given; not safe to print.
    public let path: String
    /// The number of completed bytes, at most `totalBytes`; 0 if the total is unknown.
    public let completedBytes: Int64
    /// The total number of bytes, or 0 if unknown.
    public let totalBytes: Int64
    /// The elapsed time of the activity.
    public let elapsed: Duration

    init(
      _ activity: Activity, _ path: String, completedBytes: Int64, totalBytes: Int64, elapsed: Duration
    ) {
      self.activity = activity
      self.path = path
      self.completedBytes = min(completedBytes, totalBytes)
      self.totalBytes = totalBytes
      self.elapsed = elapsed
    }

    /// The completed fraction, from 0 to 1, or nil if unknown.
    public var fraction: Double? {
      totalBytes > 0 ? Double(completedBytes) / Double(totalBytes) : nil
    }
  }

  private struct Work {
    let activity: Activity
    let path: String
    let totalBytes: Int64
    let start = ContinuousClock.now
  }

  private let work = Mutex<Work?>(nil)
  private let completedBytes = Atomic<Int64>(0)

  /// Creates the progress of work that has not started.
  public init() {}

  /// The current progress, or nil if the work has not started.
  public var state: State? {
    work.withLock { work in
      work.map {
        State(
          $0.activity, $0.path, completedBytes: completedBytes.load(ordering: .relaxed),
          totalBytes: $0.totalBytes, elapsed: ContinuousClock.now - $0.start)
      }
    }
  }

  /// Runs `work`, and calls `watch` at intervals on another thread.
  ///
  /// The first call comes after `work` has begun its first activity. When this function returns, no call is running.
  ///
  /// - Parameters:
  ///   - interval: The time between two calls.
  ///   - delay: The minimum time before the first call. For shorter work, `watch` is never called.
  ///   - watch: Receives the progress.
  ///   - work: The work that uses this progress.
  /// - Returns: The result of `work`.
  /// - Throws: The errors of `work`.
  public func watched<Result, E: Error>(
    every interval: Duration = .milliseconds(100), after delay: Duration = .zero,
    by watch: @escaping @Sendable (State) -> Void, during work: () throws(E) -> Result
  ) throws(E) -> Result {
    try Ticker.run(after: delay, every: interval) {
      if let state = self.state { watch(state) }
    } during: { () throws(E) in
      try work()
    }
  }

  /// Starts an activity with a total number of bytes; 0 if the total is unknown.
  package func begin(_ activity: Activity, _ path: String, totalBytes: Int64 = 0) {
    work.withLock {
      completedBytes.store(0, ordering: .relaxed)
      $0 = Work(activity: activity, path: path, totalBytes: totalBytes)
    }
  }

  /// Adds completed bytes. The cost is one atomic addition, so that callers can report every block.
  package func advance(by bytes: Int64) { completedBytes.wrappingAdd(bytes, ordering: .relaxed) }
}
