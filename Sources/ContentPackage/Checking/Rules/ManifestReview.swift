import PropertyList
import ZipArchive

/// The identity in `ContentInfo.plist`, and the findings about the file.
struct ManifestReview: Sendable {
  /// The bytes of the manifest.
  let bytes: [UInt8]
  /// The parsed manifest; nil if the property list was rejected.
  private(set) var document: PropertyListDocument?
  /// The identifier in the manifest; nil if missing or invalid.
  private(set) var productIdentifier: ProductIdentifier?
  private(set) var contentVersion: ContentVersion?
  private(set) var findings: [Finding] = []

  /// The identity, if both parts are valid.
  var contentInfo: ContentInfo? {
    guard let productIdentifier, let contentVersion else { return nil }
    return ContentInfo(productIdentifier: productIdentifier, contentVersion: contentVersion)
  }

  /// Parses and checks a manifest.
  init(of bytes: [UInt8]) {
    self.bytes = bytes
    let document: PropertyListDocument
    do throws(PropertyListError) { document = try PropertyListDocument.parse(bytes) } catch {
      add(Rule(error.kind), line: error.line, error.message)
      return
    }
    self.document = document
    if document.format == .binary { add(.manifestBinary, "ContentInfo.plist is a binary property list") }
    guard case .dictionary = document.root else {
      add(.manifestWrongType, "found the type \(document.root.typeName) at the root, expected a dictionary")
      return
    }
    readIdentifier(document)
    readVersion(document)
    findMisspelledKeys(document)
  }

  /// Returns the finding for a manifest of `bytes` bytes that is too large. Callers check the size before they read.
  static func sizeFinding(_ bytes: Int64) -> Finding? {
    guard bytes > Limits.maximumManifestBytes else { return nil }
    return Finding(
      .manifestUnreadable, at: PackageLayout.manifest,
      "the manifest has \(bytes) bytes, expected at most \(Limits.maximumManifestBytes)")
  }

  private mutating func readIdentifier(_ document: PropertyListDocument) {
    guard let (text, line) = string(ContentInfo.Key.productIdentifier, in: document) else { return }
    productIdentifier = ProductIdentifier(text)
    if productIdentifier == nil {
      add(
        .manifestProductIdentifier, line: line,
        "found '\(EntryPath(text).escaped)', expected 1 to \(ProductIdentifier.maximumLength) of A-Z a-z 0-9 . _ -, "
          + "starting with neither . nor -")
    }
  }

  private mutating func readVersion(_ document: PropertyListDocument) {
    guard let (text, line) = string(ContentInfo.Key.contentVersion, in: document) else { return }
    contentVersion = ContentVersion(text)
    guard let contentVersion else {
      add(
        .manifestContentVersion, line: line,
        "found '\(EntryPath(text).escaped)', expected 1 to \(ContentVersion.maximumPartCount) integers separated by "
          + "periods, each below 2^63")
      return
    }
    if contentVersion.hasLeadingZero {
      add(
        .manifestLeadingZero, line: line,
        "'\(text)' has a number with a leading zero, which is ignored")
    }
  }

  /// Returns the string for `key` and its line. Adds a finding if the value is missing or has another type.
  private mutating func string(_ key: String, in document: PropertyListDocument) -> (String, Int?)? {
    guard let value = document.value(forKey: key) else {
      add(
        .manifestMissingKey, line: document.rootLine, "the key \(key) is missing",
        remedy: "add the key \(key) with a string")
      return nil
    }
    let line = document.line(ofKey: key)
    guard case .string(let text) = value else {
      add(.manifestWrongType, line: line, "found the type \(value.typeName) under \(key), expected a string")
      return nil
    }
    return (text, line)
  }

  private mutating func findMisspelledKeys(_ document: PropertyListDocument) {
    let expectedKeys = [ContentInfo.Key.productIdentifier, ContentInfo.Key.contentVersion]
    for key in document.entries?.map(\.key) ?? [] where !expectedKeys.contains(key) {
      guard let expected = expectedKeys.first(where: { Misspelling.isLikely(key, of: $0) }) else { continue }
      add(
        .manifestMisspelledKey, line: document.line(ofKey: key),
        "found the key '\(EntryPath(key).escaped)', which is not read; expected \(expected)",
        remedy: "rename the key to \(expected)")
    }
  }

  private mutating func add(_ rule: Rule, line: Int? = nil, _ message: String, remedy: String? = nil) {
    findings.append(Finding(rule, at: PackageLayout.manifest, line: line, message, remedy: remedy))
  }
}

extension Rule {
  /// Creates the rule for an error of a property list.
  init(_ error: PropertyListError.Kind) {
    switch error {
    case .unreadable: self = .manifestUnreadable
    case .unsafeXML: self = .manifestUnsafeXml
    case .duplicateKey: self = .manifestDuplicateKey
    }
  }
}
