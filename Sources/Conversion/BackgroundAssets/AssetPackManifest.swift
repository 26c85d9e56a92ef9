public import ContentPackage

/// The identifier of an asset pack: what a product identifier may be.
public typealias AssetPackIdentifier = ProductIdentifier

/// When the system downloads an asset pack.
public struct DownloadPolicy: Sendable, Equatable {
  /// The kinds of policies.
  public enum Kind: String, Sendable, CaseIterable {
    /// The app asks for it.
    case onDemand = "on-demand"
    /// It begins with the installation of the app, which can be opened before it ends.
    case prefetch
    /// The installation of the app ends with it.
    case essential
  }

  /// The events of an app that begin a download.
  public enum Event: String, Sendable, CaseIterable {
    /// The app is installed for the first time.
    case firstInstallation = "first-installation"
    /// The app is updated.
    case subsequentUpdate = "subsequent-update"
  }

  /// Which kind it is.
  public let kind: Kind
  /// The events, in the order of their cases; empty for `onDemand`.
  public let events: [Event]

  /// - Parameters:
  ///   - kind: which kind it is.
  ///   - events: the events, all of them if there are none; without meaning for `onDemand`.
  public init(_ kind: Kind, on events: [Event] = []) {
    self.kind = kind
    let all = events.isEmpty ? Event.allCases : Event.allCases.filter(events.contains)
    self.events = kind == .onDemand ? [] : all
  }
}

/// A platform that an asset pack is for.
public enum AssetPlatform: String, Sendable, CaseIterable {
  /// The platforms by the names that Apple gives them.
  case iOS, macOS, tvOS, visionOS
}

/// The manifest of an asset pack, as `ba-package` reads it (Background Assets, "Creating a manifest file").
struct AssetPackManifest {
  let identifier: AssetPackIdentifier
  let policy: DownloadPolicy
  /// The folder with the content, beside the manifest.
  let folder: ProductIdentifier
  let platforms: [AssetPlatform]

  /// The file, a JSON document. Identifiers have no characters that JSON would escape.
  var bytes: [UInt8] {
    let names = platforms.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    return Array(
      """
      {
        "assetPackID": "\(identifier)",
        "downloadPolicy": {
          \(policyText)
        },
        "fileSelectors": [
          {
            "directory": "\(folder)"
          }
        ],
        "platforms": [\(names)]
      }

      """.utf8)
  }

  private var policyText: String {
    let events = policy.events.map { event in
      switch event {
      case .firstInstallation: "\"firstInstallation\""
      case .subsequentUpdate: "\"subsequentUpdate\""
      }
    }
    let types = "{ \"installationEventTypes\": [\(events.joined(separator: ", "))] }"
    return switch policy.kind {
    case .onDemand: "\"onDemand\": {}"
    case .prefetch: "\"prefetch\": \(types)"
    case .essential: "\"essential\": \(types)"
    }
  }
}
