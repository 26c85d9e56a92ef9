public import Support

/// The settings of an operation: size limits, number of threads, cancellation and progress.
///
/// Several operations can share one context, also at the same time.
public struct WorkContext: Sendable {
  /// The size limits of a package.
  public let limits: Limits
  /// The number of threads, at least 1.
  public let jobs: Int
  /// Ends the work early.
  public let cancellation: Cancellation
  /// Counts the bytes of the work.
  public let progress: WorkProgress

  /// Creates a context.
  ///
  /// - Parameters:
  ///   - limits: the size limits of a package.
  ///   - jobs: the number of threads, at least 1. The default is the number of processors.
  ///   - cancellation: ends the work early.
  ///   - progress: counts the bytes of the work.
  public init(
    limits: Limits = Limits(), jobs: Int? = nil, cancellation: Cancellation = Cancellation(),
    progress: WorkProgress = WorkProgress()
  ) {
    self.limits = limits
    self.jobs = WorkerPool.count(jobs)
    self.cancellation = cancellation
    self.progress = progress
  }

  /// The same context with another number of threads.
  package func with(jobs: Int) -> WorkContext {
    WorkContext(limits: limits, jobs: jobs, cancellation: cancellation, progress: progress)
  }
}
