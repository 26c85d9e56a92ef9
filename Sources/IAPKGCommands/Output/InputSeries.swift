import ContentPackage
import Support

/// The report of a command on one input.
struct InputResult<Document: ReportDocument> {
  /// The product of the input, for the note about repeated products; nil if repetition is allowed.
  let product: ProductIdentifier?
  /// Creates the JSON report.
  let document: () -> Document
  /// Prints the text lines.
  let text: (_ print: (String) -> Void) -> Void

  init(
    _ document: @escaping @autoclosure () -> Document, of product: ProductIdentifier? = nil,
    text: @escaping (_ print: (String) -> Void) -> Void
  ) {
    self.document = document
    self.product = product
    self.text = text
  }

  /// Creates a report with text lines that are wrapped as sentences.
  init(
    _ document: @escaping @autoclosure () -> Document, of product: ProductIdentifier? = nil,
    sentences: [String]
  ) {
    self.init(document(), of: product) { TextLayout(for: .output).sentence(in: sentences).forEach($0) }
  }
}

/// The JSON report of a command on several inputs, with one result for each.
struct SeriesDocument<Document: ReportDocument>: ReportDocument {
  enum Result: Encodable {
    case done(Document)
    case failed(ErrorDocument)

    func encode(to encoder: any Encoder) throws {
      switch self {
      case .done(let document): try document.encode(to: encoder)
      case .failed(let document): try document.encode(to: encoder)
      }
    }
  }

  let schemaVersion = reportSchemaVersion
  let command: String
  let results: [Result]
}

extension PackageCommand where Report == ReportOptions {
  /// Performs `work` on each input, continues after errors, and renders the results.
  ///
  /// A single input has its own report, unless `isList` is set. Several inputs are reported one by one, with a summary
  /// line. `countUnmet` returns the part of that line about inputs that completed with an unmet expectation.
  ///
  /// After an interruption, renders the results so far and one failure for the interrupted input.
  ///
  /// - Returns: The highest exit code.
  /// - Throws: The error of a single input; the interruption, if the command changes nothing, no input was completed,
  ///   or the interruption was already reported.
  func perform<Input, Document>(
    onEach inputs: [Input], asList isList: Bool = false, itemName noun: String = "input",
    in context: CommandContext, counting countUnmet: () -> String? = { nil },
    _ work: (Input) throws -> InputResult<Document>
  ) throws -> ExitStatus {
    if inputs.count == 1, !isList {
      let result = try work(inputs[0])
      report.render(result.document(), on: context.console, text: result.text)
      return .success
    }
    var results: [SeriesDocument<Document>.Result] = []
    var errors: [CommandError] = []
    var products = RepeatedProducts()
    var done: [String] = []
    for input in inputs {
      do {
        let result = try work(input)
        done.append("\(input)")
        if let product = result.product { products.add(product, "\(input)") }
        if report.reportFormat == .json { results.append(.done(result.document())) }
        if report.format == .text, !report.quiet { result.text(context.console.print) }
      } catch let cause {
        let error = CommandError(
          cause, cancellation: context.cancellation, inputs: self.inputs,
          interruption: pastParticiple.map { Quantity.completed(done, of: inputs.count, $0) } ?? interruption
        ).findings(about: "\(input)")
        if error.status.isInterruption {
          guard pastParticiple != nil, !done.isEmpty, context.cancellation.claimMessage() else { throw cause }
        }
        errors.append(error)
        results.append(.failed(ErrorDocument(error, command: Self.reportName)))
        report.render(error.findings, showingAll: showsAllFindings, on: context.console)
        report.printError(error, on: context.console)
        if error.status.isInterruption { break }
      }
    }
    report.render(
      SeriesDocument(command: Self.reportName, results: results), on: context.console
    ) {
      // The message of the interruption has the counts.
      if errors.last?.status.isInterruption == true { return [] }
      let counts = [errors.isEmpty ? nil : "\(errors.count) failed", countUnmet()].compactMap(\.self)
      return [
        "\(Quantity.count(inputs.count, noun)), \(counts.isEmpty ? "all done" : counts.joined(separator: ", "))"
      ]
    }
    products.note(report.text, on: context.console)
    return .highest(of: errors)
  }
}
