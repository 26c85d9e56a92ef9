package import StrictJSON

/// A defect of a manifest.
package struct AssetPackManifestError: Error, Sendable, Equatable {
  /// One lower-case sentence without a full stop; not safe to print.
  package let message: String

  package init(_ message: String) { self.message = message }
}

/// The keys of a manifest, in a file or in settings. A missing key is nil.
package struct AssetPackKeys: Sendable, Equatable {
  package var identifier: String?
  package var policy: DownloadPolicy?
  package var selectors: [AssetPackSelector]?
  package var platforms: [AssetPlatform]?
  package var sourceRoot: String?
  package var language: String?
  package var userInfo: JSONValue?

  init() {}

  /// Reads the keys of an object; see `Documentation/schemas/asset-pack-manifest.schema.json`. Unknown keys are errors.
  package init(_ value: JSONValue) throws(AssetPackManifestError) {
    for member in try Self.members(value, "the manifest") {
      switch member.key {
      case "assetPackID": identifier = try Self.text(member)
      case "downloadPolicy": policy = try DownloadPolicy(member.value)
      case "fileSelectors":
        selectors = try Self.list(member) { (value) throws(AssetPackManifestError) in
          try AssetPackSelector(value)
        }
      case "platforms": platforms = try Self.platforms(member)
      case "sourceRoot": sourceRoot = try Self.sourceRoot(member)
      case "language": language = try Self.language(member)
      case "userInfo":
        _ = try Self.members(member.value, "userInfo")
        userInfo = member.value
      default:
        throw AssetPackManifestError(
          "there is no key '\(member.key.prefix(40))', expected assetPackID, downloadPolicy, fileSelectors, platforms, "
            + "sourceRoot, language or userInfo")
      }
    }
  }

  static func members(
    _ value: JSONValue, _ what: String
  ) throws(AssetPackManifestError) -> [JSONValue.Member] {
    guard case .object(let members) = value else {
      throw AssetPackManifestError("\(what) is \(value.kind), expected an object")
    }
    return members
  }

  static func text(_ member: JSONValue.Member) throws(AssetPackManifestError) -> String {
    guard case .string(let text) = member.value else {
      throw AssetPackManifestError("\(member.key) is \(member.value.kind), expected a string")
    }
    guard !text.isEmpty, !text.utf8.contains(0), text.utf8.count <= maximumTextLength else {
      throw AssetPackManifestError(
        "\(member.key) has \(text.utf8.count) bytes or a NUL, expected 1 to \(maximumTextLength) bytes without one"
      )
    }
    return text
  }

  /// The maximum length of a text other than those of `userInfo`, in bytes.
  private static let maximumTextLength = 1_024

  /// Returns the source root, which may be outside the folder of the manifest.
  private static func sourceRoot(_ member: JSONValue.Member) throws(AssetPackManifestError) -> String {
    let path = try text(member)
    guard !path.hasPrefix("/") else {
      throw AssetPackManifestError(
        "sourceRoot is the absolute path '\(path.prefix(80))', expected one relative to the manifest")
    }
    return path
  }

  private static func list<Element>(
    _ member: JSONValue.Member, _ element: (JSONValue) throws(AssetPackManifestError) -> Element
  ) throws(AssetPackManifestError) -> [Element] {
    guard case .array(let values) = member.value, !values.isEmpty else {
      throw AssetPackManifestError(
        "\(member.key) is \(member.value == .array([]) ? "empty" : member.value.kind), expected a non-empty list"
      )
    }
    var elements: [Element] = []
    for value in values { elements.append(try element(value)) }
    return elements
  }

  private static func platforms(
    _ member: JSONValue.Member
  ) throws(AssetPackManifestError) -> [AssetPlatform] {
    let names = AssetPlatform.allCases.map(\.rawValue).joined(separator: ", ")
    let platforms = try list(member) { (value) throws(AssetPackManifestError) in
      let name = try text(JSONValue.Member("a platform", value))
      guard let platform = AssetPlatform(rawValue: name) else {
        let hint = name == "iPadOS" ? "; iOS includes iPadOS" : ""
        throw AssetPackManifestError("there is no platform '\(name.prefix(40))', expected \(names)\(hint)")
      }
      return platform
    }
    guard Set(platforms).count == platforms.count else {
      throw AssetPackManifestError("platforms names a platform twice")
    }
    return platforms
  }

  /// Returns a language tag (RFC 5646, section 2.1): subtags of 1 to 8 letters and digits, the first of 2 to 8 letters.
  private static func language(_ member: JSONValue.Member) throws(AssetPackManifestError) -> String {
    let tag = try text(member)
    let parts = tag.split(separator: "-", omittingEmptySubsequences: false)
    let isTag = parts.enumerated().allSatisfy { index, part in
      (index == 0 ? 2...8 : 1...8).contains(part.utf8.count)
        && part.utf8.allSatisfy { byte in
          let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
          return isLetter || index > 0 && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
    }
    guard isTag else {
      throw AssetPackManifestError(
        "language is '\(tag.prefix(40))', expected a BCP 47 tag, such as de or pt-BR")
    }
    return tag
  }
}

extension AssetPackManifest {
  /// The maximum size of a manifest in bytes.
  package static let maximumByteCount = 1 << 20

  /// Reads a manifest, which may have comments and trailing commas, as in Apple's template.
  package init(bytes: [UInt8]) throws(AssetPackManifestError) {
    let value: JSONValue
    var reader = JSONReader(CommentedJSON.plain(bytes))
    do throws(DocumentError) {
      value = try reader.document { (reader) throws(DocumentError) in try reader.value() }
    } catch {
      throw AssetPackManifestError("the file is not JSON: \(error.message)")
    }
    let keys = try AssetPackKeys(value)
    func required<Value>(_ value: Value?, _ key: String) throws(AssetPackManifestError) -> Value {
      guard let value else { throw AssetPackManifestError("the key \(key) is missing") }
      return value
    }
    self.init(
      identifier: try required(keys.identifier, "assetPackID"),
      policy: try required(keys.policy, "downloadPolicy"),
      selectors: try required(keys.selectors, "fileSelectors"),
      platforms: try required(keys.platforms, "platforms"))
    sourceRoot = keys.sourceRoot
    language = keys.language
    userInfo = keys.userInfo
    guard selectors.contains(where: { if case .exclusion = $0 { false } else { true } }) else {
      throw AssetPackManifestError(
        "fileSelectors only excludes files, expected a file, directory or filePattern")
    }
  }
}

extension DownloadPolicy {
  fileprivate init(_ value: JSONValue) throws(AssetPackManifestError) {
    let members = try AssetPackKeys.members(value, "downloadPolicy")
    guard members.count == 1, let member = members.first,
      let kind = Kind.allCases.first(where: { $0.manifestName == member.key })
    else {
      throw AssetPackManifestError(
        "downloadPolicy has \(members.isEmpty ? "no key" : members.map { "'\($0.key.prefix(40))'" }.joined(separator: ", ")), "
          + "expected exactly one of essential, prefetch and onDemand")
    }
    let details = try AssetPackKeys.members(member.value, member.key)
    if kind == .onDemand {
      guard details.isEmpty else {
        throw AssetPackManifestError("onDemand has '\(details[0].key.prefix(40))', expected an empty object")
      }
      self.init(kind)
      return
    }
    guard details.count == 1, details[0].key == "installationEventTypes",
      case .array(let values) = details[0].value, !values.isEmpty
    else {
      throw AssetPackManifestError(
        "\(member.key) requires a non-empty list installationEventTypes, and no other key")
    }
    var events: [Event] = []
    for value in values {
      guard let event = Event.allCases.first(where: { .string($0.manifestName) == value }),
        !events.contains(event)
      else {
        throw AssetPackManifestError(
          "installationEventTypes has an unknown or repeated element, expected firstInstallation or subsequentUpdate"
        )
      }
      events.append(event)
    }
    self.init(kind, on: events)
  }
}

extension AssetPackSelector {
  fileprivate init(_ value: JSONValue) throws(AssetPackManifestError) {
    let members = try AssetPackKeys.members(value, "an element of fileSelectors")
    var texts: [String: String] = [:]
    for member in members {
      texts[member.key] = try AssetPackPath.checked(AssetPackKeys.text(member), as: member.key)
    }
    switch texts.keys.sorted() {
    case ["file"]: self = .file(texts["file", default: ""])
    case ["directory"]: self = .directory(texts["directory", default: ""])
    case ["filePattern"]: self = .pattern(texts["filePattern", default: ""])
    case ["fileExclusion"]: self = .exclusion(texts["fileExclusion", default: ""])
    case ["fileDestination", "fileSource"]:
      self = .movedFile(
        source: texts["fileSource", default: ""], destination: texts["fileDestination", default: ""])
    case ["directoryDestination", "directorySource"]:
      self = .movedDirectory(
        source: texts["directorySource", default: ""], destination: texts["directoryDestination", default: ""]
      )
    case let keys:
      throw AssetPackManifestError(
        "a selector has the keys '\(keys.joined(separator: "', '").prefix(80))', expected file, directory, filePattern, "
          + "fileExclusion, fileSource with fileDestination, or directorySource with directoryDestination")
    }
  }
}

/// The paths in manifests.
enum AssetPackPath {
  /// Returns the path, which must be relative and must not leave its folder.
  static func checked(
    _ path: String, as key: String
  ) throws(AssetPackManifestError) -> String {
    let parts = (path.hasSuffix("/") ? path.dropLast() : path[...])
      .split(separator: "/", omittingEmptySubsequences: false)
    guard !path.hasPrefix("/") else {
      throw AssetPackManifestError(
        "\(key) is the absolute path '\(path.prefix(80))', expected a relative one")
    }
    guard parts.allSatisfy({ !["", ".", ".."].contains($0) }) else {
      throw AssetPackManifestError(
        "\(key) is '\(path.prefix(80))', expected a path without empty parts, '.' and '..'")
    }
    return path
  }

  /// Returns the path without a trailing slash.
  static func plain(_ path: String) -> String { path.hasSuffix("/") ? String(path.dropLast()) : path }
}
