import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting

/// The routes of a MobileFirst server (version 8) and its security checks, as far as a client without the token service meets them.
final class ChecksServer: Sendable {
  private let attempts = Locked(3)
  let server: LoopbackServer

  init() throws {
    let attempts = attempts
    server = try LoopbackServer { request in
      let json = ("Content-Type", "application/json")
      let clock = #""clockSynchronization":{"serverTimeStamp":1781893779567}"#
      switch request.path {
      case "/mfp/api/registration/v1/self":
        return [.response(403, [json], body: #"{"errorCode":"APPLICATION_DOES_NOT_EXIST","errorMsg":"no"}"#)]
      case "/mfp/api/preauth/v1/preauthorize":
        let left = attempts.withLock { attempts in
          attempts -= 1
          return attempts
        }
        guard left > 0 else {
          return [.response(403, [json], body: #"{"failures":{"pin":{"failure":"Account blocked"}}}"#)]
        }
        return [
          .response(
            401, [json, ("Www-Authenticate", "MFP-Challenge")],
            body: #"{"challenges":{"pin":{"errorMsg":null,"remainingAttempts":\#(left)}},"successes":{"#
              + #""device":{"user":{"id":"d","displayName":"Device"}},\#(clock)}}"#)
        ]
      case "/mfp/api/az/v1/token": return [.response(400, [json], body: #"{"errorCode":"INVALID_CLIENT_ID"}"#)]
      case "/mfp/api/preauth/v1/logout", "/mfp/api/preauth/v1/heartbeat": return [.response(200, [json], body: "{}")]
      case "/mfp/api/adapters/none": return [.response(401, [("WWW-Authenticate", "Bearer")])]
      case "/mfp/api/adapters/old":
        return [.response(401, [("WWW-Authenticate", #"Bearer error="invalid_token""#)])]
      case "/mfp/api/adapters/scope":
        return [
          .response(403, [("WWW-Authenticate", #"Bearer error="insufficient_scope", scope="RegisteredClient scopeA""#)])
        ]
      case "/mfp/api/adapters/conflict": return [.response(409, [("MFP-Conflict", "1")])]
      default: return [.response(404)]
      }
    }
  }
}
