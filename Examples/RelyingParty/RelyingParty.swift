import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import Ostiary
import OstiaryOAuth

/// A site whose users sign in at an OpenID provider. What one process has begun, any process with the same keys can finish.
struct RelyingParty: Sendable {
  /// How browsers reach the site: `https://shop.example`.
  let address: String
  /// Registered at the provider (`redirect_uris`).
  let callback: URL
  let client: OAuthClient
  let sessions: SiteSessions
  let keys: SealingKeys
  let context: AuthenticationContext
  // By this process. A token that comes to another one again ends what is over.
  let logoutTokens = UsedIDsInMemory()

  // begin relying-party
  /// Sends the browser to the provider. What finishes the sign-in is in a cookie of its own, sealed.
  func signIn() async throws -> Response {
    let client = try await client.located()
    let request = try await client.pushed(
      AuthorizationRequest(client, redirectURI: callback, scope: "openid profile"), in: context)
    let sealed = try client.sealed(request, with: keys, until: Date() + 600)
    return redirect(to: request.url, setting: Self.requestCookie(request.state.reveal()), sealed, for: 600)
  }

  /// Finishes a sign-in that this process or another one has begun in the same browser.
  func finish(_ request: Request) async throws -> Response {
    let name = Self.requestCookie(query(of: request)["state"] ?? "")
    guard let sealed = request.cookies[name]?.value, let url = URL(string: address + (request.head.path ?? "/")) else {
      return text(.badRequest, "No sign-in was begun in this browser.")
    }
    let client = try await client.located()
    let begun = try client.authorizationRequest(sealed: sealed, with: keys, at: Date())
    let tokens = try await client.tokens(for: begun.check(url), to: begun, in: context)
    // The ID token is verified here: its nonce is the one of the request in the cookie.
    let id = try await sessions.begin(with: tokens, in: context)
    if let earlier = sessionID(of: request) { try await sessions.end(earlier) }
    var response = redirect(to: address + "/", setting: Self.sessionCookie, id, for: nil)
    response.headers[values: .setCookie].append(cookie(name, "", for: 0))
    return response
  }
  // end relying-party

  /// Says who has signed in.
  func home(_ request: Request) async throws -> Response {
    guard let session = try await session(of: request) else { return text(.ok, "Not signed in. Go to /sign-in") }
    return text(.ok, "Signed in: \(session.user.id)")
  }

  /// The provider's server says that a user has logged out there (OpenID Connect Back-Channel Logout 1.0).
  func backChannelLogout(_ request: Request) async throws -> Response {
    let body = try await request.body.collect(upTo: 1 << 16)
    let form = FormEncoding.parse(String(buffer: body))
    guard let token = form.first(where: { $0.name == "logout_token" })?.value else {
      return text(.badRequest, "There is no logout token.")
    }
    try await client.located().logOut(by: Secret(token), onceBy: logoutTokens, in: context) { logout in
      try await sessions.endAll { logout.ends($0) }
    }
    return text(.ok, "")
  }

  /// The provider's page has this address in a frame (OpenID Connect Front-Channel Logout 1.0). It ends the session of this browser alone.
  func frontChannelLogout(_ request: Request) async throws -> Response {
    guard let url = URL(string: address + (request.head.path ?? "/")) else { return text(.badRequest, "No address.") }
    let logout = try await client.located().frontChannelLogout(url)
    if let id = sessionID(of: request), let session = try await session(of: request), logout.ends(session) {
      try await sessions.end(id)
    }
    return text(.ok, "")
  }

  /// Ends the session here, and then lets the provider end its own sign-in on its page (OpenID Connect RP-Initiated Logout 1.0).
  func signOut(_ request: Request) async throws -> Response {
    // Pages of other sites can send a form here, too.
    guard request.headers[.origin] == address else { return text(.forbidden, "The form is another site's.") }
    let session = try await session(of: request)
    if let id = sessionID(of: request) { try await sessions.end(id) }
    let client = try await client.located()
    guard let session, client.endpoints.endSession != nil else { return text(.ok, "Signed out.") }
    let logout = try LogoutRequest(
      client, idToken: session.proof.tokens[OAuthAuthenticator.idToken], returnURI: URL(string: address + "/"))
    return redirect(to: logout.url, setting: Self.sessionCookie, "", for: 0)
  }
}

extension RelyingParty {
  private static let sessionCookie = "session"

  /// A name of its own for each sign-in, so that those of two windows don't meet.
  private static func requestCookie(_ state: String) -> String {
    let start = String(state.prefix(8))
    return "sign-in-" + start.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
  }

  private func sessionID(of request: Request) -> String? { request.cookies[Self.sessionCookie]?.value }

  private func session(of request: Request) async throws -> Session? {
    guard let id = sessionID(of: request) else { return nil }
    return try await sessions.session(id)
  }

  private func query(of request: Request) -> [String: String] {
    let query = (request.head.path ?? "").drop { $0 != "?" }.dropFirst()
    return Dictionary(FormEncoding.parse(String(query)).map { ($0.name, $0.value) }) { first, _ in first }
  }

  // MARK: Answers

  private func redirect(to url: URL, setting name: String, _ value: String, for seconds: Int?) -> Response {
    redirect(to: url.absoluteString, setting: name, value, for: seconds)
  }

  private func redirect(to location: String, setting name: String, _ value: String, for seconds: Int?) -> Response {
    Response(
      status: .seeOther,
      headers: [.location: location, .cacheControl: "no-store", .setCookie: cookie(name, value, for: seconds)])
  }

  /// A session's cookie goes with a frame of the provider's page only where it is `SameSite=None`; that of a request goes with the redirect.
  private func cookie(_ name: String, _ value: String, for seconds: Int?) -> String {
    let isEncrypted = address.hasPrefix("https:")
    let sameSite = isEncrypted && name == Self.sessionCookie ? "None" : "Lax"
    var text = "\(name)=\(value); Path=/; HttpOnly; SameSite=\(sameSite)"
    if isEncrypted { text += "; Secure" }
    if let seconds { text += "; Max-Age=\(seconds)" }
    return text
  }

  private func text(_ status: HTTPResponse.Status, _ words: String) -> Response {
    Response(
      status: status, headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: words)))
  }

  /// What a page or the provider is told of an error: it never has a secret.
  func answer(_ work: () async throws -> Response) async throws -> Response {
    do {
      return try await work()
    } catch let error as OstiaryError {
      return text(error.isTransient ? .serviceUnavailable : .badRequest, error.message)
    }
  }
}
