/// The context of work on this thread and those that it starts. A context other than the process's own allows several
/// commands to run in one process at the same time.
package struct ProcessContext: Sendable {
  /// A replacement for the environment variables; nil for those of the process.
  package var variables: [String: String]?
  /// The maximum pause before a retry; nil for no limit.
  package var maximumPause: Duration?

  @TaskLocal package static var current = ProcessContext()

  package init(variables: [String: String]? = nil, maximumPause: Duration? = nil) {
    self.variables = variables
    self.maximumPause = maximumPause
  }
}
