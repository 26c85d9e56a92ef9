import Foundation
import StrictJSON
import TestSupport
import Testing

@testable import Conversion

/// Manifests of asset packs, as `ba-package` of Xcode 26 and 27 reads them.
struct AssetPackManifestTests {
  private static let valid: [String] = [
    manifest(), manifest(policy: #"{"essential": {"installationEventTypes": ["firstInstallation"]}}"#),
    manifest(
      policy: #"{"prefetch": {"installationEventTypes": ["firstInstallation", "subsequentUpdate"]}}"#,
      platforms: #"["iOS", "macOS", "tvOS", "visionOS"]"#),
    manifest(
      selectors: #"""
        [{"file": "a.txt"}, {"directory": "b/c/"}, {"filePattern": "**/*.png"}, {"fileExclusion": "*.psd"},
        {"fileSource": "a", "fileDestination": "b/c"}, {"directorySource": "d", "directoryDestination": "e"}]
        """#),
    manifest(
      more: #", "sourceRoot": "../Assets", "language": "pt-BR", "userInfo": {"a": [1.5e3, null, true]}"#),
    manifest(identifier: "a.b_c"),
  ]

  private static let invalid: [String] = [
    "{}", "[]", #"{"assetPackID": "a"}"#, manifest(more: #", "color": 1"#), manifest(identifier: ""),
    manifest(policy: "{}"), manifest(policy: #"{"onDemand": {}, "prefetch": {}}"#),
    manifest(policy: #"{"onDemand": {"installationEventTypes": []}}"#),
    manifest(policy: #"{"prefetch": {}}"#),
    manifest(policy: #"{"prefetch": {"installationEventTypes": []}}"#),
    manifest(policy: #"{"prefetch": {"installationEventTypes": ["launch"]}}"#),
    manifest(
      policy: #"{"prefetch": {"installationEventTypes": ["firstInstallation", "firstInstallation"]}}"#),
    manifest(policy: #"{"prefetch": {"installationEventTypes": ["firstInstallation"], "more": 1}}"#),
    manifest(policy: #""onDemand""#), manifest(selectors: "[]"), manifest(selectors: #"[{"file": "."}]"#),
    manifest(selectors: #"[{"file": "/a"}]"#), manifest(selectors: #"[{"file": "../a"}]"#),
    manifest(selectors: #"[{"file": "a//b"}]"#), manifest(selectors: #"[{"file": "a", "directory": "b"}]"#),
    manifest(selectors: #"[{"fileSource": "a"}]"#), manifest(selectors: #"[{"fileExclusion": "a"}]"#),
    manifest(selectors: #"[{"path": "a"}]"#), manifest(selectors: #"["a"]"#), manifest(platforms: "[]"),
    manifest(platforms: #"["iPadOS"]"#), manifest(platforms: #"["iOS", "iOS"]"#),
    manifest(platforms: #""iOS""#),
    manifest(more: #", "sourceRoot": "/a""#), manifest(more: #", "language": "german language""#),
    manifest(more: #", "language": "1""#), manifest(more: #", "userInfo": []"#),
  ]

  private static func manifest(
    identifier: String = "pack", policy: String = #"{"onDemand": {}}"#,
    selectors: String = #"[{"directory": "a"}]"#, platforms: String = #"["iOS"]"#, more: String = ""
  ) -> String {
    #"""
    {"assetPackID": "\#(identifier)", "downloadPolicy": \#(policy), "fileSelectors": \#(selectors),
    "platforms": \#(platforms)\#(more)}
    """#
  }

  @Test(arguments: valid) func `a written manifest reads as the same manifest`(_ text: String) throws {
    let manifest = try AssetPackManifest(bytes: Array(text.utf8))
    #expect(try AssetPackManifest(bytes: manifest.bytes) == manifest)
  }

  @Test(arguments: invalid) func `a manifest with a wrong or missing key is refused`(_ text: String) {
    #expect(throws: AssetPackManifestError.self) { try AssetPackManifest(bytes: Array(text.utf8)) }
  }

  @Test func `comments and trailing commas of Apple's template are accepted`() throws {
    let text = #"""
      {
        "assetPackID": "http://pack", // the ID, with "quotes"
        /* one
           policy */
        "downloadPolicy": { "onDemand": {} },
        "fileSelectors": [ { "directory": "a", }, ],
        "platforms": [ // Remove undesired elements.
          "iOS",
        ],
      }
      """#
    let manifest = try AssetPackManifest(bytes: Array(text.utf8))
    #expect(manifest.identifier == "http://pack" && manifest.selectors == [.directory("a")])
    for text in ["/", "//", "/*", "\"\\", "{,}", "[1,,]", "/* */"] {
      #expect(throws: AssetPackManifestError.self) { try AssetPackManifest(bytes: Array(text.utf8)) }
    }
  }

  @Test(.enabled(if: Schema.isUsable, "needs the jsonschema module of Python"))
  func `the schema agrees with the reader`() throws {
    let written = try Self.valid.map {
      try String(decoding: AssetPackManifest(bytes: Array($0.utf8)).bytes, as: UTF8.self)
    }
    #expect(
      try Schema.verdicts(Self.valid + written + Self.invalid)
        == Array(repeating: true, count: 2 * Self.valid.count)
        + Array(repeating: false, count: Self.invalid.count))
  }
}

/// The schema in `Documentation/schemas`, applied by the jsonschema module of Python.
private enum Schema {
  private static let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent(
      "Documentation/schemas/asset-pack-manifest.schema.json"
    ).path

  static let isUsable = (try? run("import jsonschema", [])) != nil

  /// Returns whether each document is valid.
  static func verdicts(_ documents: [String]) throws -> [Bool] {
    let program = """
      import json, sys, jsonschema
      schema = json.load(open(sys.argv[1]))
      jsonschema.Draft202012Validator.check_schema(schema)
      check = jsonschema.Draft202012Validator(schema)
      print("".join("1" if check.is_valid(json.loads(text)) else "0" for text in sys.argv[2:]))
      """
    return try run(program, [path] + documents).filter { "01".contains($0) }.map { $0 == "1" }
  }

  private static func run(_ program: String, _ arguments: [String]) throws -> String {
    struct Failed: Error {}
    let folder = try TemporaryFolder()
    let run = try Launch(["python3", "-c", program] + arguments, output: folder.place("output")).run()
    guard run.code == 0 else { throw Failed() }
    return run.output
  }
}
