import Foundation
import PackageForge
import Synchronization

/// A stand-in for the API of a server, which issues numbered tokens and can forget them.
final class StandInService: Sendable {
  /// The number of issued tokens.
  let tokens = Mutex(0)
  /// False once the server has forgotten the tokens that it has issued.
  let isKnown = Mutex(true)

  func reply(_ request: ScriptedServer.Request, status: String = "accepted") -> ScriptedServer.Reply? {
    let expiry = Date.now.addingTimeInterval(86_400).formatted(.iso8601)
    switch request.path {
    case "/v1/transactions":
      let number = tokens.withLock { number in
        number += 1
        return number
      }
      isKnown.withLock { $0 = true }
      let reason = status == "rejected" ? #","reason":"environment""# : ""
      return ScriptedServer.answer(
        200, [],
        #"{"results":[{"status":"\#(status)","productId":"com.example.book"\#(reason)}],"#
          + #""entitlements":["com.example.book"],"balances":{"coins":5},"#
          + #""token":"token-\#(number)","tokenExpires":"\#(expiry)"}"#)
    case "/v1/products":
      return ScriptedServer.answer(200, [], #"{"products":[{"productId":"com.example.book"}]}"#)
    case "/v1/entitlements":
      guard isKnown.withLock(\.self) else { return ScriptedServer.answer(401, [], Self.problem(401)) }
      return ScriptedServer.answer(
        200, [], #"{"entitlements":["com.example.book"],"balances":{"coins":5}}"#)
    default: return nil
    }
  }

  static func problem(_ status: Int) -> String { #"{"type":"urn:x","title":"No","status":\#(status)}"# }
}
