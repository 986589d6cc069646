import Foundation
import OstiaryCore
import OstiaryOAuth
import OstiaryTesting
import Testing

@Suite("Authorization requests and callbacks", .timeLimit(.minutes(20)))
struct AuthorizationTests {
  private func request(
    _ parameters: OAuthParameters = [:], redirectURI: URL = OAuthStub.redirectURI
  ) throws -> AuthorizationRequest {
    try AuthorizationRequest(
      OAuthStub().client(), redirectURI: redirectURI, scope: "a b", parameters: parameters)
  }

  private func code(_ work: () throws -> some Sendable) -> OstiaryError? {
    do {
      _ = try work()
      return nil
    } catch { return error as? OstiaryError }
  }

  @Test("OAuth-O1: the challenge of RFC 7636 Appendix B")
  func vector() throws {
    let pkce = try PKCE(verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
    #expect(pkce.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
  }

  @Test("OAuth-O1: verifiers are made anew, and those that the RFC doesn't allow are refused")
  func verifiers() throws {
    let made = (0..<100).map { _ in PKCE().verifier.reveal() }
    #expect(Set(made).count == 100)
    #expect(made.allSatisfy { $0.count == 43 })
    _ = try PKCE(verifier: Secret(String(repeating: "~", count: 128)))
    for text in [
      String(repeating: "a", count: 42), String(repeating: "a", count: 129),
      String(repeating: "a", count: 42) + "+", String(repeating: "é", count: 43),
    ] {
      #expect(throws: OstiaryError.self) { try PKCE(verifier: Secret(text)) }
    }
  }

  @Test("A request carries what RFC 6749 §4.1.1 and RFC 7636 §4.3 want, and the extras")
  func parameters() throws {
    let request = try request(["prompt": "login", "resource": "https://api.test/a b"])
    let query = request.url.query(percentEncoded: true) ?? ""
    let form = Dictionary(FormEncoding.parse(query).map { ($0.name, $0.value) }) { first, _ in first }
    #expect(form["response_type"] == "code")
    #expect(form["client_id"] == "app")
    #expect(form["redirect_uri"] == "https://app.test/callback")
    #expect(form["scope"] == "a b")
    #expect(form["state"] == request.state.reveal())
    #expect(form["code_challenge"] == request.pkce.challenge)
    #expect(form["code_challenge_method"] == "S256")
    #expect(form["resource"] == "https://api.test/a b")
    #expect(!query.contains("+"))
    #expect(try self.request().state != request.state)
    #expect(throws: OstiaryError.self) { try self.request(["state": "mine"]) }
    #expect(throws: OstiaryError.self) { try self.request(["code_challenge_method": "plain"]) }
  }

  @Test("The endpoint's own query stays (RFC 6749 §3.1)")
  func ownQuery() throws {
    let endpoint = try #require(URL(string: "https://as.test/authorize?tenant=1"))
    let client = try OAuthClient(
      id: "app", endpoints: OAuthEndpoints(token: OAuthStub.url("/token"), authorization: endpoint))
    let url = try AuthorizationRequest(client, redirectURI: OAuthStub.redirectURI).url.absoluteString
    #expect(url.hasPrefix("https://as.test/authorize?tenant=1&response_type=code&"))
  }

  @Test("OAuth-O3: a callback without the request's state is refused, whatever else it says")
  func state() throws {
    let request = try request()
    for parameters: OAuthParameters in [
      ["code": "c"], ["code": "c", "state": ""], ["code": "c", "state": "x"], ["error": "access_denied"],
      ["error": "access_denied", "state": String(request.state.reveal().dropLast())],
      ["code": "c", "state": request.state.reveal() + "a"],
    ] {
      let callback = try request.bareCallback(parameters)
      #expect(code { try request.check(callback) }?.code == .callbackRefused)
      #expect(!request.isAnswered(by: callback))
    }
    let other = try self.request()
    #expect(code { try other.check(try request.callback(["code": "c"])) }?.code == .callbackRefused)
  }

  @Test("OAuth-O17: the query and the fragment are both read", arguments: ["?", "#"])
  func places(_ mark: String) throws {
    let request = try request()
    #expect(try request.check(request.callback(["code": "c+/="], mark: mark)).code.reveal() == "c+/=")
    let denied = code { try request.check(request.callback(["error": "access_denied"], mark: mark)) }
    #expect(denied?.code == .interactionCancelled)
    #expect(request.isAnswered(by: try request.callback(["code": "c"], mark: mark)))
  }

  @Test("OAuth-O17: a parameter that is there twice is refused", arguments: ["code", "state", "error", "iss", "x"])
  func duplicates(_ name: String) throws {
    let request = try request()
    let state = request.state.reveal()
    let value = name == "state" ? state : "c"
    var parameters: OAuthParameters = ["code": "c", "state": state]
    if name != "code" && name != "state" { parameters.add(name, value) }
    parameters.add(name, value)
    let twice = try request.bareCallback(parameters)
    #expect(code { try request.check(twice) }?.code == .callbackRefused)
    let split = try #require(URL(string: try request.callback(["code": "c"]).absoluteString + "#code=d"))
    #expect(code { try request.check(split) }?.code == .callbackRefused)
  }

  @Test(
    "An address that is not the redirect URI is refused",
    arguments: [
      "https://evil.test/callback", "https://app.test/other", "http://app.test/callback",
      "https://app.test:444/callback",
      "https://app.test/callback/", "https://app.test@evil.test/callback", "app:/callback",
    ])
  func address(_ address: String) throws {
    let request = try request()
    let callback = try #require(URL(string: "\(address)?code=c&state=\(request.state.reveal())"))
    #expect(code { try request.check(callback) }?.code == .callbackRefused)
  }

  @Test(
    "Bug-F39: what browsers and systems make of a redirect URI is still it",
    arguments: [
      ("myapp://callback", "myapp://callback/"), ("myapp://callback/", "myapp://callback"),
      ("https://app.test", "https://app.test/"), ("https://app.test/callback", "https://app.test:443/callback"),
      ("https://app.test:443/callback", "https://app.test/callback"),
      ("http://127.0.0.1/callback", "http://127.0.0.1:80/callback"), ("myapp://Callback", "MyApp://callback/"),
    ])
  func sameAddress(_ registered: String, _ shown: String) throws {
    let request = try request(redirectURI: try #require(URL(string: registered)))
    let callback = try #require(URL(string: "\(shown)?code=c&state=\(request.state.reveal())"))
    #expect(request.isAnswered(by: callback))
    #expect(try request.check(callback).code.reveal() == "c")
  }

  @Test(
    "Bug-F39: any other difference is another address",
    arguments: [
      ("myapp://callback", "myapp://callback//"), ("myapp://callback", "myapp:callback"),
      ("myapp://callback", "myapp://callback:443"), ("myapp://callback", "myapp://callback/x"),
      ("https://app.test/callback", "https://app.test:80/callback"),
      ("https://app.test/callback", "http://app.test:443/callback"),
      ("https://app.test/callback", "https://app.test/callback/"), ("https://app.test/a", "https://app.test/A"),
      ("https://app.test/a/", "https://app.test/a"), ("https://app.test/a", "https://app.test/%61"),
      ("https://app.test/a", "https://user@app.test/a"), ("https://app.test/a", "https://:secret@app.test/a"),
      ("https://app.test/", "https://app.test./"), ("com.example.app:/callback", "com.example.app://callback"),
    ])
  func otherAddress(_ registered: String, _ shown: String) throws {
    let request = try request(redirectURI: try #require(URL(string: registered)))
    guard let callback = URL(string: "\(shown)?code=c&state=\(request.state.reveal())") else { return }
    #expect(!request.isAnswered(by: callback))
    #expect(code { try request.check(callback) }?.code == .callbackRefused)
  }

  @Test(
    "An app's own scheme is a redirect URI like another (RFC 8252 §7.1)",
    arguments: [
      "com.example.app:/callback", "com.example.app://callback", "https://app.test/callback?app=1",
    ])
  func schemes(_ address: String) throws {
    let uri = try #require(URL(string: address))
    let request = try request(redirectURI: uri)
    let callback = try request.callback(["code": "c"], mark: address.contains("?") ? "&" : "?")
    #expect(try request.check(callback).code.reveal() == "c")
  }

  @Test("An issuer, if one is named, must be the one that was asked (RFC 9207 §2.4)")
  func issuer() throws {
    let request = try request()
    _ = try request.check(try request.callback(["code": "c", "iss": "https://as.test"]))
    for issuer in ["https://evil.test", "https://as.test/", "HTTPS://as.test", ""] {
      let callback = try request.callback(["code": "c", "iss": issuer])
      #expect(code { try request.check(callback) }?.code == .callbackRefused)
      let error = try request.callback(["error": "access_denied", "iss": issuer])
      #expect(code { try request.check(error) }?.code == .callbackRefused)
    }
  }

  @Test(
    "What the server answers in place of a code",
    arguments: [
      ("access_denied", OstiaryError.Code.interactionCancelled, false),
      ("temporarily_unavailable", .serverUnavailable, true), ("server_error", .serverUnavailable, true),
      ("invalid_scope", .clientRefused, false), ("invalid_request", .clientRefused, false),
      ("login_required", .interactionRequired, false), ("something_new", .unexpectedResponse, false),
    ])
  func errors(_ error: String, _ expected: OstiaryError.Code, _ isTransient: Bool) throws {
    let request = try request()
    let callback = try request.callback(["error": error, "error_description": "Because."])
    let found = code { try request.check(callback) }
    #expect(found?.code == expected)
    #expect(found?.isTransient == isTransient)
    #expect(found?.message.contains("Because.") == true)
  }

  @Test("Callbacks that say nothing are refused")
  func nothing() throws {
    let request = try request()
    #expect(code { try request.check(try request.callback([:])) }?.code == .callbackRefused)
    #expect(code { try request.check(try request.callback(["code": ""])) }?.code == .callbackRefused)
    let long = try request.callback(["code": String(repeating: "a", count: 70_000)])
    #expect(code { try request.check(long) }?.code == .callbackRefused)
  }
}
