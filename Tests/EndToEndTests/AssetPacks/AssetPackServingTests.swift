import Foundation
import PackageForge
import TestSupport
import Testing

/// `Examples/nginx/packs.conf`, which serves asset packs.
@Suite(.waiting) struct AssetPackServingTests {
  @Test(.enabled(if: Machine.has("nginx") && Machine.has("curl")))
  func `nginx serves packs with the types and headers that devices and caches need`() throws {
    let work = try Workspace()
    let name = "ios/packs/book/1-0123456789abcdef.aar"
    try work.write("pbze archive", to: "packs/\(name)")
    try work.write(#"{"assetPacks": []}"#, to: "packs/ios/manifest.json")
    let examples = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent(
        "Examples/nginx/packs.conf")
    let server = try String(contentsOf: examples, encoding: .utf8)
      .replacing("listen 8080;", with: "listen unix:\(work.place("socket"));")
      .replacing("root /srv/packs;", with: "root \(work.place("packs"));")
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map { "\($0)_temp_path \(work.place("temporary"));" }.joined(separator: "\n")
    try work.write(
      """
      daemon off;
      master_process off;
      pid \(work.place("pid"));
      error_log stderr;
      events {}
      http {
        access_log off;
        \(temporary)
        \(server)
      }
      """, to: "nginx.conf")
    let program = try work.start(["nginx", "-p", work.place(""), "-c", work.place("nginx.conf")])
    defer {
      program.running.send(SIGKILL)
      _ = program.running.wait()
    }
    try Waiting.until { work.exists("socket") }
    func answer(_ path: String, _ options: String...) throws -> String {
      try work.run(
        ["curl", "-sS", "--retry", "3", "--retry-all-errors", "-o", "body", "-D", "-"] + options
          + ["--unix-socket", work.place("socket"), "http://packs/\(path)"]
      ).exits(0).output.lowercased()
    }
    let manifest = try answer("ios/manifest.json?platform=ios")
    #expect(
      manifest.contains("content-type: application/json\r\n") && manifest.contains("cache-control: no-cache"))
    let archive = try answer(name, "-H", "Accept-Encoding: gzip")
    #expect(
      archive.contains("content-type: application/octet-stream\r\n")
        && archive.contains("content-length: 12\r\n"))
    #expect(archive.contains("accept-ranges: bytes") && archive.contains("immutable"))
    #expect(try answer(name, "-r", "0-3").contains(" 206 "))
    #expect(try work.text("body") == "pbze")
    #expect(try answer("ios/packs/.lock").contains(" 404 "))
  }
}
