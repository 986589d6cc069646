import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryDialect
import OstiaryTesting
import TestSupport
import Testing

@Suite("What a session's requests carry")
struct DialectProofTests {
  /// What a request has on the wire, sent by a manager whose session has the values.
  func sent(
    _ proof: DialectProof, _ request: TransportRequest? = nil, tokens: [String: Secret] = ["token": "t1"],
    cookies: [String] = []
  ) async throws -> TransportRequest {
    let url = try #require(TokenAPI.url)
    let dialect = TokenAPI.dialect { dialect in
      dialect.proof = proof
      dialect.who = nil
      dialect.signIn[0].reads.kind = ["/kind"]
      dialect.signIn[0].reads.userID = ["/id"]
      dialect.signIn[0].reads.values = [DialectNamedRead("other", "/other")]
    }
    let authenticator = try DialectAuthenticator(dialect: dialect, server: url)
    var jar = CookieJar()
    let origin = HTTPRequest(method: .get, scheme: "https", authority: "api.test", path: "/")
    for cookie in cookies { jar.store(cookie, from: origin, now: Date()) }
    let transport = ScriptedTransport { _ in .json([:]) }
    let manager = SessionManager(authenticator: authenticator, transport: transport)
    try await manager.signIn(
      with: SessionGrant(user: Session.User(id: "7", displayName: "Ann"), proof: Proof(cookies: jar, tokens: tokens)))
    let things = TransportRequest(
      HTTPRequest(method: .get, scheme: "https", authority: "api.test", path: "/things?a=1"))
    _ = try await AuthenticatedTransport(manager).send(request ?? things)
    return try #require(transport.requests.last)
  }

  func post(_ body: String, _ type: String) -> TransportRequest {
    TransportRequest(
      HTTPRequest(
        method: .post, scheme: "https", authority: "api.test", path: "/things", headerFields: [.contentType: type]),
      body: Data(body.utf8))
  }

  @Test("DIA-proof: fields, in any number")
  func fields() async throws {
    #expect(try await sent(.bearer).authorization == "Bearer t1")
    let several = DialectProof(
      .headers([DialectField("Authorization", "{kind} {token}"), DialectField("X-Other", "{other}")]))
    let request = try await sent(several, tokens: ["token": "t1", "kind": "JWT", "value.other": "o1"])
    #expect(request.authorization == "JWT t1")
    #expect(request.head.headerFields[try #require(HTTPField.Name("X-Other"))] == "o1")
  }

  @Test("DIA-proof: Basic, for tokens of an application")
  func basic() async throws {
    let proof = DialectProof(.basic(DialectBasic(username: "{userID}", password: "{token}")))
    #expect(try await sent(proof).authorization == "Basic Nzp0MQ==")
  }

  @Test("DIA-proof: fixed fields beside another way")
  func beside() async throws {
    let basic = DialectBasic(username: "{userID}", password: "{token}")
    let proof = DialectProof(.basic(basic), headers: [DialectField("OCS-APIRequest", "true")])
    let request = try await sent(proof)
    #expect(request.authorization == "Basic Nzp0MQ==")
    #expect(request.head.headerFields[try #require(HTTPField.Name("OCS-APIRequest"))] == "true")
  }

  @Test("DIA-proof: one cookie, beside those that the request has")
  func cookie() async throws {
    let proof = DialectProof(.cookie(name: "session", value: "{token}"))
    #expect(try await sent(proof).cookies == "session=t1")
    var own = TransportRequest(HTTPRequest(method: .get, scheme: "https", authority: "api.test", path: "/"))
    own.head.headerFields[.cookie] = "own=1"
    #expect(try await sent(proof, own).cookies == "own=1; session=t1")
  }

