import Crypto
import Foundation
import OstiaryCore

/// The door's two cookies: the session of somebody who has signed in with their browser, and a number that ties pages to the
/// browser that they were shown to.
struct SalesforceCookies: Sendable {
  private let session: String
  private let browser: String
  private let attributes: String
  /// How many values of one request are looked up.
  private static let candidates = 4

  init(isSecure: Bool) {
    let prefix = isSecure ? "__Host-" : ""
    session = prefix + "ostiary-salesforce"
    browser = prefix + "ostiary-salesforce-browser"
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

  /// The id of the session that a proof is for: what proves it here proves nothing at another door.
  static func sessionID(of proof: Secret) -> Secret {
    Secret(SHA256.hash(data: Array(("ostiary.salesforce." + proof.reveal()).utf8)).base64URL)
  }

  func setting(session proof: Secret) -> String { "\(session)=\(proof.reveal())\(attributes)" }
  func setting(browser value: String) -> String { "\(browser)=\(value)\(attributes)" }
}
