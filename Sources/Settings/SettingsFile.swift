package import ContentPackage
package import Conversion
import SafeFiles
package import Support

/// A setting and its location.
package struct Setting<Value: Sendable>: Sendable {
  package let value: Value
  package let location: SettingsLocation

  package init(_ value: Value, at location: SettingsLocation) {
    self.value = value
    self.location = location
  }
}

/// A rule whose findings are ignored, with the reason.
package struct IgnoredRule: Sendable {
  package let rule: Rule
  /// The pattern of the paths; nil for all paths.
  package let path: PathPattern?
  /// The reason that the user gives for ignoring the findings; not safe to print.
  package let reason: String
}

/// The settings of a file `.iapkg.yml`; missing keys are nil.
package struct SettingsFile: Sendable {
  /// The keys of a file.
  package enum Key: String, CaseIterable, Sendable {
    case exclude, ignore, compression, budget, store, channel
    case signWith = "sign-with"
    case backgroundAssets = "background-assets"
  }

  package private(set) var exclude: Setting<[Setting<PathPattern>]>?
  package private(set) var ignore: Setting<[Setting<IgnoredRule>]>?
  package private(set) var compression: Setting<[Setting<(PathPattern, Compression)>]>?
  package private(set) var budget: Setting<BudgetSetting>?
  /// The address of the store, or its folder relative to the folder of the file.
  package private(set) var store: Setting<String>?
  package private(set) var channel: Setting<Channel>?
  /// The path of the private key that signs catalogs, relative to the folder of the file.
  package private(set) var signWith: Setting<String>?
  /// The keys of the manifests of asset packs.
  package private(set) var backgroundAssets: Setting<AssetPackKeys>?

  /// Reads the bytes of a file; `path` is its name in messages.
  ///
  /// - Throws: `SettingsError` for the first problem.
  package init(bytes: [UInt8], path: String) throws(SettingsError) {
    let reader = SettingsReader(path: path)
    guard let root = try reader.root(of: bytes) else { return }
    for (key, value) in try reader.pairs(root, in: "the file") {
      let location = reader.location(of: key)
      switch try reader.key(key) {
      case .exclude: exclude = Setting(try reader.patterns(value), at: location)
      case .ignore: ignore = Setting(try reader.ignoredRules(value), at: location)
      case .compression: compression = Setting(try reader.compression(value), at: location)
      case .budget: budget = Setting(try reader.budget(value), at: location)
      case .store: store = try reader.store(value)
      case .channel: channel = try reader.channel(value)
      case .signWith: signWith = try reader.text(value, of: "sign-with")
      case .backgroundAssets: backgroundAssets = try reader.assetPack(value)
      }
    }
  }
}
