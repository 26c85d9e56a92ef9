import SafeFiles
import Synchronization

/// How far work has come: counted by the threads that do it, read by any other at any time.
///
/// Give one to whatever does the work, and either look at `state` when it suits you, or be called:
///
/// ```swift
/// let progress = WorkProgress()
/// let validator = PackageValidator(progress: progress)
/// let report = try progress.watched { state in
///   print(state.activity, state.fraction ?? 0)
/// } during: {
///   try validator.validate("Book.pkg")
/// }
/// ```
public final class WorkProgress: Sendable {
  /// What is being done.
  public enum Activity: Sendable {
    /// Content is looked at for what the rules forbid.
    case checking
    /// Files become entries of a package.
    case packing
    /// Entries are copied from one package to another.
    case copying
    /// Content is checked and unpacked beside the place where it is to be.
    case installing
    /// What is installed is held against what was.
    case verifying
    /// Two packages or folders are held against each other.
    case comparing
    /// What was written is brought to stable storage.
    case synchronizing
    /// Another process is at work in the folder.
    case waiting
  }

  /// How far the work was at one moment.
  public struct State: Sendable, Equatable {
    /// What is being done.
    public let activity: Activity
    /// What it is done to: a path as it was given, which is not safe to print.
    public let path: String
    /// Bytes that are done, at most `totalBytes`.
    public let completedBytes: Int64
    /// Bytes to go through in all, or 0 where nobody knows.
    public let totalBytes: Int64
    /// How long the activity has taken so far.
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

    /// The part that is done, from 0 to 1, or nil where nobody knows.
    public var fraction: Double? {
      totalBytes > 0 ? Double(completedBytes) / Double(totalBytes) : nil
    }
  }

  private struct Present {
    let activity: Activity
    let path: String
    let totalBytes: Int64
    let start = ContinuousClock.now
  }

  private let present = Mutex<Present?>(nil)
  private let completedBytes = Atomic<Int64>(0)

  /// Nothing has begun yet.
  public init() {}

  /// How far it is now; nil if nothing has begun.
  public var state: State? {
    present.withLock { present in
      present.map {
        State(
          $0.activity, $0.path, completedBytes: completedBytes.load(ordering: .relaxed),
          totalBytes: $0.totalBytes, elapsed: ContinuousClock.now - $0.start)
      }
    }
  }

  /// Does `work`, and meanwhile calls `watch` at intervals on a thread of its own.
  ///
  /// It is not called before anything has begun, and no call is under way any more when this returns.
  ///
  /// - Parameters:
  ///   - interval: the time between two calls.
  ///   - delay: the time before the first one: work that takes less is not told of.
  ///   - watch: hears how far the work is.
  ///   - work: what is done with this progress.
  /// - Returns: what `work` returns.
  /// - Throws: what `work` throws.
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

  /// Begins something that goes through so many bytes; 0 if that is not known.
  func begin(_ activity: Activity, _ path: String, totalBytes: Int64 = 0) {
    present.withLock {
      completedBytes.store(0, ordering: .relaxed)
      $0 = Present(activity: activity, path: path, totalBytes: totalBytes)
    }
  }

  /// Counts bytes that are done: one addition, so that it can stand where every block passes.
  func advance(by bytes: Int64) { completedBytes.wrappingAdd(bytes, ordering: .relaxed) }
}
