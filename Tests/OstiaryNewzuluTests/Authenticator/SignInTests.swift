import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryNewzulu
import OstiaryTesting
import TestSupport
import Testing

@Suite("Signing in to a Newzulu platform")
struct SignInTests {
  @Test(
    "Newzulu-N2, NS1, NS3: a login gives a session and the user, by JSON and by form",
    arguments: NewzuluEncoding.allCases)
  func signIn(_ encoding: NewzuluEncoding) async throws {
    let stub = NewzuluStub()
    var configuration = NewzuluConfiguration()
    configuration.encoding = encoding
    let grant = try await stub.signIn(configuration)
    #expect(grant.user == Session.User(id: "11", displayName: "Ann Avery"))
    #expect(grant.token?.reveal().count == 60)
    #expect(grant.attributes["sessiontoken"] == nil)
    let call = try #require(stub.calls.first)
    #expect(call.method == "users.confirmcredentials")
    #expect(call.arguments["APIKEY"] == .string(NewzuluStub.key.reveal()))
    #expect(call.arguments["vhost"] == "206")
    #expect(call.contentType.hasSuffix(encoding == .json ? "json" : "urlencoded"))
    #expect(stub.transport.requests.first?.timeout == .seconds(15))
  }

  @Test("NS2: a result of false with HTTP 200 is the server's word that the password is wrong")
  func wrong() async throws {
    let stub = NewzuluStub()
    stub.intercept { _ in response("{\"status\":true,\"result\":false}") }
    let error = await failure { try await stub.signIn() }
    #expect(error?.code == .invalidCredentials)
    #expect(error?.disposition == .terminal)
  }

  /// What PHP takes for `false`, and is not the documented word.
  static let almostFalse = ["0", "\"\"", "null", "\"0\"", "[]", "{}", "0.0", "\"false\"", "[false]"]

  @Test("Bug-F16: nothing but the documented false is a wrong password", arguments: almostFalse)
  func almostWrong(_ result: String) async throws {
    let stub = NewzuluStub()
    stub.intercept { _ in response("{\"status\":true,\"result\":\(result)}") }
    let error = await failure { try await stub.signIn() }
    #expect(error?.code == .unexpectedResponse)
    #expect(error?.isTransient == true)
  }

