import Crypto
import OstiaryCore

/// The cookies of the account pages: the session's, and one that ties a flow to the browser it was begun in. However many
/// pages are open there are never more.
struct AccountCookies: Sendable {
  /// How many values of one request are looked up.
  private static let candidates = 4

  let session: String
  let browser: String
  private let attributes: String

  init(isSecure: Bool) {
    let prefix = isSecure ? "__Host-" : ""
    session = prefix + "ostiary-account"
    browser = prefix + "ostiary-flow"
    attributes = "; Path=/; HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "")
  }

  func proofs(in request: DoorRequest) -> [Secret] {
    request.cookies(named: session).prefix(Self.candidates).filter { $0.utf8.count == 43 }.map { Secret($0) }
  }

  func browserSeals(in request: DoorRequest) -> [String] { Array(request.cookies(named: browser).prefix(4)) }

  func setting(_ proof: Secret) -> String { "\(session)=\(proof.reveal())\(attributes)" }
  func settingBrowser(_ value: String) -> String { "\(browser)=\(value)\(attributes)" }
  var deletingSession: String { "\(session)=; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT\(attributes)" }

  /// The id of the session that a cookie is the proof of: no proof at any other door, nor for the JSON interface.
  static func sessionID(of proof: Secret) -> Secret { derived("ostiary.account.page.", proof) }

  /// The id of the session that a token of the JSON interface is the proof of.
  static func sessionID(ofToken token: Secret) -> Secret { derived("ostiary.account.json.", token) }

  private static func derived(_ purpose: String, _ proof: Secret) -> Secret {
    Secret(SHA256.hash(data: Array((purpose + proof.reveal()).utf8)).base64URL)
  }
}
