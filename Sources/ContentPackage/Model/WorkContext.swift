public import Support

/// The settings of an operation: size limits, number of threads, cancellation and progress.
///
/// Several operations can share one context, even at the same time.
public struct WorkContext: Sendable {
  /// The size limits of a package.
  public let limits: Limits
  /// The number of threads, at least 1.
  public let jobs: Int
  /// The cancellation, which ends the work early.
  public let cancellation: Cancellation
  /// The progress, which counts the bytes of the work.
  public let progress: WorkProgress

  /// Creates a context.
  ///
  /// - Parameters:
  ///   - limits: The size limits of a package.
  ///   - jobs: The number of threads, at least 1. The default is the number of processors.
  ///   - cancellation: Ends the work early.
  ///   - progress: Counts the bytes of the work.
  public init(
    limits: Limits = Limits(), jobs: Int? = nil, cancellation: Cancellation = Cancellation(),
    progress: WorkProgress = WorkProgress()
  ) {
    self.limits = limits
    self.jobs = WorkerPool.count(jobs)
    self.cancellation = cancellation
    self.progress = progress
  }

  /// Returns the same context with another number of threads.
  package func with(jobs: Int) -> WorkContext {
    WorkContext(limits: limits, jobs: jobs, cancellation: cancellation, progress: progress)
  }
}
