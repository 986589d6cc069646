import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryDialect
import OstiaryNewzulu
import OstiaryTesting
import TestSupport
import Testing

@Suite("Newzulu's protocol as a document")
struct NewzuluDialectTests {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "newzulu.json")

  @Test("DIA-N1: the document of the defaults is the one that is written down, and has no problem")
  func written() throws {
    let written = try Dialect(json: Data(contentsOf: Self.file))
    let made = NewzuluConfiguration().dialect
    #expect(made == written)
    #expect(made.check() == [])
    #expect(try Dialect(json: made.json()) == made)
  }

  @Test("DIA-N1: so has one of other names, in forms, and of names that mean something in a document")
  func renamed() throws {
    let file = try NewzuluPlatformConfiguration(contentsOf: ConfigurationFileTests.example)
    #expect(file.names.dialect.check() == [])
    var hostile = NewzuluConfiguration()
    hostile.tokenName = "a/b~c"
    hostile.answerKeys.result = "~/"
    hostile.calls.confirmCredentials = "{password}"
    hostile.signInArguments = ["{token}": "{username}", "list": .array(["}}", "{{"]), "none": .null]
    hostile.sessionFailureNumbers = []
    for encoding in NewzuluEncoding.allCases {
      hostile.encoding = encoding
      #expect(hostile.dialect.check() == [])
      #expect(try Dialect(json: hostile.dialect.json()) == hostile.dialect)
    }
    hostile.sessionFailurePhrases = []
    #expect(hostile.dialect.check() == [])
  }

  @Test("DIA-N2: braces in an argument are sent as they are, and are no values", arguments: NewzuluEncoding.allCases)
  func constants(_ encoding: NewzuluEncoding) async throws {
    let stub = NewzuluStub()
    var configuration = NewzuluConfiguration()
    configuration.encoding = encoding
    configuration.signInArguments["note"] = "{password} {{x}}"
    _ = try await stub.signIn(configuration)
    #expect(stub.calls.first?.arguments["note"] == "{password} {{x}}")
  }

  @Test("DIA-N3: the document alone signs in, tells a wrong password, and knows an ending")
  func alone() async throws {
    let stub = NewzuluStub()
    let authenticator = try DialectAuthenticator(
      dialect: Dialect(json: Data(contentsOf: Self.file)), server: stub.url,
      settings: ["apiKey": NewzuluStub.key, "vhost": "206"])
    let grant = try await authenticator.signIn(
      with: .password(username: "ann@example.com", password: "apple"), in: stub.context)
    #expect(grant.user == Session.User(id: "11", displayName: "ann"))
    #expect(grant.attributes["firstname"] == "Ann" && grant.attributes["lastname"] == "Avery")
    let error = await failure {
      try await authenticator.signIn(with: .password(username: "ann@example.com", password: "no"), in: stub.context)
    }
    #expect(error?.code == .invalidCredentials)
    let session = Session(
      kind: authenticator.kind, server: stub.url, version: ProofVersion(), grant: grant, issuedAt: Date())
    guard case .valid = try await authenticator.verify(session, in: stub.context) else {
      Issue.record("not valid")
      return
    }
    stub.dropSessions()
    guard case .invalid = try await authenticator.verify(session, in: stub.context) else {
      Issue.record("still valid")
      return
    }
    let over = response("{\"status\":false,\"message\":\"Session expired\"}")
    guard case .rejected(_, false) = authenticator.judge(over, to: try .get(stub.url)) else {
      Issue.record("accepted")
      return
    }
  }

  @Test("DIA-N4: a session that an earlier version has stored is used as before")
  func stored() async throws {
    let stub = NewzuluStub()
    let authenticator = try stub.authenticator()
    let grant = try await stub.signIn()
    #expect(grant.proof.tokens.keys.sorted() == [NewzuluAuthenticator.sessionToken])
    let old = Session(
      kind: .newzulu, server: stub.url, version: ProofVersion(),
      grant: SessionGrant(user: grant.user, proof: Proof(tokens: ["sessiontoken": try #require(grant.token)])),
      issuedAt: Date())
    guard case .valid(let attributes) = try await authenticator.verify(old, in: stub.context) else {
      Issue.record("not valid")
      return
    }
    #expect(attributes?["user"] == "ann" && attributes?["sessiontoken"] == nil)
  }
}
