package import StrictJSON

/// The time at which the system downloads an asset pack.
public struct DownloadPolicy: Sendable, Equatable {
  /// The kinds of download policies.
  public enum Kind: String, Sendable, CaseIterable {
    /// The app requests the download.
    case onDemand = "on-demand"
    /// The download begins with the installation of the app. The user can open the app before the download ends.
    case prefetch
    /// The installation of the app completes after the download.
    case essential
  }

  /// The app events that start a download.
  public enum Event: String, Sendable, CaseIterable {
    /// The first installation of the app.
    case firstInstallation = "first-installation"
    /// An update of the app.
    case subsequentUpdate = "subsequent-update"
  }

  /// The kind of the policy.
  public let kind: Kind
  /// The events, in the order of their cases; empty for `onDemand`.
  public let events: [Event]

  /// Creates a policy.
  ///
  /// - Parameters:
  ///   - kind: The kind of the policy.
  ///   - events: The events; all of them if empty. Ignored for `onDemand`.
  public init(_ kind: Kind, on events: [Event] = []) {
    self.kind = kind
    let all = events.isEmpty ? Event.allCases : Event.allCases.filter(events.contains)
    self.events = kind == .onDemand ? [] : all
  }
}

/// A platform of an asset pack.
public enum AssetPlatform: String, Sendable, CaseIterable {
  /// The platforms by Apple's names.
  case iOS, macOS, tvOS, visionOS
}

/// A selection of files for an asset pack. Paths are relative to the source root.
package enum AssetPackSelector: Sendable, Equatable {
  /// One file.
  case file(String)
  /// A folder with everything in it.
  case directory(String)
  /// The files that match a pattern (Xcode 27).
  case pattern(String)
  /// A file at another path in the pack (Xcode 27).
  case movedFile(source: String, destination: String)
  /// A folder at another path in the pack (Xcode 27).
  case movedDirectory(source: String, destination: String)
  /// The exclusion of all files and folders that match a pattern (Xcode 27).
  case exclusion(String)
}

/// The manifest of an asset pack in the format of `ba-package` (Background Assets, "Creating managed asset packs").
package struct AssetPackManifest: Sendable, Equatable {
  /// The name of the manifest in the folder of a pack.
  package static let fileName = "Manifest.json"

  /// Returns whether an item with this name beside a manifest would be the manifest itself: most Apple file systems
  /// ignore case.
  static func isFileName(_ name: String) -> Bool { name.lowercased() == fileName.lowercased() }

  /// The identifier; for self-hosted packs, any text.
  package var identifier: String
  /// The time of the download.
  package var policy: DownloadPolicy
  /// The files of the pack; exclusions apply to all other selectors.
  package var selectors: [AssetPackSelector]
  package var platforms: [AssetPlatform]
  /// The folder to which selectors are relative, relative to the manifest (Xcode 27); nil for the working directory.
  package var sourceRoot: String?
  /// The language of the pack, a BCP 47 tag (Xcode 27, OS 27).
  package var language: String?
  /// An object for the app (Xcode 27, self-hosted packs only).
  package var userInfo: JSONValue?

  package init(
    identifier: String, policy: DownloadPolicy, selectors: [AssetPackSelector], platforms: [AssetPlatform]
  ) {
    self.identifier = identifier
    self.policy = policy
    self.selectors = selectors
    self.platforms = platforms
  }
}

// MARK: - JSON

extension DownloadPolicy {
  /// The policy as JSON, in the format of manifests.
  package var value: JSONValue {
    let types = events.map { JSONValue.string($0.manifestName) }
    let events = JSONValue.object(
      kind == .onDemand ? [] : [JSONValue.Member("installationEventTypes", .array(types))])
    return .object([JSONValue.Member(kind.manifestName, events)])
  }
}

extension DownloadPolicy.Kind {
  /// The name in manifests.
  package var manifestName: String { self == .onDemand ? "onDemand" : rawValue }
}

extension DownloadPolicy.Event {
  /// The name in manifests.
  package var manifestName: String {
    switch self {
    case .firstInstallation: "firstInstallation"
    case .subsequentUpdate: "subsequentUpdate"
    }
  }
}

extension AssetPackSelector {
  fileprivate var value: JSONValue {
    func object(_ members: (String, String)...) -> JSONValue {
      .object(members.map { JSONValue.Member($0.0, .string($0.1)) })
    }
    return switch self {
    case .file(let path): object(("file", path))
    case .directory(let path): object(("directory", path))
    case .pattern(let pattern): object(("filePattern", pattern))
    case .movedFile(let source, let destination):
      object(("fileSource", source), ("fileDestination", destination))
    case .movedDirectory(let source, let destination):
      object(("directorySource", source), ("directoryDestination", destination))
    case .exclusion(let pattern): object(("fileExclusion", pattern))
    }
  }
}

extension AssetPackKeys {
  private var value: JSONValue {
    let members: [(String, JSONValue?)] = [
      ("assetPackID", identifier.map(JSONValue.string)), ("downloadPolicy", policy?.value),
      ("fileSelectors", (selectors?.map(\.value)).map(JSONValue.array)),
      ("platforms", (platforms?.map { JSONValue.string($0.rawValue) }).map(JSONValue.array)),
      ("sourceRoot", sourceRoot.map(JSONValue.string)), ("language", language.map(JSONValue.string)),
      ("userInfo", userInfo),
    ]
    return .object(members.compactMap { key, value in value.map { JSONValue.Member(key, $0) } })
  }

  /// The keys as one line of JSON.
  package var line: String { value.line }

  fileprivate var formatted: String { value.formatted }
}

extension AssetPackManifest {
  /// The bytes of the file.
  package var bytes: [UInt8] {
    var keys = AssetPackKeys()
    keys.identifier = identifier
    keys.policy = policy
    keys.selectors = selectors
    keys.platforms = platforms
    keys.sourceRoot = sourceRoot
    keys.language = language
    keys.userInfo = userInfo
    return Array((keys.formatted + "\n").utf8)
  }
}
