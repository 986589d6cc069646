import Foundation
import OstiaryCore
import OstiaryTesting
import OstiaryOAuth
import TestSupport
import Testing

@Suite("What a server says of itself", .timeLimit(.minutes(20)))
struct ServerMetadataTests {
  private func read(_ changes: [String: JSONValue?] = [:], issuer: String = DocumentServer.issuer) throws
    -> ServerMetadata
  {
    try ServerMetadata(members: DocumentServer.metadata(changes), issuer: issuer)
  }

  private func refusal(_ work: () throws -> ServerMetadata) -> OstiaryError? {
    do {
      _ = try work()
      return nil
    } catch {
      return error as? OstiaryError
    }
  }

  @Test("FIND-01: each member is where it belongs, and those without a name here can be read")
  func members() throws {
    let metadata = try read([
      "device_authorization_endpoint": "https://as.test/device", "introspection_endpoint": "https://other.test/look",
      "pushed_authorization_request_endpoint": "https://as.test/par", "end_session_endpoint": "https://as.test/end",
      "registration_endpoint": "https://as.test/register", "require_pushed_authorization_requests": true,
      "authorization_response_iss_parameter_supported": "true", "backchannel_logout_supported": true,
      "frontchannel_logout_session_supported": true, "client_id_metadata_document_supported": true,
      "scopes_supported": .array(["openid", "a"]), "grant_types_supported": .array(["authorization_code"]),
      "code_challenge_methods_supported": .array(["S256"]),
      "token_endpoint_auth_methods_supported": .array(["private_key_jwt"]),
      "token_endpoint_auth_signing_alg_values_supported": .array(["ES256"]),
      "dpop_signing_alg_values_supported": .array(["ES256", "EdDSA"]),
      "id_token_signing_alg_values_supported": .array(["RS256"]),
      "userinfo_signing_alg_values_supported": .array(["ES384"]), "acr_values_supported": .array(["gold", 1]),
      "x_vendor": .object(["a": .array([1])]),
    ])
    let endpoints = try #require(metadata.endpoints)
    #expect(metadata.issuer == "https://as.test" && endpoints.issuer == "https://as.test")
    #expect(endpoints.token.absoluteString == "https://as.test/token")
    #expect(endpoints.authorization?.absoluteString == "https://as.test/authorize")
    #expect(endpoints.revocation?.absoluteString == "https://as.test/revoke")
    #expect(endpoints.userInfo?.absoluteString == "https://as.test/userinfo")
    #expect(endpoints.deviceAuthorization?.absoluteString == "https://as.test/device")
    #expect(endpoints.introspection?.absoluteString == "https://other.test/look", "endpoints may be on any host")
    #expect(endpoints.pushedAuthorization?.absoluteString == "https://as.test/par")
    #expect(endpoints.endSession?.absoluteString == "https://as.test/end")
    #expect(endpoints.registration?.absoluteString == "https://as.test/register")
    #expect(endpoints.keys == metadata.keySetAddress && endpoints.keys?.absoluteString == "https://as.test/keys")
    #expect(metadata.requiresPushedAuthorization && metadata.promisesIssuerInCallback)
    #expect(metadata.supportsBackChannelLogout && !metadata.supportsBackChannelLogoutSession)
    #expect(!metadata.supportsFrontChannelLogout && metadata.supportsFrontChannelLogoutSession)
    #expect(metadata.supportsClientDocuments)
    #expect(metadata.scopes == ["openid", "a"] && metadata.grantTypes == ["authorization_code"])
    #expect(metadata.responseTypes == ["code"] && metadata.codeChallengeMethods == ["S256"])
    #expect(metadata.authenticationMethods == ["private_key_jwt"] && metadata.authenticationAlgorithms == ["ES256"])
    #expect(metadata.proofAlgorithms == ["ES256", "EdDSA"] && metadata.idTokenAlgorithms == ["RS256"])
    #expect(metadata.userInfoAlgorithms == ["ES384"] && metadata.authenticationContexts == ["gold"])
    #expect(metadata.members["x_vendor"]?["a"]?.array == [1])
    let least = try read()
    #expect(least.proofAlgorithms == nil && !least.requiresPushedAuthorization && !least.promisesIssuerInCallback)
  }

