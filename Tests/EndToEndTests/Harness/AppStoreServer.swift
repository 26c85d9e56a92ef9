import Crypto
import Foundation
import PackageForge
import Synchronization

/// A stand-in for the App Store Connect API and the file host, for one test.
final class AppStoreServer: Sendable {
  /// An in-app purchase and its hosted content.
  struct Purchase: Sendable {
    var id = "1"
    var product: String
    /// The bytes of the file; nil for no file.
    var bytes: [UInt8]?
    var fileName = "content.pkg"
    /// The reported size; nil for the actual one.
    var reportedSize: Int?
    var date = "2014-05-06T07:08:09.000+00:00"
    var tag = "\"a\""
  }

  typealias Request = ScriptedServer.Request
  typealias Reply = ScriptedServer.Reply
  /// Returns a response that replaces the normal one; nil for the normal one. The number counts the requests from 1.
  typealias Fault = @Sendable (_ request: Request, _ number: Int) -> Reply?

  static let key = P256.Signing.PrivateKey()
  static let issuer = "57246542-96fe-1a63-e053-0824d011072a"
  static let keyID = "2X9R4HXF34"

  let api: ScriptedServer
  let files: ScriptedServer

  /// Serves an app with these purchases, `pageSize` of them on a page. The faults replace the normal responses of the
  /// API and the file host.
  init(
    _ purchases: [Purchase], pageSize: Int = 200, apiFault: @escaping Fault = { _, _ in nil },
    fileFault: @escaping Fault = { _, _ in nil }
  ) throws {
    let files = try ScriptedServer { request, number in
      fileFault(request, number) ?? Self.file(request, purchases)
    }
    self.files = files
    let address = files.address
    api = try ScriptedServer { request, number in
      if let reply = apiFault(request, number) { return reply }
      guard Self.isAuthorized(request) else { return Self.refusal }
      return Self.document(request, number, purchases, pageSize, files: address)
    }
  }

  static let refusal = ScriptedServer.answer(
    401, [], #"{"errors":[{"status":"401","title":"NOT_AUTHORIZED","detail":"Provide a proper token."}]}"#)

  /// Returns whether a request has a token that is valid by Apple's documentation and not expired.
  static func isAuthorized(_ request: Request) -> Bool {
    guard let words = request.headers["authorization"]?.split(separator: " "), words.count == 2 else {
      return false
    }
    let parts = words[1].split(separator: ".")
    guard words[0] == "Bearer", parts.count == 3, let header = object(parts[0]),
      let payload = object(parts[1]),
      let raw = data(parts[2]), let signature = try? P256.Signing.ECDSASignature(rawRepresentation: raw),
      let issued = payload["iat"] as? Int, let expires = payload["exp"] as? Int
    else { return false }
    let now = Int(Date().timeIntervalSince1970)
    return key.publicKey.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8))
      && header["kid"] as? String == keyID && header["alg"] as? String == "ES256"
      && payload["iss"] as? String == issuer && payload["aud"] as? String == "appstoreconnect-v1"
      && issued <= now && now < expires && expires - issued <= 1200
  }

  private static func data(_ part: Substring) -> Data? {
    let text = part.replacing("-", with: "+").replacing("_", with: "/")
    return Data(base64Encoded: text + String(repeating: "=", count: (4 - text.count % 4) % 4))
  }

  private static func object(_ part: Substring) -> [String: Any]? {
    data(part).flatMap { try? JSONSerialization.jsonObject(with: $0) as? [String: Any] }
  }

  static func json(_ value: Any) -> String {
    String(decoding: (try? JSONSerialization.data(withJSONObject: value)) ?? Data(), as: UTF8.self)
  }

  private static func document(
    _ request: Request, _ number: Int, _ purchases: [Purchase], _ pageSize: Int, files: String
  ) -> Reply {
    let path = request.path.split(separator: "?").first ?? ""
    if path == "/v1/apps/123/inAppPurchasesV2" {
      let start = Int(request.path.split(separator: "cursor=").dropFirst().first ?? "0") ?? 0
      let page = purchases.dropFirst(start).prefix(pageSize)
      var links = ["self": request.path]
      if start + pageSize < purchases.count {
        links["next"] = "http://\(request.headers["host"] ?? "")\(path)?cursor=\(start + pageSize)"
      }
      let data: [[String: Any]] = page.map {
        [
          "type": "inAppPurchases", "id": $0.id,
          "attributes": ["productId": $0.product, "name": "A \u{1B}[31m"],
        ]
      }
      return ScriptedServer.answer(200, [], json(["data": data, "links": links]))
    }
    let parts = path.split(separator: "/")
    guard parts.count == 4, parts.starts(with: ["v2", "inAppPurchases"]), parts[3] == "content",
      let purchase = purchases.first(where: { $0.id == parts[2] }), let bytes = purchase.bytes
    else { return ScriptedServer.answer(404, [], #"{"errors":[{"status":"404","title":"NOT_FOUND"}]}"#) }
    let attributes: [String: Any] = [
      "fileName": purchase.fileName, "fileSize": purchase.reportedSize ?? bytes.count,
      "lastModifiedDate": purchase.date, "url": "\(files)/files/\(purchase.id)?signature=s3cret-\(number)",
    ]
    return ScriptedServer.answer(
      200, ["X-Rate-Limit: user-hour-lim:3600;user-hour-rem:3500;"],
      json(["data": ["type": "inAppPurchaseContents", "id": "c", "attributes": attributes]]))
  }

  /// Returns a file, or the requested range of it.
  static func file(_ request: Request, _ purchases: [Purchase]) -> Reply {
    let name = request.path.split(separator: "?").first?.split(separator: "/").last ?? ""
    guard let purchase = purchases.first(where: { $0.id == name }), let bytes = purchase.bytes else {
      return ScriptedServer.answer(404, [], "")
    }
    let tag = "ETag: \(purchase.tag)"
    guard let range = request.headers["range"]?.dropFirst("bytes=".count).split(separator: "-"),
      let first = Int(range[0]), let last = Int(range[1])
    else { return ScriptedServer.answer(200, [tag], bytes) }
    return ScriptedServer.answer(
      206, [tag, "Content-Range: bytes \(first)-\(last)/\(bytes.count)"], Array(bytes[first...last]))
  }

  /// Returns the arguments of an import from this server, followed by `more`.
  func arguments(_ more: String...) -> [String] {
    [
      "import", "--from-app-store-connect", "--app", "123", "--key-id", Self.keyID, "--issuer-id",
      Self.issuer,
      "--key-file", "AuthKey.p8", "--api-url", api.address, "--folder", "got",
    ] + more
  }

  /// The content of the key file, in PEM.
  static var keyFile: String { key.pemRepresentation }

  /// The secrets that must never be visible: the key, its tokens and the signature of an address.
  var secrets: [String] {
    var secrets = Self.keyFile.split(separator: "\n").filter { !$0.hasPrefix("-") }.map(String.init)
    for request in api.received {
      let token = request.headers["authorization"]?.split(separator: " ").last ?? ""
      secrets += token.split(separator: ".").map(String.init)
    }
    return secrets + ["s3cret"]
  }
}
