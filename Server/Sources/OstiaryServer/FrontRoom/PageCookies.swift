import Crypto
import HTTPTypes
import OstiaryCore

/// The two cookies of the pages at which people sign in: the session's, and one that binds pages to the browser. The
/// number of open pages does not change the number of cookies.
struct PageCookies: Sendable {
  /// The most values of one request that are looked up.
  private static let candidates = 4

  let session: String
  let browser: String
  private let purpose: String
  /// The attributes after the value of each cookie of the place.
  let attributes: String

  /// - Parameters:
  ///   - purpose: the purpose of a session's proof: the proof is valid at this place only.
  ///   - imitatesSession: whether the session cookie has a vendor's name, which is written unchanged.
  init(session: String, browser: String, purpose: String, isSecure: Bool, imitatesSession: Bool = false) {
    let prefix = isSecure ? "__Host-" : ""
    self.session = (imitatesSession ? "" : prefix) + session
    self.browser = prefix + browser
    self.purpose = purpose
    attributes = "; Path=/; HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "")
  }

  /// The values of a request that may be a session's proof.
  func proofs(in request: DoorRequest) -> [Secret] {
    request.cookies(named: session).prefix(Self.candidates).filter { $0.utf8.count == 43 }.map { Secret($0) }
  }

  /// The values of a request that may be a browser's number.
  func browsers(in request: DoorRequest) -> [String] {
    Array(request.cookies(named: browser).prefix(Self.candidates))
  }

  func setting(session proof: Secret) -> String { "\(session)=\(proof.reveal())\(attributes)" }
  func setting(browser value: String) -> String { "\(browser)=\(value)\(attributes)" }
  var deletingSession: String { deletion(of: session) }

  /// The line of `Set-Cookie` that deletes a cookie.
  func deletion(of name: String) -> String { "\(name)=; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT\(attributes)" }

  /// The id of the session that a cookie's value proves.
  func sessionID(of proof: Secret) -> Secret { Self.sessionID(of: proof, for: purpose) }

  /// The session's name in a form. It is derived from the proof, and finds no session at any door.
  func mark(of proof: Secret) -> String {
    String(SHA256.hash(data: Array(("ostiary.mark." + sessionID(of: proof).reveal()).utf8)).base64URL.utf8.prefix(22))
      ?? ""
  }

  /// The id of the session that a value proves, for one purpose.
  static func sessionID(of proof: Secret, for purpose: String) -> Secret {
    Secret(SHA256.hash(data: Array((purpose + proof.reveal()).utf8)).base64URL)
  }
}

/// Binds pages to the browser that they were shown to: a number of its own, which a page's token contains.
struct PageBrowser: Sendable {
  let id: String
  /// The cookie that sets the number, if the browser has none yet.
  let cookie: String?

  /// The response with the browser's number. One that the response gives the browser already stands: of two cookies of a name the
  /// last would count.
  func introduced(in response: DoorResponse) -> DoorResponse {
    guard let cookie else { return response }
    let name = String(cookie.bytePrefix(before: "=")) + "="
    guard !response.headers[values: .setCookie].contains(where: { $0.hasBytePrefix(name) }) else { return response }
    return response.settingCookie(cookie)
  }
}
