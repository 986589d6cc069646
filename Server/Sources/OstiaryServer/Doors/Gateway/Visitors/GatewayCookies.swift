import HTTPTypes
import OstiaryCore

/// The gateway's cookies: the session's, one that ties a login page to the browser that it was shown to, and, for the styles
/// that know no hidden field, one that remembers what was asked for. However many pages are opened there are never more.
struct GatewayCookies: Sendable {
  /// The most bytes of a cookie's name and value together (RFC 6265bis §5.6).
  static let mostBytes = 4096
  private static let purpose = "ostiary.gateway."

  let names: GatewayNames
  /// The session's and the browser's.
  let page: PageCookies
  let target: String

  init(_ names: GatewayNames, isSecure: Bool) {
    self.names = names
    page = PageCookies(
      session: names.session, browser: "ostiary-login", purpose: Self.purpose, isSecure: isSecure, imitatesSession: true
    )
    target = (isSecure ? "__Host-" : "") + "ostiary-target"
  }

  /// The id of the session that a proof is for: the proof of this door is none at another, and the other way round.
  static func sessionID(of proof: Secret) -> Secret { PageCookies.sessionID(of: proof, for: purpose) }

  /// The fields that hand out a session.
  func setting(_ proof: Secret) -> [String] {
    [page.setting(session: proof)]
      + names.companions.map { "\($0)=\(RandomBytes.make(96).base64URL)\(page.attributes)" }
  }

  /// Takes the session's cookies back.
  func deletingSession(in response: DoorResponse) -> DoorResponse {
    ([names.session] + names.companions).reduce(response) { $0.settingCookie(page.deletion(of: $1)) }
  }

  /// Remembers what was asked for, unless that is too long for a cookie: then it is forgotten.
  func settingTarget(_ value: String) -> String {
    target.utf8.count + value.utf8.count <= Self.mostBytes - 1
      ? "\(target)=\(value)\(page.attributes)" : page.deletion(of: target)
  }

  func deletingTarget(in response: DoorResponse) -> DoorResponse { response.settingCookie(page.deletion(of: target)) }
}
