import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryGateway

/// Choosing, signing in, and what is refused.
@Suite("Header schemes", .timeLimit(.minutes(10)))
struct HTTPAuthenticationTests {
  typealias Area = StrictServer.Area

  private static func challenged(_ fields: [String], status: HTTPResponse.Status = .unauthorized) -> TransportResponse {
    var head = HTTPResponse(status: status)
    for field in fields { head.headerFields.append(HTTPField(name: .wwwAuthenticate, value: field)) }
    return TransportResponse(head)
  }

  /// A server in memory at an address that is not this machine's.
  private static func fixture(
    _ address: String, _ configuration: HTTPAuthenticationConfiguration = HTTPAuthenticationConfiguration(),
    credential: Credential = .password(username: "ann", password: "apple"),
    answer: @escaping @Sendable (TransportRequest) -> TransportResponse
  ) throws -> (fixture: SchemeFixture, transport: ScriptedTransport) {
    let transport = ScriptedTransport(handler: { answer($0) })
    let fixture = try SchemeFixture(
      try #require(URL(string: address)), configuration, credentials: .upFront(credential), transport: transport)
    return (fixture, transport)
  }

  @Test("No cookie is proof of what a field shows: a gateway's newer one renews nothing")
  func cookies() throws {
    let authenticator = try HTTPAuthentication(server: try #require(URL(string: "https://api.test/")))
    #expect(!authenticator.isProof(cookieNamed: "gw"))
  }

  // MARK: Choosing

  @Test(
    "The strongest scheme that is allowed is chosen",
    arguments: [
      ([#"Basic realm="r""#, #"Digest realm="r", nonce="n""#], "digest MD5"),
      (
        [#"Digest realm="r", nonce="n""#, #"Digest realm="r", nonce="n", algorithm=SHA-256-sess, qop="auth""#],
        "digest SHA-256-sess"
      ),
      (
        [#"Basic realm="r", Digest realm="r", nonce="n", algorithm=SHA-512-256, Bearer realm="r""#],
        "digest SHA-512-256"
      ),
      ([#"Digest realm="r", nonce="n", algorithm=AKAv1-MD5, Basic realm="r""#], "basic"),
      (
        [
          #"Digest realm="r", nonce="n", algorithm=SHA-256, qop=auth, Digest realm="r", nonce="m", algorithm=SHA-256-sess, qop=auth"#
        ], "digest SHA-256"
      ),
      ([#"SSO http://localhost:18150/, Basic realm="r""#], "basic"), (["Basic"], "basic"),
      (["Negotiate", "NTLM", #"Bearer realm="r""#], "nothing"), ([], "nothing"), (["Basic, realm=x"], "nothing"),
      ([#"Digest realm="r""#], "unusable"),
    ])
  func choice(fields: [String], expected: String) {
    let challenges = Self.challenged(fields).head.authenticationChallenges
    var text = "unusable"
    do throws(UnusableChallenge) {
      switch try SchemeChoice.strongest(
        of: challenges, configuration: HTTPAuthenticationConfiguration(), isConfidential: true)
      {
      case .digest(let challenge): text = "digest \(challenge.algorithm.name)"
      case .basic: text = "basic"
      case .bearer: text = "bearer"
      case nil: text = "nothing"
      }
    } catch {}
    #expect(text == expected)
  }

  @Test("Basic over plain http is refused before anybody is asked, unless it is allowed loudly")
  func basicOverHTTP() async throws {
    let answer: @Sendable (TransportRequest) -> TransportResponse = { request in
      request.head.headerFields[.authorization] == "Basic YW5uOmFwcGxl"
        ? .status(.ok) : Self.challenged([#"Basic realm="r""#])
    }
    let (plain, transport) = try Self.fixture("http://s.example/", answer: answer)
    let error = await schemeFailure { try await plain.send("/x") }
    #expect(error?.code == .noUsableScheme && error?.disposition == .misuse)
    #expect(transport.requests.allSatisfy { $0.head.headerFields[.authorization] == nil })
    #expect(plain.manager.current == nil)

    var loud = HTTPAuthenticationConfiguration()
    loud.insecurelySendsSecretsOverHTTP = true
    let (allowed, _) = try Self.fixture("http://s.example/", loud, answer: answer)
    #expect(try await allowed.send("/x").status == .ok)
    // A stored session is no way around.
    let session = try #require(allowed.manager.current)
    let strict = try HTTPAuthentication(server: try #require(URL(string: "http://s.example/")))
    #expect(strict.attachment(for: session).perRequest == nil)
    // Digest shows no password to any server, and goes over http.
    let (digest, _) = try Self.fixture("http://s.example/") { request in
      request.head.headerFields[.authorization] == nil
        ? Self.challenged([#"Basic realm="r""#, #"Digest realm="r", nonce="n", qop="auth""#]) : .status(.ok)
    }
    #expect(try await digest.send("/x").status == .ok)
    #expect(digest.manager.current?.attributes["scheme"]?.string == "digest")
  }

  @Test("A 401 that asks for nothing we speak, and a 401 without a challenge, are the app's")
  func notOurs() async throws {
    for fields in [["Negotiate"], [#"Bearer realm="api", error="invalid_token""#], []] {
      let (fixture, transport) = try Self.fixture("https://s.example/") { _ in Self.challenged(fields) }
      #expect(try await fixture.send("/x").status == .unauthorized)
      #expect(transport.count == 1)
    }
    let (fixture, transport) = try Self.fixture("https://s.example/") { _ in
      Self.challenged([#"Basic realm="r""#], status: .forbidden)
    }
    #expect(try await fixture.send("/x").status == .forbidden)
    #expect(transport.count == 1)
  }

  // MARK: Signing in

  @Test("A user name with a colon is refused under Basic, and not sent", arguments: ["a:b", "a\nb", "a\u{7F}"])
  func colon(name: String) async throws {
    let (fixture, transport) = try Self.fixture(
      "https://s.example/", credential: .password(username: name, password: "p")
    ) { _ in Self.challenged([#"Basic realm="r""#]) }
    #expect(await schemeFailure { try await fixture.send("/x") }?.code == .invalidInput)
    #expect(transport.requests.allSatisfy { $0.head.headerFields[.authorization] == nil })
  }

  @Test("Basic is UTF-8, composed where the server says so (RFC 7617 §2.1)")
  func basicUTF8() async throws {
    let (fixture, transport) = try Self.fixture(
      "https://s.example/", credential: .password(username: "te\u{301}st", password: "123\u{A3}")
    ) { request in
      request.head.headerFields[.authorization] == nil
        ? Self.challenged([#"Basic realm="foo", charset="UTF-8""#]) : .status(.ok)
    }
    #expect(try await fixture.send("/x").status == .ok)
    let shown = try #require(transport.requests.last?.head.headerFields[.authorization])
    #expect(shown == "Basic " + Data("t\u{E9}st:123\u{A3}".utf8).base64EncodedString())
  }

  @Test(
    "Signing in by itself asks the server what it wants",
    .enabled(if: StrictServer.python != nil, "python3 is not installed"), arguments: [nil, 405, 501, 500] as [Int?])
  func explicitSignIn(noHead: Int?) async throws {
    let areas = ["/a/": Area.digest("SHA-256") { $0.noHead = noHead }]
    try await StrictServer.run(areas) { server in
      let fixture = try SchemeFixture(server, base: "/a/")
      let session = try await fixture.manager.signIn(with: .password(username: "ann", password: "apple"))
      #expect(session.user.id == "ann" && session.kind == .http)
      #expect(try await fixture.send("/a/1").status == .ok)
      let log = try await server.log(fixture.transport)
      #expect(log.broken.isEmpty && log.wrong == 0 && log.bare == 1)
      _ = await fixture.manager.signOut()
      let error = await schemeFailure {
        try await fixture.manager.signIn(with: .password(username: "ann", password: "pear"))
      }
      #expect(error?.code == .invalidCredentials)
    }
  }

  @Test("An address that is open can't tell whether a password is right, and the error says what to do")
  func openAddress() async throws {
    let (fixture, _) = try Self.fixture("https://s.example/") { _ in .status(.ok) }
    let error = await schemeFailure {
      try await fixture.manager.signIn(with: .password(username: "ann", password: "apple"))
    }
    #expect(error?.code == .unexpectedResponse && error?.advice.contains("checkURL") == true)
  }

  @Test("A server that fails is no refusal", arguments: [429, 500, 502, 503])
  func failing(status: Int) async throws {
    let (fixture, _) = try Self.fixture("https://s.example/") { request in
      request.head.headerFields[.authorization] == nil
        ? Self.challenged([#"Basic realm="r""#]) : .status(.init(code: status))
    }
    let error = await schemeFailure { try await fixture.send("/x") }
    #expect(error?.code == .serverUnavailable && error?.isTransient == true)
  }

  @Test("A failure of the app's own address does not keep anybody from signing in", arguments: [403, 404, 302])
  func otherStatus(status: Int) async throws {
    let (fixture, _) = try Self.fixture("https://s.example/") { request in
      request.head.headerFields[.authorization] == nil
        ? Self.challenged([#"Basic realm="r""#]) : .status(.init(code: status))
    }
    #expect(try await fixture.send("/x").status.code == status)
    #expect(fixture.manager.current != nil)
  }

  @Test("Credentials of other kinds are refused")
  func unsupported() async throws {
    let (fixture, transport) = try Self.fixture("https://s.example/") { _ in Self.challenged([#"Basic realm="r""#]) }
    let request = try TransportRequest.get(try #require(URL(string: "https://s.example/")))
    for credential in [Credential.request(request), .proof(Proof())] {
      let error = await schemeFailure { try await fixture.manager.signIn(with: credential) }
      #expect(error?.code == .unsupportedCredential)
    }
    #expect(transport.count == 0)
    #expect(throws: OstiaryError(.invalidInput, "")) { try HTTPAuthentication(server: URL(filePath: "/tmp")) }
  }

  // MARK: Bearer

  @Test("A token is shown until the server refuses it, and then another is asked for")
  func bearer() async throws {
    let good = Locked("one")
    let given = Locked(["one", "two"][...])
    let transport = ScriptedTransport { request in
      request.head.headerFields[.authorization] == "Bearer \(good.withLock { $0 })"
        ? .status(.ok) : Self.challenged([#"Bearer realm="api", error="invalid_token""#])
    }
    var configuration = HTTPAuthenticationConfiguration()
    configuration.schemes = [.bearer]
    let fixture = try SchemeFixture(
      try #require(URL(string: "https://s.example/")), configuration,
      credentials: .onRequest { _ in
        let token = given.withLock { $0.popFirst() } ?? ""
        return .proof(Proof(tokens: [HTTPAuthentication.accessToken: Secret(token)]))
      }, transport: transport)
    #expect(try await fixture.send("/x").status == .ok)
    #expect(try await fixture.send("/y").status == .ok)
    good.withLock { $0 = "two" }
    #expect(try await fixture.send("/z").status == .ok)
    #expect(given.withLock { $0.isEmpty })
    #expect(fixture.manager.current?.user.id == "bearer")
  }

  @Test("A token that no field can carry is refused")
  func brokenToken() async throws {
    var configuration = HTTPAuthenticationConfiguration()
    configuration.schemes = [.bearer]
    let (fixture, transport) = try Self.fixture(
      "https://s.example/", configuration,
      credential: .proof(Proof(tokens: [HTTPAuthentication.accessToken: "a\r\nX: y"]))
    ) { _ in Self.challenged(["Bearer"]) }
    #expect(await schemeFailure { try await fixture.send("/x") }?.code == .invalidInput)
    #expect(transport.requests.allSatisfy { $0.head.headerFields[.authorization] == nil })
  }

  // MARK: Basic that is refused

  @Test("A wrong Basic password is shown once; one that stops being right ends the session")
  func refusedBasic() async throws {
    let password = Locked("pear")
    let (fixture, transport) = try Self.fixture("https://s.example/") { request in
      let right = "Basic " + Data("ann:\(password.withLock { $0 })".utf8).base64EncodedString()
      return request.head.headerFields[.authorization] == right ? .status(.ok) : Self.challenged([#"Basic realm="r""#])
    }
    #expect(await schemeFailure { try await fixture.send("/x") }?.code == .invalidCredentials)
    #expect(transport.requests.filter { $0.head.headerFields[.authorization] != nil }.count == 1)
    _ = await schemeFailure { try await fixture.send("/x") }
    #expect(transport.requests.filter { $0.head.headerFields[.authorization] != nil }.count == 1)

    password.withLock { $0 = "apple" }
    _ = try await fixture.manager.signIn(with: .password(username: "ann", password: "apple"))
    let before = transport.requests.count
    #expect(try await fixture.send("/x").status == .ok)
    password.withLock { $0 = "pear" }
    #expect(await schemeFailure { try await fixture.send("/x") } != nil)
    #expect(transport.requests.dropFirst(before).filter { $0.head.headerFields[.authorization] != nil }.count == 2)
    #expect(fixture.manager.current == nil)
  }

  // MARK: Requests that the app sends itself

  @Test(
    "An app that sends requests itself attaches, tells what came, and attaches again",
    .enabled(if: StrictServer.python != nil, "python3 is not installed"))
  func ownRequests() async throws {
    try await StrictServer.run(["/": .digest("SHA-256", qop: "auth-int") { $0.uses = 2 }]) { server in
      let fixture = try SchemeFixture(server)
      _ = try await fixture.manager.session()
      for number in 0..<6 {
        var attempts = 0
        while true {
          attempts += 1
          try #require(attempts < 5)
          var request = TransportRequest(
            try HTTPRequest(.put, to: try server.url("/\(number)")), body: Data("body \(number)".utf8))
          guard case .attached(let version) = fixture.manager.attach(to: &request.head, body: request.body) else {
            Issue.record("no session")
            return
          }
          let response = try await fixture.transport.send(request)
          guard case .rejected = await fixture.manager.judge(response, to: request, carrying: version) else {
            #expect(response.status == .ok)
            break
          }
          #expect(fixture.manager.current?.version == version, "a stale nonce is no matter of the session")
        }
      }
      let log = try await server.log(fixture.transport)
      #expect(log.broken.isEmpty && log.wrong == 0 && fixture.credentialsAsked == 1)
      try await server.set("/", ["password": "pear"], fixture.transport)
      var verdicts: [Verdict] = []
      while fixture.manager.current != nil, verdicts.count < 5 {
        var request = TransportRequest(try HTTPRequest(.get, to: try server.url("/x")))
        guard case .attached(let version) = fixture.manager.attach(to: &request.head) else { break }
        verdicts.append(
          await fixture.manager.judge(try await fixture.transport.send(request), to: request, carrying: version))
      }
      #expect((1...2).contains(verdicts.count))
      #expect(fixture.manager.current == nil)
    }
  }

  @Test("Secrets are in no description")
  func secrets() async throws {
    let (fixture, _) = try Self.fixture("https://s.example/") { request in
      request.head.headerFields[.authorization] == nil
        ? Self.challenged([#"Digest realm="r", nonce="n""#, #"Basic realm="r""#]) : .status(.ok)
    }
    #expect(try await fixture.send("/x").status == .ok)
    let session = try #require(fixture.manager.current)
    let authenticator = try HTTPAuthentication(server: try #require(URL(string: "https://s.example/")))
    let attachment = authenticator.attachment(for: session)
    var text = ""
    dump((session, authenticator, attachment, attachment.perRequest), to: &text)
    text += "\(session) \(attachment) \(String(reflecting: attachment.perRequest))"
    for token in session.proof.tokens.values { #expect(!text.contains(token.reveal())) }
    #expect(!text.contains("apple"))
  }
}
