/// What work finds around it, on this thread and on those that it starts. With other surroundings than those of the
/// process a command can be run where others run at the same time.
package struct Surroundings: Sendable {
  /// In place of the variables of the process; nil for those of the process.
  package var variables: [String: String]?
  /// The longest time that work halts by itself before it tries something again; nil if it does not matter.
  package var longestPause: Duration?

  @TaskLocal package static var current = Surroundings()

  package init(variables: [String: String]? = nil, longestPause: Duration? = nil) {
    self.variables = variables
    self.longestPause = longestPause
  }
}