  @Test("Bug-F16: nothing but the documented false ends a session that is verified", arguments: almostFalse + ["false"])
  func almostOver(_ result: String) async throws {
    let stub = NewzuluStub()
    let session = try await stub.signIn().session(at: stub.url)
    stub.intercept { _ in response("{\"status\":true,\"result\":\(result)}") }
    let authenticator = try stub.authenticator()
    let verification = try? await authenticator.verify(session, in: stub.context)
    if case .invalid = verification { #expect(result == "false") } else { #expect(result != "false") }
  }

  @Test("NS2: a wrong password and an unknown user are the same")
  func unknown() async throws {
    let stub = NewzuluStub()
    for (name, password) in [("ann@example.com", "avocado"), ("nobody@example.com", "apple")] {
      let error = await failure {
        try await stub.authenticator().signIn(
          with: .password(username: name, password: Secret(password)), in: stub.context)
      }
      #expect(error?.code == .invalidCredentials)
    }
    #expect(stub.logins == 0)
  }

  @Test("Newzulu-N3: an answer that can't be understood says nothing about the password", arguments: nonsense)
  func misunderstood(_ name: String, _ answer: TransportResponse) async throws {
    let stub = NewzuluStub()
    stub.intercept { _ in answer }
    let error = await failure { try await stub.signIn() }
    #expect(error?.code == .unexpectedResponse, "\(name)")
    #expect(error?.isTransient == true)
  }

  @Test(
    "Newzulu-N3: so does a login without a user, or without a session",
    arguments: [
      "{\"id\":\"1\",\"sessiontoken\":\"t\"}", "{\"user\":\"ann\",\"sessiontoken\":\"t\"}",
      "{\"id\":\"1\",\"user\":\"ann\"}", "{\"id\":\"1\",\"user\":\"ann\",\"sessiontoken\":\"\"}",
      "{\"id\":\"1\",\"user\":\"ann\",\"sessiontoken\":\"a\\r\\nb\"}",
      "{\"id\":\"1\",\"user\":\"ann\",\"sessiontoken\":5}",
      "\"1\"", "true", "[\"x\"]",
    ])
  func incomplete(_ result: String) async throws {
    let stub = NewzuluStub()
    stub.intercept { _ in response("{\"status\":true,\"result\":\(result)}") }
    #expect(await failure { try await stub.signIn() }?.code == .unexpectedResponse)
  }

  @Test("NS5: an invalid key, even a failure that speaks of a session, is no word about the password")
  func refused() async throws {
    let stub = NewzuluStub()
    for body in [
      "{\"status\":false,\"message\":\"Invalid API key\",\"code\":100}",
      "{\"status\":false,\"message\":\"Invalid session token\"}",
    ] {
      stub.intercept { _ in response(body) }
      let error = await failure { try await stub.signIn() }
      #expect(error?.code == .newzuluRefused)
      #expect(error?.disposition == .misuse)
      #expect(error?.underlying is NewzuluRefusal)
    }
  }

  @Test("A refusal says what the server said, without what would disturb a terminal")
  func serversWords() async throws {
    let stub = NewzuluStub()
    for (body, message) in [
      (
        #"{"status":false,"message":"No vhost","code":110}"#,
        "The server refused the call of “users.confirmCredentials”: “No vhost” (110)."
      ),
      (
        #"{"status":false,"message":"\u001b]0;\u009bx\u202e!\n"}"#,
        "The server refused the call of “users.confirmCredentials”: “]0;x!”."
      ),
      (#"{"status":false,"code":5}"#, "The server refused the call of “users.confirmCredentials” (5)."),
    ] {
      stub.intercept { _ in response(body) }
      #expect(await failure { try await stub.signIn() }?.message == message)
    }
  }

  @Test("An empty address or password is not sent", arguments: [("", "x"), ("  ", "x"), ("ann", "")])
  func empty(_ name: String, _ password: String) async throws {
    let stub = NewzuluStub()
    let error = await failure {
      try await stub.authenticator().signIn(
        with: .password(username: name, password: Secret(password)), in: stub.context)
    }
    #expect(error?.code == .invalidInput)
    #expect(stub.transport.count == 0)
  }

  @Test(
    "Passwords arrive as they are, by JSON and by form",
    arguments: ["100%", "a+b", "a&b=c", "é", "日本", "two words", " ", "line\nbreak", "\"'<>#?/\\", "🔑", "[]", "a[b]=c"],
    NewzuluEncoding.allCases)
  func passwords(_ password: String, _ encoding: NewzuluEncoding) async throws {
    let stub = NewzuluStub()
    stub.setAccounts { $0[0].password = password }
    var configuration = NewzuluConfiguration()
    configuration.encoding = encoding
    let grant = try await stub.authenticator(configuration).signIn(
      with: .password(username: "ann@example.com", password: Secret(password)), in: stub.context)
    #expect(grant.user.id == "11")
  }

  @Test("A session token obtained elsewhere is taken over once the server says whose it is")
  func takeOver() async throws {
    let stub = NewzuluStub()
    let token = try #require(try await stub.signIn().token)
    let authenticator = try stub.authenticator()
    let grant = try await authenticator.signIn(with: .proof(Proof(tokens: ["sessiontoken": token])), in: stub.context)
    #expect(grant.user.id == "11")
    #expect(grant.token == token)
    stub.dropSessions()
    let error = await failure {
      try await authenticator.signIn(with: .proof(Proof(tokens: ["sessiontoken": token])), in: stub.context)
    }
    #expect(error?.code == .invalidCredentials)
    let unknown = await failure { try await authenticator.signIn(with: .proof(Proof()), in: stub.context) }
    #expect(unknown?.code == .unsupportedCredential)
  }

  @Test("Verifying asks with the token alone; a dead session is a definite no, anything else can't be told")
  func verify() async throws {
    let stub = NewzuluStub()
    let authenticator = try stub.authenticator()
    let session = try await stub.signIn().session(at: stub.url)
    guard case .valid = try await authenticator.verify(session, in: stub.context) else {
      Issue.record("not valid")
      return
    }
    #expect(stub.calls.last?.arguments["password"] == nil)
    stub.intercept { _ in response("<h1>Hotel</h1>", "text/html") }
    #expect(await failure { try await authenticator.verify(session, in: stub.context) }?.code == .unexpectedResponse)
    stub.intercept { _ in .status(.serviceUnavailable) }
    #expect(await failure { try await authenticator.verify(session, in: stub.context) }?.code == .serverUnavailable)
    stub.intercept(nil)
    stub.dropSessions()
    guard case .invalid = try await authenticator.verify(session, in: stub.context) else {
      Issue.record("still valid")
      return
    }
  }

  @Test("Another user's answer does not pass for this session's")
  func verifyOther() async throws {
    let stub = NewzuluStub()
    let session = try await stub.signIn().session(at: stub.url)
    stub.intercept { _ in response("{\"status\":true,\"result\":{\"id\":\"12\",\"user\":\"ben\"}}") }
    guard case .invalid = try await stub.authenticator().verify(session, in: stub.context) else {
      Issue.record("taken for valid")
      return
    }
  }

  @Test("Ending a session sends nothing: the platform documents no such call")
  func end() async throws {
    let stub = NewzuluStub()
    let session = try await stub.signIn().session(at: stub.url)
    try await stub.authenticator().end(session, in: stub.context)
    #expect(stub.transport.count == 1)
  }

  @Test(
    "An address that is none is refused when the client is made",
    arguments: ["ftp://x", "file:///x", "https://u:p@host", "x", "https://host/?a=b"])
  func addresses(_ text: String) throws {
    let url = try #require(URL(string: text))
    #expect(throws: OstiaryError(.invalidRequest, "")) {
      try NewzuluAuthenticator(server: url, apiKey: "k", vhost: "1")
    }
  }
}
