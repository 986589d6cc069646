import Crypto
import OstiaryCore

/// The two cookies of pages that people sign in at: the session's, and one that ties pages to the browser that they were
/// shown to. However many pages are open there are never more.
struct PageCookies: Sendable {
  /// How many values of one request are looked up.
  private static let candidates = 4

  let session: String
  let browser: String
  private let purpose: String
  private let attributes: String

  /// - Parameter purpose: what a session's proof is for: what proves it here proves nothing anywhere else.
  init(session: String, browser: String, purpose: String, isSecure: Bool) {
    let prefix = isSecure ? "__Host-" : ""
    self.session = prefix + session
    self.browser = prefix + browser
    self.purpose = purpose
    attributes = "; Path=/; HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "")
  }

  /// Those of the account pages.
  static func account(isSecure: Bool) -> PageCookies {
    PageCookies(
      session: "ostiary-account", browser: "ostiary-flow", purpose: "ostiary.account.page.", isSecure: isSecure)
  }

  /// Those of the Salesforce door.
  static func salesforce(isSecure: Bool) -> PageCookies {
    PageCookies(
      session: "ostiary-salesforce", browser: "ostiary-salesforce-browser", purpose: "ostiary.salesforce.",
      isSecure: isSecure)
  }

  /// What a request may prove a session with.
  func proofs(in request: DoorRequest) -> [Secret] {
    request.cookies(named: session).prefix(Self.candidates).filter { $0.utf8.count == 43 }.map { Secret($0) }
  }

  /// What a request says which browser it is from.
  func browsers(in request: DoorRequest) -> [String] {
    Array(request.cookies(named: browser).prefix(Self.candidates))
  }

  func setting(session proof: Secret) -> String { "\(session)=\(proof.reveal())\(attributes)" }
  func setting(browser value: String) -> String { "\(browser)=\(value)\(attributes)" }
  var deletingSession: String { "\(session)=; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT\(attributes)" }

  /// The id of the session that a cookie is the proof of.
  func sessionID(of proof: Secret) -> Secret { Self.sessionID(of: proof, for: purpose) }

  /// Names a session in a form. It follows from the proof and finds nothing at any door.
  func mark(of proof: Secret) -> String {
    String(SHA256.hash(data: Array(("ostiary.mark." + sessionID(of: proof).reveal()).utf8)).base64URL.utf8.prefix(22))
      ?? ""
  }

  /// The id of the session that something is the proof of, for one purpose.
  static func sessionID(of proof: Secret, for purpose: String) -> Secret {
    Secret(SHA256.hash(data: Array((purpose + proof.reveal()).utf8)).base64URL)
  }
}
