import Crypto
import Foundation
import PackageForge
import TestSupport
import Testing

/// A stand-in for the part of App Store Connect that hosts asset packs, on loopback, with a folder of packs.
final class PackService {
  static let key = P256.Signing.PrivateKey()

  let work: Workspace
  private let program: WatchedProgram
  private let port: String

  init(options: [String] = []) throws {
    work = try Workspace()
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../Scripts/app-store-stand-in").path
    program = try work.start([Python.path, "-S", script, work.place("service")] + options)
    try program.waitForOutput { $0.hasSuffix("\n") }
    port = try program.output().trimmingCharacters(in: .newlines)
    try work.write(Self.key.pemRepresentation, to: "AuthKey.p8", permissions: 0o600)
  }

  deinit {
    program.running.send(SIGTERM)
    _ = program.running.wait()
  }

  /// Writes a pack whose only file and whose archive have the text `archive`.
  func write(_ name: String, _ archive: String, platform: String = "iOS", more: String = "") throws {
    try work.write(archive, to: "Packs/\(name)/\(name)/a.txt")
    try work.write(
      #"""
      {"assetPackID": "\#(name)", "downloadPolicy": {"onDemand": {}},
      "fileSelectors": [{"directory": "\#(name)"}], "platforms": ["\#(platform)"]\#(more)}
      """#, to: "Packs/\(name)/Manifest.json")
    try work.write(archive, to: "Packs/\(name).aar")
  }

  /// Returns the arguments of an upload, followed by `more`.
  func words(_ more: [String]) -> [String] {
    [
      "upload", "Packs", "--app", "123", "--key-id", "KEY", "--issuer-id", "team", "--key-file", "AuthKey.p8",
      "--api-url", "http://127.0.0.1:\(port)",
    ] + more
  }

  @discardableResult
  func upload(_ more: String...) throws -> Outcome {
    try work.iapkg(words(more), environment: ["no_proxy": "127.0.0.1"])
  }

  /// The parts of the text of the key that must never be visible.
  static var secrets: [String] {
    key.pemRepresentation.split(separator: "\n").filter { !$0.hasPrefix("-") }.map(String.init)
  }

  /// Starts an upload without waiting for it.
  func start() throws -> WatchedProgram {
    try work.start([BuiltProgram.path] + words([]), environment: ["no_proxy": "127.0.0.1"])
  }

  /// Replaces the faults.
  func fail(_ faults: String...) throws {
    try work.write("[\(faults.joined(separator: ","))]", to: "service.faults")
  }

  /// Waits until a fault holds a request.
  func waitUntilHeld() throws {
    for _ in 0..<Self.maximumPollCount {
      if try log().contains(where: { $0.hasSuffix(" held") }) { return }
      usleep(Self.pause)
    }
    Issue.record("no request is held")
  }

  private static let maximumPollCount = 1_500
  /// The interval of the checks, in microseconds.
  private static let pause: UInt32 = 20_000

  func log() throws -> [String] {
    try work.text("service.log").split(separator: "\n").map(String.init)
  }

  /// Returns the resources of a type.
  func resources(_ type: String) throws -> [JSON] {
    guard work.exists("service/state.json"),
      case .object(let found) = try JSON(parsing: work.text("service/state.json"))[type]
    else { return [] }
    return Array(found.values)
  }

  /// Returns the number of versions of a pack.
  func versionCount(_ pack: String) throws -> Int {
    let packs = try resources("backgroundAssets").filter { $0["identifier"]?.text == pack }
    let ids = Set(packs.compactMap { $0["id"]?.text })
    return try resources("backgroundAssetVersions").filter { ids.contains($0["pack"]?.text ?? "") }.count
  }

  /// Checks that the service has one version of each pack, with the bytes of the archive in the folder.
  func holds(_ packs: String...) throws {
    for pack in packs {
      #expect(try versionCount(pack) == 1)
      let archive = try work.bytes("Packs/\(pack).aar")
      let found = try work.names(in: "service").filter { $0.hasSuffix(".aar") }
        .contains { try work.bytes("service/\($0)") == archive }
      #expect(found, "the service has the archive of \(pack)")
    }
  }
}
