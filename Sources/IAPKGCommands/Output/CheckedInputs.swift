import ContentPackage

/// What became of the inputs of `validate`, by the rules that are minded.
struct CheckedInputs {
  let rules: RuleOptions
  /// Of the inputs that could be read.
  var reports: [ValidationReport] = []
  /// Why the others could not.
  var errors: [CommandError] = []
  /// Of the content folders.
  var products = RepeatedProducts()

  /// Whether all inputs that could be read are valid.
  var isAccepted: Bool { !reports.contains { rules.reject($0.findings) } }

  /// An input that could not be read determines the status before an input that is not valid.
  var status: ExitStatus { errors.first?.status ?? (isAccepted ? .success : .invalid) }
}