  @Test("DIA-proof: the cookies themselves, with the value that is sent twice")
  func cookies() async throws {
    let proof = DialectProof(
      .cookies(
        ["sid", "laravel_*"], csrf: DialectCSRF(.cookie("XSRF-TOKEN", isPercentDecoded: true), header: "X-XSRF-TOKEN")))
    let request = try await sent(proof, tokens: [:], cookies: ["sid=s1; Path=/", "XSRF-TOKEN=a%3D1; Path=/"])
    #expect(request.cookies == "sid=s1; XSRF-TOKEN=a%3D1")
    #expect(request.head.headerFields[try #require(HTTPField.Name("X-XSRF-TOKEN"))] == "a=1")
    let authenticator = try DialectAuthenticator(
      dialect: TokenAPI.dialect { $0.proof = proof }, server: try #require(TokenAPI.url))
    #expect(authenticator.isProof(cookieNamed: "sid"))
    #expect(authenticator.isProof(cookieNamed: "laravel_session"))
    #expect(!authenticator.isProof(cookieNamed: "XSRF-TOKEN"))
    #expect(!authenticator.isProof(cookieNamed: "sid2"))
    let headers = try TokenAPI().authenticator()
    #expect(!headers.isProof(cookieNamed: "sid"))
  }

  @Test("DIA-proof: the value that is sent twice may be one that was read at the sign-in")
  func csrfValue() async throws {
    let proof = DialectProof(.cookies(["sid"], csrf: DialectCSRF(.value("other"), header: "X-CSRF")))
    let request = try await sent(proof, tokens: ["value.other": "o1"], cookies: ["sid=s1; Path=/"])
    #expect(request.head.headerFields[try #require(HTTPField.Name("X-CSRF"))] == "o1")
  }

  @Test("DIA-proof: items of the query, escaped")
  func query() async throws {
    let proof = DialectProof(.insecureQuery([DialectField("access_token", "{token}")]))
    #expect(try await sent(proof, tokens: ["token": "a&b=c"]).path == "/things?a=1&access_token=a%26b%3Dc")
    let plain = TransportRequest(HTTPRequest(method: .get, scheme: "https", authority: "api.test", path: "/x"))
    #expect(try await sent(proof, plain).path == "/x?access_token=t1")
  }

  @Test("DIA-proof: members of the JSON object, and fields of a form")
  func body() async throws {
    let proof = DialectProof(.body([DialectField("sessiontoken", "{token}"), DialectField("user", "{userID}")]))
    func body(_ text: String, _ type: String) async throws -> String? {
      try await sent(proof, post(text, type), tokens: ["token": "a\"b"]).body.map {
        String(decoding: $0, as: UTF8.self)
      }
    }
    #expect(try await body(#"{"a":1}"#, "application/json") == #"{"sessiontoken":"a\"b","user":"7","a":1}"#)
    #expect(try await body("{ }", "application/json; charset=utf-8") == #"{"sessiontoken":"a\"b","user":"7" }"#)
    #expect(
      try await body("a=1", "application/x-www-form-urlencoded") == "a=1&user=7&sessiontoken=a%22b")
    #expect(try await body("[1]", "application/json") == "[1]")
    #expect(try await body("text", "text/plain") == "text")
  }

  @Test("DIA-proof: only below the path, and only to the origin")
  func limits() async throws {
    var proof = DialectProof.bearer
    proof.below = "/api"
    func authorization(_ path: String, _ authority: String = "api.test") async throws -> String? {
      let head = HTTPRequest(method: .get, scheme: "https", authority: authority, path: path)
      return try await sent(proof, TransportRequest(head)).authorization
    }
    #expect(try await authorization("/api/things") == "Bearer t1")
    #expect(try await authorization("/api") == "Bearer t1")
    #expect(try await authorization("/apix") == nil)
    #expect(try await authorization("/other") == nil)
    #expect(try await authorization("/api/../other") == nil)
    #expect(try await authorization("/api/things", "evil.test") == nil)
    #expect(try await authorization("/api/things", "api.test:8443") == nil)
  }

  @Test("A session without what the proof names carries nothing")
  func missing() async throws {
    #expect(try await sent(.bearer, tokens: [:]).authorization == nil)
    #expect(try await sent(.bearer, tokens: ["token": "two\r\nlines"]).authorization == nil)
  }

  @Test("DIA-cheap: fields are prepared once; nothing is made for each request")
  func cheap() async throws {
    let api = TokenAPI()
    let authenticator = try api.authenticator()
    let session = try await authenticator.signIn(with: TokenAPI.ann, in: api.context).session(authenticator)
    let attachment = authenticator.attachment(for: session)
    #expect(attachment.fields.map(\.value) == ["Bearer planted-token-1"])
    #expect(attachment.perRequest == nil)
    #expect(attachment.inBody == nil)
    #expect(attachment.cookies.isEmpty)
    #expect(attachment.origins == authenticator.origins)
  }

  @Test("DIA-roles: proof goes to the origins of the roles that the document names, and calls go to their own")
  func roles() async throws {
    let main = try #require(URL(string: "https://api.test"))
    let auth = try #require(URL(string: "https://auth.test"))
    let dialect = TokenAPI.dialect { dialect in
      dialect.servers = [DialectServer("api"), DialectServer("auth")]
      dialect.signIn[0].server = "auth"
      dialect.who?.server = "auth"
      dialect.proof.origins = ["api", "auth"]
    }
    let authenticator = try DialectAuthenticator(dialect: dialect, servers: ["api": main, "auth": auth])
    #expect(authenticator.origins.map(\.description) == ["https://api.test", "https://auth.test"])
    let api = TokenAPI()
    let grant = try await authenticator.signIn(with: TokenAPI.ann, in: api.context)
    _ = try await authenticator.identify(grant, in: api.context)
    #expect(api.transport.requests.allSatisfy { $0.head.authority == "auth.test" })
  }
}
