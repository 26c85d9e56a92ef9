import Foundation
import TestSupport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The result of a request with curl.
struct HTTPReply {
  let status: Int
  /// The header fields, with names in lower case.
  let fields: [String: String]
  let body: [UInt8]
  /// The exit code of curl: 0, or 18 for a truncated body.
  let code: Int32

  var text: String { String(decoding: body, as: UTF8.self) }

  /// Sends a request with curl.
  static func curl(_ arguments: String...) async throws -> HTTPReply { try await curl(arguments) }

  static func curl(_ arguments: [String]) async throws -> HTTPReply {
    let folder = try TemporaryFolder()
    let program = try StartedProgram(
      Launch(
        [
          "/usr/bin/curl", "-sS", "--path-as-is", "--max-time", "60", "-D", folder.place("head"), "-o",
          folder.place("body"),
        ] + arguments))
    await program.wait()
    let head = (try? String(contentsOfFile: folder.place("head"), encoding: .utf8)) ?? ""
    let blocks = head.components(separatedBy: "\r\n\r\n").filter { !$0.isEmpty }
    let lines = (blocks.last ?? "").components(separatedBy: "\r\n")
    var fields: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      fields[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(
        in: .whitespaces)
    }
    return HTTPReply(
      status: lines.first.flatMap { $0.split(separator: " ").dropFirst().first }.flatMap { Int($0) } ?? 0,
      fields: fields, body: (try? folder.bytes("body")) ?? [], code: program.end())
  }
}
