public import ContentPackage

/// The identifier of an asset pack, with the syntax of a product identifier.
public typealias AssetPackIdentifier = ProductIdentifier

/// The time at which the system downloads an asset pack.
public struct DownloadPolicy: Sendable, Equatable {
  /// The kinds of download policies.
  public enum Kind: String, Sendable, CaseIterable {
    /// The app requests the download.
    case onDemand = "on-demand"
    /// The download begins with the installation of the app, which can be opened before it ends.
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

/// The manifest of an asset pack in the format of `ba-package` (Background Assets, "Creating a manifest file").
struct AssetPackManifest {
  let identifier: AssetPackIdentifier
  let policy: DownloadPolicy
  /// The folder with the content, next to the manifest.
  let folder: ProductIdentifier
  let platforms: [AssetPlatform]

  /// The manifest as JSON. Identifiers have no characters that JSON escapes.
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
