import Crypto
import Foundation
import HTTPTypes
import OstiaryCore

/// The gateway's cookies: the session's, one that ties a login page to the browser that it was shown to, and, for the styles
/// that know no hidden field, one that remembers what was asked for. However many pages are opened there are never more.
struct GatewayCookies: Sendable {
  /// The most bytes of a cookie's name and value together (RFC 6265bis §5.6).
  static let mostBytes = 4096
  /// How many values of one request are looked up.
  private static let candidates = 4

  let names: GatewayNames
  let browser: String
  let target: String
  private let attributes: String

  init(_ names: GatewayNames, isSecure: Bool) {
    self.names = names
    let prefix = isSecure ? "__Host-" : ""
    browser = prefix + "ostiary-login"
    target = prefix + "ostiary-target"
    attributes = "; Path=/; HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "")
  }

  /// What a request proves its session with. Sessions are found by what follows from it, so that the proof of this door is
  /// none at another, and the other way round.
  func proofs(in request: DoorRequest) -> [Secret] {
    request.cookies(named: names.session).prefix(Self.candidates).filter { $0.utf8.count == 43 }.map { Secret($0) }
  }

  /// The id of the session that a proof is for.
  static func sessionID(of proof: Secret) -> Secret {
    Secret(SHA256.hash(data: Array(("ostiary.gateway." + proof.reveal()).utf8)).base64URL)
  }

  /// A field that hands out a session.
  func setting(_ proof: Secret) -> [String] {
    ["\(names.session)=\(proof.reveal())\(attributes)"]
      + names.companions.map { "\($0)=\(RandomBytes.make(96).base64URL)\(attributes)" }
  }

  /// Takes the session's cookies back.
  func deletingSession(in response: DoorResponse) -> DoorResponse {
    ([names.session] + names.companions).reduce(response) { $0.settingCookie(deletion(of: $1)) }
  }

  func settingBrowser(_ value: String) -> String { "\(browser)=\(value)\(attributes)" }

  /// Remembers what was asked for, unless that is too long for a cookie: then it is forgotten.
  func settingTarget(_ value: String) -> String {
    target.utf8.count + value.utf8.count <= Self.mostBytes - 1
      ? "\(target)=\(value)\(attributes)" : deletion(of: target)
  }

  func deletingTarget(in response: DoorResponse) -> DoorResponse { response.settingCookie(deletion(of: target)) }

  private func deletion(of name: String) -> String {
    "\(name)=; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT\(attributes)"
  }
}