  @Test(
    "FIND-02: the issuer is the one that was asked, byte for byte (oidcc-client-test-discovery-issuer-mismatch)",
    arguments: [
      "https://as.test/", "https://AS.test", "https://as.test:443", "http://as.test", "https://as.test.evil.test", "",
    ])
  func issuer(_ other: String) {
    let error = refusal { try read(["issuer": .string(other)]) }
    #expect(error?.code == .metadataUnusable)
    #expect(error?.disposition != .terminal, "it is no word about a session")
    #expect(error?.message.contains("RFC 8414 §3.3") == true)
  }

  @Test("FIND-02: a refusal names the issuer that was asked and, fit to be shown, the one that the server writes")
  func named() throws {
    let refused = refusal { try read(["issuer": "https://as.test/"]) }
    let slash = try #require(refused)
    #expect(slash.message.hasSuffix("those of “https://as.test/”, not of “https://as.test” (RFC 8414 §3.3)."))
    let long = "https://ann:planted@evil.test/\u{1B}[2J\u{202E}" + String(repeating: "a", count: 5000)
    let other = refusal { try read(["issuer": .string(long)]) }
    let hostile = try #require(other)
    #expect(hostile.message.contains("“https://…@evil.test/ [2J a"), "\(hostile.message)")
    #expect(!hostile.message.contains("planted") && hostile.message.utf8.count < 500)
  }

  @Test("FIND-02: a document without an issuer is no server's")
  func noIssuer() {
    #expect(refusal { try read(["issuer": nil]) }?.code == .metadataUnusable)
    #expect(refusal { try read(["issuer": 1]) }?.code == .metadataUnusable)
    // U+00E9 and its two-character form look alike, and so does the sign of a kelvin, which `String` takes for a K.
    #expect(refusal { try read(["issuer": "https://as.test/\u{E9}"], issuer: "https://as.test/e\u{301}") } != nil)
    #expect(refusal { try read(["issuer": "https://as.test/\u{212A}"], issuer: "https://as.test/K") } != nil)
  }

  static let names = [
    "authorization_endpoint", "token_endpoint", "device_authorization_endpoint", "revocation_endpoint",
    "introspection_endpoint", "userinfo_endpoint", "pushed_authorization_request_endpoint", "end_session_endpoint",
    "jwks_uri", "registration_endpoint",
  ]

  @Test(
    "FIND-03: each address is an absolute https URL without a user name and a fragment", arguments: names,
    [
      "http://as.test/x", "http://127.0.0.1/x", "/x", "as.test/x", "ftp://as.test/x", "https://ann@as.test/x",
      "https://as.test/x#y", "https:///x", "https://as.test/ x", "https://as.test/\u{E9}",
      "https://as.test\\@evil.test/",
    ])
  func addresses(_ name: String, _ address: String) {
    let error = refusal { try read([name: .string(address)]) }
    #expect(error?.code == .metadataUnusable)
    #expect(error?.message.contains(name) == true && error?.disposition != .terminal)
    #expect(error.map { "\($0)".contains("ann@") } == false)
  }

  @Test(
    "FIND-03: an address of another type is refused; null and an empty text mean that there is none", arguments: names)
  func absent(_ name: String) throws {
    #expect(refusal { try read([name: 1]) }?.code == .metadataUnusable)
    #expect(refusal { try read([name: .array(["https://as.test/x"])]) }?.code == .metadataUnusable)
    for nothing in [JSONValue.null, ""] {
      let metadata = try read([name: nothing])
      #expect((metadata.endpoints == nil) == (name == "token_endpoint"))
      #expect(name != "jwks_uri" || metadata.keySetAddress == nil)
    }
  }

