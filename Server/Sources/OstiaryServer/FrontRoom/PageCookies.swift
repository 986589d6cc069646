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
  /// What follows the value of each cookie of the place.
  let attributes: String

  /// - Parameters:
  ///   - purpose: what a session's proof is for: what proves it here proves nothing anywhere else.
  ///   - imitatesSession: whether the session's name is a vendor's, which is written as it is.
  init(session: String, browser: String, purpose: String, isSecure: Bool, imitatesSession: Bool = false) {
    let prefix = isSecure ? "__Host-" : ""
    self.session = (imitatesSession ? "" : prefix) + session
    self.browser = prefix + browser
    self.purpose = purpose
    attributes = "; Path=/; HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "")
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
  var deletingSession: String { deletion(of: session) }

  /// Takes a cookie back.
  func deletion(of name: String) -> String { "\(name)=; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT\(attributes)" }

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

/// What ties pages to the browser that they were shown to: a number of its own, which a page's token names.
struct PageBrowser: Sendable {
  let id: String
  /// The cookie that hands it out, where the browser has none yet.
  let cookie: String?

  func introduced(in response: DoorResponse) -> DoorResponse {
    cookie.map { response.settingCookie($0) } ?? response
  }
}
