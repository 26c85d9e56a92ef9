import ContentPackage
import Conversion
import Settings
import Support

/// The report of `config`.
struct ConfigRendering {
  private let settings: FolderSettings
  private let folder: String
  private let style: TextStyle

  init(_ settings: FolderSettings, of folder: String, style: TextStyle) {
    self.settings = settings
    self.folder = String(displaying: folder.utf8)
    self.style = style
  }

  /// One line for each element of each setting, with its location.
  var lines: [String] {
    var rows: [(key: String, value: String, location: SettingsLocation)] = []
    rows += settings.exclude.entries.map { ("exclude", $0.pattern.text, $0.location) }
    rows += settings.ignore.rules.map { ("ignore", Self.text($0.value), $0.location) }
    rows += zip(settings.compression.entries, settings.methods).map {
      ("compression", "\($0.pattern.text): \(Self.name(of: $1))", $0.location)
    }
    if let budget = settings.budget { rows += Self.rows(budget) }
    for (key, setting) in single {
      if let setting { rows.append((key, setting.value, setting.location)) }
    }
    guard !rows.isEmpty else { return ["\(folder): no settings"] }
    return rows.map { row in
      "\(row.key): \(String(displaying: row.value.utf8))  " + style.faint("(\(Self.shown(row.location)))")
    }
  }

  var document: ConfigDocument {
    ConfigDocument(
      path: folder,
      exclude: settings.exclude.entries.map { entry in
        ConfigDocument.Pattern(
          pattern: Self.shown(entry.pattern.text), method: nil, from: .init(entry.location))
      },
      ignore: settings.ignore.rules.map { ignored in
        ConfigDocument.Rule(
          rule: ignored.value.rule.rawValue,
          path: Nullable(wrappedValue: ignored.value.path.map { Self.shown($0.text) }),
          reason: Self.shown(ignored.value.reason), from: .init(ignored.location))
      },
      compression: zip(settings.compression.entries, settings.methods).map { entry, method in
        ConfigDocument.Pattern(
          pattern: Self.shown(entry.pattern.text), method: Self.name(of: method), from: .init(entry.location))
      },
      budget: Nullable(wrappedValue: settings.budget.map(ConfigDocument.Budget.init)),
      store: Self.value(settings.store), channel: Self.value(channel),
      signWith: Self.value(settings.signWith), backgroundAssets: Self.value(backgroundAssets),
      skippedSettings: settings.untrustedFiles.skippedFiles)
  }

  private var channel: Setting<String>? {
    settings.channel.map { Setting($0.value.text, at: $0.location) }
  }

  /// The keys for the manifests of asset packs, as a line of JSON.
  private var backgroundAssets: Setting<String>? {
    settings.backgroundAssets.map { Setting($0.value.line, at: $0.location) }
  }

  private var single: [(String, Setting<String>?)] {
    [
      ("store", settings.store), ("channel", channel), ("sign-with", settings.signWith),
      ("background-assets", backgroundAssets),
    ]
  }

  private static func rows(
    _ budget: FolderBudget
  ) -> [(key: String, value: String, location: SettingsLocation)] {
    var rows: [(key: String, value: String, location: SettingsLocation)] = []
    for (name, setting) in [("package", budget.package), ("update", budget.update)] {
      guard let setting else { continue }
      rows.append(("budget", "\(name): \(Quantity.bytes(setting.value))", setting.location))
    }
    if let files = budget.files { rows.append(("budget", "files: \(files.value)", files.location)) }
    for (entry, size) in zip(budget.patterns.entries, budget.sizes) {
      rows.append(("budget", "file: \(entry.pattern.text): \(Quantity.bytes(size))", entry.location))
    }
    return rows
  }

  private static func text(_ ignored: IgnoredRule) -> String {
    let path = ignored.path.map { " in \($0.text)" } ?? ""
    return "\(ignored.rule.rawValue)\(path): \(ignored.reason)"
  }

  private static func name(of method: Compression) -> String { method == .store ? "store" : "deflate" }

  private static func shown(_ text: String) -> String { String(displaying: text.utf8) }

  private static func shown(_ location: SettingsLocation) -> String { shown("\(location)") }

  private static func value(_ setting: Setting<String>?) -> Nullable<ConfigDocument.Value> {
    Nullable(wrappedValue: setting.map { .init(value: shown($0.value), from: .init($0.location)) })
  }
}

/// The JSON report of `config`.
struct ConfigDocument: ReportDocument {
  /// The location of a setting; all values are null for the command line.
  struct Place: Encodable {
    @Nullable var path: String?
    @Nullable var line: Int?
    @Nullable var column: Int?

    init(_ location: SettingsLocation) {
      guard let path = location.path else { return }
      self.path = String(displaying: path.utf8)
      line = location.line
      column = location.column
    }
  }

  struct Pattern: Encodable {
    let pattern: String
    /// `store` or `deflate`; for `compression` only.
    let method: String?
    let from: Place
  }

  struct Rule: Encodable {
    let rule: String
    @Nullable var path: String?
    let reason: String
    let from: Place
  }

  struct Value: Encodable {
    let value: String
    let from: Place
  }

  /// The size budget of the product. The limits are in bytes, except that `files` is a count.
  struct Budget: Encodable {
    struct Limit: Encodable {
      let value: Int64
      let from: Place

      init(_ setting: Setting<Int64>) {
        value = setting.value
        from = Place(setting.location)
      }
    }

    struct File: Encodable {
      let pattern: String
      let value: Int64
      let from: Place
    }

    @Nullable var package: Limit?
    @Nullable var update: Limit?
    @Nullable var files: Limit?
    let file: [File]

    init(_ budget: FolderBudget) {
      _package = Nullable(wrappedValue: budget.package.map(Limit.init))
      _update = Nullable(wrappedValue: budget.update.map(Limit.init))
      _files = Nullable(wrappedValue: budget.files.map(Limit.init))
      file = zip(budget.patterns.entries, budget.sizes).map {
        File(pattern: String(displaying: $0.pattern.text.utf8), value: $1, from: Place($0.location))
      }
    }
  }

  let schemaVersion = reportSchemaVersion
  let command = "config"
  let path: String
  let exclude: [Pattern]
  let ignore: [Rule]
  let compression: [Pattern]
  @Nullable var budget: Budget?
  @Nullable var store: Value?
  @Nullable var channel: Value?
  @Nullable var signWith: Value?
  /// The keys for the manifests of asset packs, as a line of JSON.
  @Nullable var backgroundAssets: Value?
  /// The settings files of other users, which are not read; absent if there are none.
  let skippedSettings: [String]?
}