  @Test("FIND-03: only a document of this machine may name http addresses of this machine, or any if the app allows it")
  func loopback() throws {
    let issuer = "http://127.0.0.1:8080"
    let members: [String: JSONValue] = ["issuer": .string(issuer), "token_endpoint": "http://localhost:8080/token"]
    #expect(try ServerMetadata(members: members, issuer: issuer).endpoints != nil)
    let other: [String: JSONValue] = ["issuer": .string(issuer), "token_endpoint": "http://as.test/token"]
    #expect(refusal { try ServerMetadata(members: other, issuer: issuer) }?.code == .metadataUnusable)
    #expect(try ServerMetadata(members: other, issuer: issuer, insecurelyAllowsPlainHTTP: true).endpoints != nil)
  }

  @Test("FIND-04: a document is one JSON object of at most 256 KiB and 16 levels, and says nothing twice")
  func bounds() throws {
    let issuer = DocumentServer.issuer
    func text(_ more: String) -> Data { Data("{\"issuer\":\"\(issuer)\",\(more)}".utf8) }
    func code(_ data: Data) -> OstiaryError.Code? { refusal { try ServerMetadata(json: data, issuer: issuer) }?.code }
    #expect(code(text("\"x\":1")) == nil)
    #expect(code(text("\"x\":1,\"x\":2")) == .metadataUnusable)
    #expect(code(text("\"x\":[{\"y\":1,\"y\":2}]")) == .metadataUnusable)
    #expect(code(text("\"issuer\":\"https://evil.test\"")) == .metadataUnusable)
    // The object is a level, and an array without elements is none.
    func nested(_ levels: Int) -> Data {
      text("\"x\":" + String(repeating: "[", count: levels) + "1" + String(repeating: "]", count: levels))
    }
    #expect(code(nested(15)) == nil)
    #expect(code(nested(16)) == .metadataUnusable)
    let padding = (1 << 18) - text("\"x\":\"\"").count
    #expect(code(text("\"x\":\"\(String(repeating: "a", count: padding))\"")) == nil)
    #expect(code(text("\"x\":\"\(String(repeating: "a", count: padding + 1))\"")) == .metadataUnusable)
    for other in ["", "[]", "null", "\"x\"", "{", "{}x", "\u{FEFF}{}"] {
      #expect(code(Data(other.utf8)) == .metadataUnusable, "\(other)")
    }
  }

  @Test("FIND-04: a document that is cut at any byte is none")
  func cut() throws {
    let whole = Data(
      #"{"issuer":"https://as.test","token_endpoint":"https://as.test/t","x":["\u00e9",1.5e3,null]}"#.utf8)
    _ = try ServerMetadata(json: whole, issuer: DocumentServer.issuer)
    for length in 0..<whole.count {
      #expect(
        refusal { try ServerMetadata(json: whole.prefix(length), issuer: DocumentServer.issuer) }?.code
          == .metadataUnusable)
    }
  }

  @Test("FIND-05: what is not of its type counts as not said")
  func types() throws {
    let metadata = try read([
      "scopes_supported": "openid a", "grant_types_supported": .object([:]), "require_pushed_authorization_requests": 1,
      "authorization_response_iss_parameter_supported": "no",
    ])
    #expect(metadata.scopes == nil && metadata.grantTypes == nil)
    #expect(!metadata.requiresPushedAuthorization && !metadata.promisesIssuerInCallback)
  }

  @Test(
    "FIND-06: an issuer is an https URL without a query, a fragment and a user name",
    arguments: [
      "", "as.test", "https://", "http://as.test", "https://as.test?x", "https://as.test?", "https://as.test#",
      "ftp://as.test",
      "https://ann@as.test", "https://as.test/\u{E9}", "https://as.test/ ", "https://as.test\\x",
    ])
  func issuers(_ issuer: String) async {
    let server = DocumentServer()
    #expect(refusal { try read(["issuer": .string(issuer)], issuer: issuer) }?.code == .invalidInput)
    #expect(await failure { try await server.directory.metadata(of: issuer) }?.code == .invalidInput)
    #expect(await failure { try OAuthClient(id: "a", issuer: issuer, in: server.directory) }?.code == .invalidInput)
    #expect(server.transport.count == 0)
  }
}
