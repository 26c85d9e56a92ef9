/// What a file turned out to be, that content should not hold.
package struct Recognition: Sendable, Equatable {
  package let rule: Rule
  /// The thing by its name and article, such as "a Mach-O executable (arm64)"; safe to print.
  package let what: String

  package init(_ rule: Rule, _ what: String) {
    self.rule = rule
    self.what = what
  }

  static func code(_ what: String) -> Recognition { Recognition(.fileExecutableCode, what) }

  static func possibleCode(_ what: String) -> Recognition { Recognition(.filePossibleCode, what) }
}
