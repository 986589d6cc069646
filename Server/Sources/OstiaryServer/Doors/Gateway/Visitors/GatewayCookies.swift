import HTTPTypes
import OstiaryCore

/// The gateway's cookies: the session's, one that binds a login page to its browser, for the styles without a hidden field one with
/// the requested address, and one that says that a form which was held back may be sent. The number of open pages does not change the
/// number of cookies.
struct GatewayCookies: Sendable {
  /// The most bytes of a cookie's name and value together (RFC 6265bis §5.6).
  static let mostBytes = 4096
  private static let purpose = "ostiary.gateway."

  let names: GatewayNames
  /// The cookies of the session and the browser.
  let page: PageCookies
  let target: String
  /// Says that the session may have a form that was held back. It proves nothing, only saves looking for one, and ends with the form's
  /// time.
  let held: String

  init(_ names: GatewayNames, isSecure: Bool) {
    self.names = names
    page = PageCookies(
      session: names.session, browser: "ostiary-login", purpose: Self.purpose, isSecure: isSecure, imitatesSession: true
    )
    target = (isSecure ? "__Host-" : "") + "ostiary-target"
    held = (isSecure ? "__Host-" : "") + "ostiary-held"
  }

  /// The id of the session that a proof proves: a proof of this door is valid at no other, and the other way round.
  static func sessionID(of proof: Secret) -> Secret { PageCookies.sessionID(of: proof, for: purpose) }

  /// The fields that set a session's cookies.
  func setting(_ proof: Secret) -> [String] {
    [page.setting(session: proof)]
      + names.companions.map { "\($0)=\(RandomBytes.make(96).base64URL)\(page.attributes)" }
  }

  /// Deletes the session's cookies.
  func deletingSession(in response: DoorResponse) -> DoorResponse {
    ([names.session] + names.companions).reduce(response) { $0.settingCookie(page.deletion(of: $1)) }
  }

  /// Stores the requested address, unless it is too long for a cookie: then it is dropped.
  func settingTarget(_ value: String) -> String {
    target.utf8.count + value.utf8.count <= Self.mostBytes - 1
      ? "\(target)=\(value)\(page.attributes)" : page.deletion(of: target)
  }

  var settingHeld: String { "\(held)=1; Max-Age=\(Int(HeldRequests.lifetime))\(page.attributes)" }

  func deletingTarget(in response: DoorResponse) -> DoorResponse { response.settingCookie(page.deletion(of: target)) }
}
