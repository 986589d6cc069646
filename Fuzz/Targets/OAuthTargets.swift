import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiaryTesting

extension FuzzTarget {
  /// An authorization server's answer to everything that a client asks: one byte for the status and the media type, and the
  /// body.
  static let oauthAnswer = FuzzTarget(name: "oauth-answer") { bytes in
    guard let first = bytes.first, let server = URL(string: "https://as.example/") else { return }
    let statuses: [HTTPResponse.Status] = [.ok, .badRequest, .unauthorized, .found, .tooManyRequests, .badGateway]
    let types = ["application/json", FormEncoding.mediaType, "text/plain", "text/html"]
    let status = statuses[Int(first) % statuses.count]
    let type = types[Int(first) / statuses.count % types.count]
    let response = TransportResponse(
      HTTPResponse(status: status, headerFields: [.contentType: type]), body: Data(bytes.dropFirst()), url: server)
    let network = ScriptedTransport(handler: { _ in response })
    let context = AuthenticationContext(transport: network)
    let client = try OAuthClient(
      id: "fuzz", authentication: .secretPost("fuzzing-secret"),
      endpoints: OAuthEndpoints(
        token: server, authorization: server, deviceAuthorization: server, revocation: server, introspection: server,
        userInfo: server))
    let authenticator = try OAuthAuthenticator(server: server, client: client)

    try await answered(status) {
      let tokens = try await client.refresh("fuzzing-secret", in: context)
      let text = tokens.accessToken.reveal()
      try require(!text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "a field can carry a token")
      try require(tokens.refreshToken?.isEmpty != true, "an empty refresh token is none")
      let grant = tokens.grant(for: Session.User(id: "fuzz"))
      let session = Session(
        kind: .oauth, server: server, version: ProofVersion(), grant: grant, issuedAt: context.clock.now)
      try require(TokenSet(session)?.accessToken == tokens.accessToken, "a session keeps its token")
      try require(authenticator.attachment(for: session).fields.count == 1, "a token is attached")
    }
    try await answered(status) { _ = try await client.introspect("fuzzing-secret", in: context) }
    try await answered(status) { _ = try await client.userInfo(with: "fuzzing-secret", in: context) }
    try await answered(status) {
      let device = try await client.authorizeDevice(in: context)
      try require(Origin(device.verificationURI) != nil, "a page is one of the web")
      try require((.seconds(1)...(.seconds(300))).contains(device.interval), "asking takes its time")
      try require(device.expiresAt > context.clock.now, "codes end")
    }
    do { try await client.revoke("fuzzing-secret", kind: .refreshToken, in: context) } catch let error as OstiaryError {
      try require(!"\(error) \(error.underlying as Any)".contains("fuzzing-secret"), "an error holds no secret")
    }
    try require(network.count == 5, "each request is sent once, and nothing is followed")
  }

  private static func answered(_ status: HTTPResponse.Status, _ work: () async throws -> Void) async throws {
    do {
      try await work()
      try require(status == .ok, "only a success is one")
    } catch let error as OstiaryError {
      try require(!"\(error) \(error.underlying as Any)".contains("fuzzing-secret"), "an error holds no secret")
      if status.code >= 500 || status == .tooManyRequests || status == .found {
        try require(error.disposition != .terminal, "a server that fails has not refused")
      }
    }
  }

  /// An address that a browser was sent to. What it says after `?` and `#` is said to the right address as well.
  static let oauthCallback = FuzzTarget(name: "oauth-callback") { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    guard let server = URL(string: "https://as.example/authorize"),
      let home = URL(string: "http://127.0.0.1:7/callback")
    else { return }
    let client = try OAuthClient(
      id: "fuzz", endpoints: OAuthEndpoints(token: server, authorization: server, issuer: "https://as.example"))
    let verifier = String(repeating: "v", count: 43)
    let request = try AuthorizationRequest(
      client, redirectURI: home, state: "fuzzing-state", pkce: PKCE(verifier: Secret(verifier)))
    let rest = text.drop { $0 != "?" && $0 != "#" }
    for address in [text, home.absoluteString + rest] {
      guard let callback = URL(string: address) else { continue }
      let isAnswer = request.isAnswered(by: callback)
      do {
        let response = try request.check(callback)
        try require(isAnswer && callback.path() == home.path(), "only an answer is believed")
        try require(!response.code.isEmpty && response.parameters["error"] == nil, "an answer has a code and no error")
        try require(response.parameters["state"] == "fuzzing-state", "an answer has the state")
        try require(["https://as.example", nil].contains(response.parameters["iss"]), "an answer is the issuer's")
      } catch let error as OstiaryError {
        try require(error.code != .callbackRefused || !error.isTransient, "a callback is refused for good")
        let words = "\(error) \(error.underlying as Any)"
        try require(!words.contains("fuzzing-state") && !words.contains(verifier), "an error holds no secret")
      }
    }
  }

  /// What another program sends to the port on which a callback is waited for.
  static let callbackHead = FuzzTarget(name: "callback-head") { bytes in
    switch CallbackHead.read(bytes) {
    case .incomplete: try require(bytes.count < CallbackHead.maximumSize, "a head has an end")
    case .malformed: break
    case .head(let head):
      try require(head.target.hasPrefix("/"), "a target is a path")
      try require(head.target.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "a target is visible")
      try require(head.host?.utf8.contains(0x0A) != true, "a host is of one line")
      // What comes after the head changes nothing.
      try require(CallbackHead.read(bytes + Array("x\r\n\r\n".utf8)) == .head(head), "a head ends where it ends")
      _ = URL(string: "http://127.0.0.1:7\(head.target)")
    }
  }
}
