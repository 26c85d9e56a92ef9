import Foundation
import PackageForge
import TestSupport
import Testing

/// Asset packs with forged archives, and their store in a folder.
struct HostedPacks {
  static let base = "https://packs.example.com/app"
  let work: Workspace

  init() throws { work = try Workspace() }

  /// Writes a pack of one file, and its archive.
  func write(_ name: String, _ content: String, more: String = "") throws {
    try work.write(content, to: "Packs/\(name)/\(name)/a.txt")
    let manifest = #"""
      {"assetPackID": "\#(name)", "downloadPolicy": {"onDemand": {}},
      "fileSelectors": [{"directory": "\#(name)"}], "platforms": ["iOS"]\#(more)}
      """#
    try work.write(manifest, to: "Packs/\(name)/Manifest.json")
    try work.write("pbze archive of \(content)", to: "Packs/\(name).aar")
  }

  func publish(
    _ words: String..., to store: String = "store", environment: [String: String] = [:]
  ) throws -> Outcome {
    try work.iapkg(
      [
        "export", "--background-assets", "Packs", "--download-manifest", "--base-url", Self.base, "--to",
        store,
      ]
        + words, environment: environment)
  }

  func verify(_ store: String = "store", environment: [String: String] = [:]) throws -> Outcome {
    try work.iapkg(
      ["export", "--download-manifest", "--verify", "--base-url", Self.base, "--to", store],
      environment: environment)
  }

  func prune(
    _ words: String..., of store: String = "store", environment: [String: String] = [:]
  ) throws -> Outcome {
    try work.iapkg(
      ["export", "--download-manifest", "--prune", "--to", store] + words, environment: environment)
  }

  /// Returns the version of a pack in the manifest; nil if it has none.
  func version(_ name: String, in store: String = "store") throws -> Int64? {
    try JSON(parsing: work.text("\(store)/ios/manifest.json"))["assetPacks"]?.elements.first {
      $0["id"] == .string(name)
    }?["version"]?.integer
  }

  /// Returns the versions of all archives of a pack.
  func archives(_ name: String, in store: String = "store") throws -> [String] {
    try work.names(in: "\(store)/ios/packs/\(name)").map { String($0.prefix { $0 != "-" }) }.sorted()
  }

  /// Sets the modification date of everything in the store to `days` days ago.
  func age(days: Double, _ store: String = "store") throws {
    for case let name as String in FileManager.default.enumerator(atPath: work.place(store)) ?? .init() {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -days * 86_400)],
        ofItemAtPath: work.place("\(store)/\(name)"))
    }
  }
}
