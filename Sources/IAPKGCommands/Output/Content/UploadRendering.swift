import Conversion
import Support

/// The report of `upload`.
struct UploadRendering {
  var results: [AssetPackUploader.Result] = []
  /// The number of review submissions; nil without `--submit`.
  var submissions: Int?
  /// Whether a version that App Store Connect is still processing is a failure.
  private let waits: Bool
  private let path: String

  init(at path: String, waiting waits: Bool) {
    self.waits = waits
    self.path = String(displaying: path.utf8)
  }

  private var isStatusOnly: Bool { results.allSatisfy { $0.outcome == .shown } }

  /// The exit code. Rejected archives have priority over versions that are still being processed.
  var status: ExitStatus {
    if isStatusOnly { return .success }
    if results.contains(where: { $0.outcome == .failed }) { return .invalid }
    return waits && results.contains { $0.version?.isPending ?? false } ? .busy : .success
  }

  /// The reasons for the exit code, one sentence each.
  var problems: [String] {
    guard !isStatusOnly else { return [] }
    return results.compactMap { result in
      guard let version = result.version else { return nil }
      if result.outcome == .failed {
        let reason = version.errors.isEmpty ? "" : ": \(version.errors.joined(separator: "; "))"
        return
          "App Store Connect rejected version \(version.number) of \(result.identifier)\(reason); change the pack, or use "
          + "--retry to upload the same archive again"
      }
      guard waits, version.isPending else { return nil }
      return
        "App Store Connect is still processing version \(version.number) of \(result.identifier); run the command again later"
    }
  }

  var document: UploadDocument {
    UploadDocument(
      path: path,
      packs: results.map { result in
        let version = result.version
        return UploadDocument.Pack(
          assetPackID: result.identifier.text, outcome: result.outcome.rawValue,
          uploadedBytes: result.uploadedBytes, version: Nullable(wrappedValue: version?.number),
          state: Nullable(wrappedValue: version?.state.rawValue),
          appStoreState: Nullable(wrappedValue: version?.release?.rawValue),
          internalTestState: Nullable(
            wrappedValue: version?.internalTest.map { String(displaying: $0.utf8) }),
          externalTestState: Nullable(
            wrappedValue: version?.externalTest.map { String(displaying: $0.utf8) }),
          errors: version?.errors ?? [], warnings: version?.warnings ?? [],
          submission: Nullable(wrappedValue: result.submission))
      }, submissions: Nullable(wrappedValue: submissions))
  }

  var lines: [String] {
    var lines = results.map { result in
      let action =
        switch result.outcome {
        case .uploaded: "uploaded \(Quantity.bytes(result.uploadedBytes)), "
        case .unchanged: "unchanged, "
        case .wouldUpload: "would be uploaded, \(Quantity.bytes(result.uploadedBytes))"
        case .failed: "rejected, "
        case .shown: ""
        }
      return "\(result.identifier): \(action)\(Self.states(result))"
    }
    if let submissions { lines.append(Quantity.count(submissions, "review submission") + " sent") }
    return lines
  }

  private static func states(_ result: AssetPackUploader.Result) -> String {
    guard let version = result.version else {
      return result.outcome == .shown ? "not in App Store Connect" : ""
    }
    let states: [(String, String?)] = [
      ("", version.state.rawValue), ("App Store ", version.release?.rawValue),
      ("internal test ", version.internalTest), ("external test ", version.externalTest),
      ("review submission ", result.submission),
    ]
    let stateTexts = states.compactMap { name, state in state.map { name + String(displaying: $0.utf8) } }
    let errors =
      result.outcome == .shown && !version.errors.isEmpty ? ": \(version.errors.joined(separator: "; "))" : ""
    return "version \(version.number), " + stateTexts.joined(separator: ", ") + errors
  }
}

/// The JSON report of `upload`.
struct UploadDocument: ReportDocument {
  struct Pack: Encodable {
    let assetPackID: String
    /// `uploaded`, `unchanged`, `failed`, with `--dry-run` `would-upload`, or with `--status` `shown`.
    let outcome: String
    let uploadedBytes: Int64
    /// The number of the version in App Store Connect.
    @Nullable var version: Int64?
    /// The states, as App Store Connect names them.
    @Nullable var state: String?
    @Nullable var appStoreState: String?
    @Nullable var internalTestState: String?
    @Nullable var externalTestState: String?
    let errors: [String]
    let warnings: [String]
    /// The identifier of the review submission that contains the version.
    @Nullable var submission: String?
  }

  let schemaVersion = reportSchemaVersion
  let command = UploadCommand.reportName
  let path: String
  let packs: [Pack]
  /// The number of review submissions that were sent; null without `--submit`.
  @Nullable var submissions: Int?
}
