import Foundation
import HTTPTypes
import OstiaryCore
import OstiarySealing
import OstiaryTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct MigrationTests {
  private let now = Date(timeIntervalSince1970: 1_800_000_000)

  // MARK: Cookie files

  @Test("A cookie file of curl's kind becomes a jar that sends what a browser would")
  func netscape() throws {
    let file = """
      # Netscape HTTP Cookie File
      # https://curl.se/docs/http-cookies.html

      app.example\tFALSE\t/\tTRUE\t0\tsid\tsecret value==
      #HttpOnly_.example.org\tTRUE\t/app\tFALSE\t1900000000\ttoken\ta=b=c\r
      old.example\tFALSE\t/\tFALSE\t1000000000\tgone\tx
      127.0.0.1\tFALSE\t/\tFALSE\t1900000000.5\tempty\t
      """
    let jar = try CookieJar(netscapeFile: Data(file.utf8), now: now)
    #expect(jar.cookies.map(\.name).sorted() == ["empty", "sid", "token"])
    let sid = try #require(jar.cookies.first { $0.name == "sid" })
    #expect(sid.value.reveal() == "secret value==" && sid.isSecure && sid.isHostOnly && sid.expiresAt == nil)
    let token = try #require(jar.cookies.first { $0.name == "token" })
    #expect(token.value.reveal() == "a=b=c" && token.isHTTPOnly && !token.isHostOnly && token.domain == "example.org")
    #expect(token.expiresAt == Date(timeIntervalSince1970: 1_900_000_000))
    let request = HTTPRequest(method: .get, scheme: "https", authority: "www.example.org", path: "/app/x")
    #expect(jar.cookies(for: request, now: now).map(\.name) == ["token"])
  }

  @Test(
    "Invariant 14: a line that is no cookie is named, and its value is not shown",
    arguments: [
      "hello secret", "a.example\tFALSE\t/\tFALSE\t0\tname", "a.example\tMAYBE\t/\tFALSE\t0\tname\tsecret",
      "a.example\tFALSE\t/\tFALSE\tsoon\tname\tsecret", "a.example\tFALSE\t/\tFALSE\tnan\tname\tsecret",
      "a.example\tFALSE\t/\tFALSE\t1e300\tname\tsecret", "a.example\tFALSE\tx\tFALSE\t0\tname\tsecret",
      "\tFALSE\t/\tFALSE\t0\tname\tsecret", "a.example\tFALSE\t/\tFALSE\t0\tna;me\tsecret",
      "com\tTRUE\t/\tFALSE\t0\tname\tsecret", "a.example\tFALSE\t/\tFALSE\t0\t__Host-x\tsecret", "\0",
    ])
  func hostileCookies(line: String) throws {
    let file = "# one\n\(line)\n"
    let error = #expect(throws: OstiaryError.self) { try CookieJar(netscapeFile: Data(file.utf8), now: now) }
    #expect(error?.code == .invalidInput)
    #expect(error?.message.contains("line 2") == true)
    #expect(error.map { !"\($0)".contains("secret") } == true)
    #expect(throws: OstiaryError(.invalidInput, "")) { try CookieJar(netscapeFile: Data([0xFF]), now: now) }
  }

  // MARK: Tokens

  private func grant(_ json: String) throws -> SessionGrant {
    try SessionGrant(tokenResponse: Data(json.utf8), user: Session.User(id: "ann"), savedAt: now)
  }

  @Test(
    "Tokens are found under the names that people give them",
    arguments: [
      #"{"access_token": "A", "refresh_token": "R", "id_token": "I", "token_type": "Bearer"}"#,
      #"{"accessToken": "A", "refreshToken": "R", "idToken": "I", "token_type": "Bearer"}"#,
      #"{"AccessToken": "A", "RefreshToken": "R", "IdToken": "I", "token_type": "Bearer"}"#,
      #"{"token": {"accessToken": "A", "refresh_token": "R", "ID-Token": "I", "token_type": "Bearer"}}"#,
      #""{\"access_token\":\"A\",\"refresh_token\":\"R\",\"id_token\":\"I\",\"token_type\":\"Bearer\"}""#,
    ])
  func tokens(json: String) throws {
    let grant = try grant(json)
    #expect(grant.proof.tokens == ["access_token": "A", "refresh_token": "R", "id_token": "I"])
    #expect(grant.attributes == ["token_type": "Bearer"])
    #expect(grant.expiresAt == nil)
    #expect(grant.user.id == "ann")
  }

  @Test(
    "When they end is understood in the forms that people keep it in",
    arguments: [
      (#""expires_in": 3600"#, 1_800_003_600), (#""expiresIn": "3600""#, 1_800_003_600),
      (#""expires_in": 3600, "issued_at": 1700000000"#, 1_700_003_600),
      (#""expires_in": 3600, "issued_at": "1700000000123""#, 1_700_003_600.123),
      (#""expires_at": 1800000123"#, 1_800_000_123), (#""expiresAt": 1800000123456"#, 1_800_000_123.456),
      (#""expiry": "2027-01-15T08:00:00Z""#, 1_800_000_000),
      (#""expiration": "2027-01-15T08:00:00.250Z""#, 1_800_000_000.25),
      // A Date as JSONEncoder writes it: seconds since 2001.
      (#""expirationDate": 821692800.5"#, 1_800_000_000.5),
      (#""expires_at": 1800000123, "expires_in": 5"#, 1_800_000_123),
      (#""expires_in": -1"#, nil), (#""expires_in": 1e300"#, nil), (#""expires_at": "soon""#, nil),
      (#""expires_at": null, "expires_in": 0"#, 1_800_000_000), (#""expires_in": true"#, nil),
    ] as [(String, Double?)])
  func ends(member: String, seconds: Double?) throws {
    let grant = try grant(#"{"access_token": "A", \#(member)}"#)
    #expect(grant.expiresAt == seconds.map { Date(timeIntervalSince1970: $0) })
    #expect(grant.attributes.isEmpty)
  }

  @Test("What Swift's own encoder makes of a struct of tokens is read")
  func codable() throws {
    struct Tokens: Codable {
      var accessToken = "A"
      var refreshToken: String? = "R"
      var expiresAt: Date
      var scopes = ["read"]
    }
    let grant = try SessionGrant(
      tokenResponse: try JSONEncoder().encode(Tokens(expiresAt: now + 60)), user: Session.User(id: "ann"), savedAt: now)
    #expect(grant.proof.tokens == ["access_token": "A", "refresh_token": "R"])
    #expect(grant.expiresAt == now + 60)
    #expect(grant.attributes == ["scopes": .array(["read"])])
    let session = Session(
      kind: AuthenticatorKind("oauth"), server: try #require(URL(string: "https://id.example")),
      version: ProofVersion(), grant: grant,
      issuedAt: now)
    #expect(!"\(session)".contains("A\""))
  }

  @Test(
    "Invariant 14: what holds no access token is refused, and not shown",
    arguments: [
      "", "secret", "[]", #""secret""#, #""\"secret\"""#, "{}", #"{"access_token": ""}"#, #"{"access_token": 7}"#,
      #"{"refresh_token": "secret"}"#, #"{"a": {"access_token": "secret"}, "b": {"access_token": "secret"}}"#,
      String(repeating: "[", count: 100_000), #"{"access_token": "secret""#,
    ])
  func hostileTokens(json: String) throws {
    let error = #expect(throws: OstiaryError.self) { try grant(json) }
    #expect(error?.code == .invalidInput)
    #expect(error.map { !"\($0)".contains("secret") } == true)
  }

  // MARK: Stores

  @Test("Sessions move from a plain store to an encrypted one, also when that was interrupted before")
  func adopting() async throws {
    let temporary = try TemporaryFolder()
    let plain = FileStore(folder: temporary.url.appending(path: "plain"))
    let sealed = EncryptedFileStore(in: temporary.store, key: .given(.random()))
    let keys = ["a", "b", "c"].map { SessionKey($0) }
    for key in keys { try await plain.save(Data(key.name.utf8), for: key, replacing: .nothing) }
    // As if it had been interrupted: here already, and there still.
    try await sealed.save(Data("a".utf8), for: keys[0], replacing: .nothing)
    // Here is something else: both stay.
    try await sealed.save(Data("newer".utf8), for: keys[1], replacing: .nothing)
    await #expect(throws: OstiaryError(.storeConflict, "")) { try await sealed.adopt(plain) }
    #expect(try await plain.accounts() == [keys[1]])
    #expect(await sealed.load(keys[0]) == .present(Data("a".utf8)))
    #expect(await sealed.load(keys[1]) == .present(Data("newer".utf8)))
    #expect(await sealed.load(keys[2]) == .present(Data("c".utf8)))
    try await plain.removeAll()
    try await sealed.adopt(plain)
  }
}
