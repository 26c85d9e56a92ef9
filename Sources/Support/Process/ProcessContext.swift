/// The context of a thread and of the threads that it starts. With a context of their own, several commands can run in
/// one process at the same time.
package struct ProcessContext: Sendable {
  /// A replacement for the environment variables; nil for those of the process.
  package var variables: [String: String]?
  /// The maximum pause before a retry; nil for no limit.
  package var maximumPause: Duration?

  /// The context of the current thread or task.
  @TaskLocal package static var current = ProcessContext()

  package init(variables: [String: String]? = nil, maximumPause: Duration? = nil) {
    self.variables = variables
    self.maximumPause = maximumPause
  }
}
