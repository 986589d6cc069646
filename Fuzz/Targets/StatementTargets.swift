import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryJOSE
import OstiaryOAuth
import OstiarySealing
import OstiaryTesting

extension FuzzTarget {
  /// What an issuer signs for a client: it ends sessions or begins one, and never both. The same bytes are the query of a front-channel logout,
  /// and a request in a cookie.
  static let issuerStatement = FuzzTarget(name: "issuer-statement") { bytes in
    let client = try StatementFuzzing.client()
    let text = String(decoding: bytes, as: UTF8.self)
    if let url = URL(string: "https://app.example/logout?" + text) {
      do {
        let logout = try client.frontChannelLogout(url)
        try require(logout.issuer == StatementFuzzing.issuer && logout.sessionID != nil, "a request names a session")
      } catch let error as OstiaryError {
        try require(error.code == .logoutRefused && !error.isTransient, "a request is refused for good")
      }
    }
    do {
      _ = try client.authorizationRequest(
        sealed: text, with: StatementFuzzing.seals, at: StatementFuzzing.now)
      throw PropertyBroken("nothing opens that was not sealed")
    } catch let error as OstiaryError {
      try require(error.code == .callbackRefused, "a cookie is refused as a callback is")
    }

    guard let claims = JSONValue(json: Data(bytes))?.object,
      let token = try? StatementFuzzing.key.get().sign(claims, type: nil)
    else { return }
    let network = ScriptedTransport(handler: { _ in .status(.notFound) })
    let context = AuthenticationContext(transport: network, clock: ManualClock(now: StatementFuzzing.now))
    var isLogout = false
    do {
      let logout = try await client.logoutToken(token, onceBy: UsedIDsInMemory(), in: context)
      isLogout = true
      try require(logout.issuer == StatementFuzzing.issuer, "the issuer is the client's")
      try require(logout.subject != nil || logout.sessionID != nil, "a logout is a user's or a session's")
      try require(claims["nonce"] == nil && claims["events"]?.object?.isEmpty == false, "a logout is one")
      try require(logout.expiresAt > StatementFuzzing.now - 61, "a logout is of now")
    } catch let error as OstiaryError {
      try require(error.code == .logoutRefused && error.disposition == .terminal, "a logout is refused for good")
    }
    do {
      let id = try await client.idToken(token, expecting: IDTokenExpectation(), in: context)
      try require(!isLogout, "what ends sessions begins none")
      try require(id.issuer == StatementFuzzing.issuer, "the issuer is the client's")
      try require(
        (1...255).contains(id.subject.utf8.count) && id.subject.utf8.allSatisfy { $0 < 0x80 }, "a user is one")
    } catch let error as OstiaryError {
      try require(error.code == .idTokenRefused && error.disposition == .terminal, "an ID token is refused for good")
    }
    try require(network.count == 0, "known keys cost no request")
  }
}

private enum StatementFuzzing {
  static let issuer = "https://as.example"
  static let now = Date(timeIntervalSince1970: 1_800_000_000)
  static let key = Result { try SigningKey.make(.es256, id: "k") }
  static let seals = SealingKeys(current: .random())

  static func client() throws -> OAuthClient {
    guard let token = URL(string: "https://as.example/token"), let page = URL(string: "https://as.example/authorize"),
      let jwk = try key.get().publicKey
    else { throw PropertyBroken("the client has endpoints and a key") }
    var client = try OAuthClient(
      id: "app", endpoints: OAuthEndpoints(token: token, authorization: page, issuer: issuer))
    client.idTokens = IDTokenPolicy(issuer: issuer, keys: KeySet([try VerificationKey(jwk)]), algorithms: [.es256])
    return client
  }
}
