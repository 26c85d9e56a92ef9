import ContentPackage
import Support

/// What a command says of one of its inputs.
struct InputResult<Document: ReportDocument> {
  /// The product of the input, which nobody expects twice; nil where that is no matter.
  let product: ProductIdentifier?
  /// Makes what programs get.
  let document: () -> Document
  /// Hands over one line for people after the other.
  let text: (_ print: (String) -> Void) -> Void

  init(
    _ document: @escaping @autoclosure () -> Document, of product: ProductIdentifier? = nil,
    text: @escaping (_ print: (String) -> Void) -> Void
  ) {
    self.document = document
    self.product = product
    self.text = text
  }

  /// With lines that are wrapped as sentences.
  init(
    _ document: @escaping @autoclosure () -> Document, of product: ProductIdentifier? = nil,
    sentences: [String]
  ) {
    self.init(document(), of: product) { TextLayout(for: .output).sentence(in: sentences).forEach($0) }
  }
}

/// What a command for several inputs writes: for each what it would write for that input alone.
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
  /// Does the work for each input, also where one before it failed, and renders the results.
  ///
  /// One input alone has a report of its own, unless it is to be told of as a list. Of several each is reported, and all of
  /// them in one line.
  ///
  /// - Returns: the highest exit code of all.
  /// - Throws: what `work` throws for an input that is alone; whatever ends all work, such as an interruption.
  func perform<Input, Document>(
    onEach inputs: [Input], asList isList: Bool = false, called noun: String = "input",
    in context: CommandContext, _ work: (Input) throws -> InputResult<Document>
  ) throws -> ExitStatus {
    if inputs.count == 1, !isList {
      let result = try work(inputs[0])
      report.render(result.document(), on: context.console, text: result.text)
      return .success
    }
    var results: [SeriesDocument<Document>.Result] = []
    var errors: [CommandError] = []
    var products = RepeatedProducts()
    for input in inputs {
      do {
        let result = try work(input)
        if let product = result.product { products.add(product, "\(input)") }
        if report.reportFormat == .json { results.append(.done(result.document())) }
        if report.format == .text, !report.quiet { result.text(context.console.print) }
      } catch {
        let error = CommandError(error, cancellation: context.cancellation, inputs: self.inputs)
          .findings(about: "\(input)")
        if error.status.isInterruption { throw error }
        errors.append(error)
        results.append(.failed(ErrorDocument(error, command: Self.reportName)))
        report.render(error.findings, showingAll: showsAllFindings, on: context.console)
        report.note(error, on: context.console)
      }
    }
    report.render(
      SeriesDocument(command: Self.reportName, results: results), on: context.console
    ) {
      ["\(Quantity.count(inputs.count, noun)), \(errors.isEmpty ? "all done" : "\(errors.count) failed")"]
    }
    products.note(report.text, on: context.console)
    return .highest(of: errors)
  }
}
