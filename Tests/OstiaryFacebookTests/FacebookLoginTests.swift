import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryFacebook
import OstiaryOAuth
import OstiaryTesting
import TestSupport
import Testing

@Suite("Login with Facebook", .timeLimit(.minutes(20)))
struct FacebookLoginTests {
  let graph = GraphStub()
  let redirect = URL(string: "fb1234567://authorize") ?? URL(filePath: "/")

  init() {
    graph.add(
      .init(id: "42", fields: ["name": "Ann", "email": "ann@example.com", "first_name": "Ann", "gender": "female"]))
    graph.add(.init(id: "43", fields: ["name": "Bob", "email": "bob@example.com"], declined: ["email"]))
  }

  var context: AuthenticationContext { AuthenticationContext(transport: graph.transport) }

  func makeLogin(
    secret: Bool = false, _ change: (inout FacebookConfiguration) -> Void = { _ in },
    _ token: @escaping @Sendable ([String]) async throws -> FacebookToken
  ) throws -> FacebookLogin {
    var configuration = try FacebookConfiguration(
      appID: GraphStub.appID, appSecret: secret ? GraphStub.appSecret : nil)
    change(&configuration)
    return FacebookLogin(configuration, tokens: .handedOver(token))
  }

  @Test(
    "Primer-P10: the fields that Facebook returned, and the picture's address at 800 × 800", arguments: [true, false])
  func fields(_ hasSecret: Bool) async throws {
    let token = graph.grant("42")
    let login = try makeLogin(secret: hasSecret) { permissions in
      #expect(permissions == ["public_profile", "email"])
      return FacebookToken(token, userID: "42")
    }
    let user = try await login.signIn(in: context)
    #expect(user.id == "42" && user.token.userID == "42")
    #expect(
      user.fields == [
        "id": "42", "name": "Ann", "email": "ann@example.com", "first_name": "Ann",
        "profile_pic": "https://pictures.example/800x800/42.jpg",
      ])
    #expect((user.token.expiresAt != nil) == hasSecret)
  }

  @Test("Primer-P10: what the user has declined, or does not have, is simply absent")
  func declined() async throws {
    let token = graph.grant("43")
    let user = try await makeLogin { _ in FacebookToken(token) }.signIn(in: context)
    #expect(user.fields.keys.sorted() == ["id", "name", "profile_pic"])
  }

  @Test("Other fields and permissions are asked for as the app says; no picture is one setting")
  func settings() async throws {
    let token = graph.grant("42")
    let login = try makeLogin {
      $0.fields = ["gender"]
      $0.permissions = ["user_gender"]
      $0.pictureSize = nil
    } _: { permissions in
      #expect(permissions == ["user_gender"])
      return FacebookToken(token)
    }
    let user = try await login.signIn(in: context)
    #expect(user.fields == ["id": "42", "gender": "female"])
    #expect(graph.transport.count(.get, "/v23.0/42/picture") == 0)
  }

  @Test("A token that another app was given is refused", arguments: [true, false])
  func otherApp(_ hasSecret: Bool) async throws {
    let token = graph.grant("42", app: "666")
    let login = try makeLogin(secret: hasSecret) { _ in FacebookToken(token, userID: "42") }
    let error = await #expect(throws: OstiaryError.self) { try await login.signIn(in: context) }
    #expect(error?.code == .facebookTokenRefused && error?.message.contains("another app") == true)
    #expect(graph.transport.count(.get, "/v23.0/me") == 0)
  }

  @Test("A token that is another user's than whoever handed it over says is refused", arguments: [true, false])
  func otherUser(_ hasSecret: Bool) async throws {
    let token = graph.grant("42")
    let login = try makeLogin(secret: hasSecret) { _ in FacebookToken(token, userID: "43") }
    let error = await #expect(throws: OstiaryError.self) { try await login.signIn(in: context) }
    #expect(error?.code == .facebookTokenRefused && error?.message.contains("another user") == true)
  }

  @Test("A token that has ended is refused, and says why where Facebook does", arguments: [true, false])
  func ended(_ hasSecret: Bool) async throws {
    let token = graph.grant("42")
    graph.end(token, subcode: 460)
    let login = try makeLogin(secret: hasSecret) { _ in FacebookToken(token) }
    let error = await #expect(throws: OstiaryError.self) { try await login.signIn(in: context) }
    #expect(error?.code == .facebookTokenRefused && error?.disposition == .terminal)
    if !hasSecret {
      #expect(error?.message.contains("password has been changed") == true)
      #expect((error?.underlying as? GraphRefusal)?.subcode == 460)
    }
  }

  @Test(
    "With the app's secret every call in the user's name proves that it comes from the app, and no call shows the token"
  )
  func proof() async throws {
    let token = graph.grant("42")
    _ = try await makeLogin(secret: true) { _ in FacebookToken(token) }.signIn(in: context)
    let paths = graph.transport.requests.compactMap(\.head.path)
    #expect(paths.filter { $0.contains("appsecret_proof=") }.count == 2)
    // `debug_token` takes the token in its query and nowhere else.
    #expect(paths.filter { $0.contains(token.reveal()) }.count == 1)
    #expect(!paths.contains { $0.contains(GraphStub.appSecret.reveal()) })
  }

  @Test("Bug-F38: a wrong app secret is a mistake of the program, and no word about the user's token")
  func wrongSecret() async throws {
    let token = graph.grant("42")
    let configuration = try FacebookConfiguration(appID: GraphStub.appID, appSecret: "wrong")
    let login = FacebookLogin(configuration, tokens: .handedOver { _ in FacebookToken(token) })
    func expectMisuse(_ error: OstiaryError?, code: Int) {
      #expect(error?.code == .facebookRefused && error?.disposition == .misuse)
      #expect((error?.underlying as? GraphRefusal)?.code == code)
      #expect(error?.description.contains("wrong") == false)
    }
    expectMisuse(await failure { try await login.signIn(in: context) }, code: 190)
    // The proof that goes with calls in the user's name is refused by another number.
    let right = try makeLogin(secret: true) { _ in FacebookToken(token) }
    graph.transport.inject(
      .respond(
        GraphStub.error(100, "Invalid appsecret_proof provided in the API argument", type: "GraphMethodException")),
      into: .get("/v23.0/me"))
    expectMisuse(await failure { try await right.signIn(in: context) }, code: 100)
  }

  @Test(
    "Bug-F38: so is a wrong secret or identifier at the exchange of a code",
    arguments: [(1, "Error validating client secret."), (101, "Error validating application.")] as [(Int64, String)])
  func wrongSecretAtExchange(_ code: Int64, _ words: String) async throws {
    graph.transport.inject(
      .respond(GraphStub.error(code, words, type: "OAuthException")), into: .post("/v23.0/oauth/access_token"))
    let agent = ClosureUserAgent { request in
      URL(string: "fb1234567://authorize?code=c&state=\(request.state.reveal())") ?? request.url
    }
    let login = FacebookLogin(
      try FacebookConfiguration(appID: GraphStub.appID, appSecret: "wrong"),
      tokens: .browser(agent, redirectURI: redirect))
    let error = await failure { try await login.signIn(in: context) }
    #expect(error?.code == .facebookRefused && error?.disposition == .misuse)
  }

  @Test("A picture that can't be had ends no login")
  func noPicture() async throws {
    let token = graph.grant("42")
    graph.transport.inject(.respond(.status(.internalServerError)), into: .get("/v23.0/42/picture"))
    let user = try await makeLogin { _ in FacebookToken(token) }.signIn(in: context)
    #expect(user.fields["profile_pic"] == nil && user.fields["name"] == "Ann")
  }

  @Test("A network that breaks and a server that fails are no word about the token")
  func transient() async throws {
    let token = graph.grant("42")
    let login = try makeLogin { _ in FacebookToken(token) }
    graph.transport.inject(.dropAfterServerActed, into: .get("/v23.0/me"), at: .nth(1))
    await #expect(throws: OstiaryError(.connectionLost, "")) { try await login.signIn(in: context) }
    for answer: TransportResponse in [
      .status(.serviceUnavailable), GraphStub.error(4, "Application request limit reached", type: "OAuthException"),
    ] {
      graph.transport.setFaults()
      graph.transport.inject(.respond(answer), into: .get("/v23.0/app"))
      let error = await #expect(throws: OstiaryError.self) { try await login.signIn(in: context) }
      #expect(error?.code == .serverUnavailable && error?.isTransient == true)
    }
    graph.transport.setFaults()
    graph.transport.inject(.respond(.html("<h1>Hotel</h1>")), into: .get("/v23.0/app"))
    await #expect(throws: OstiaryError(.unexpectedResponse, "")) { try await login.signIn(in: context) }
  }

  @Test("A field that Facebook does not know is the program's mistake")
  func unknownField() async throws {
    let token = graph.grant("42")
    let answer = GraphStub.error(100, "Tried accessing nonexisting field (shoes)", type: "OAuthException")
    graph.transport.inject(.respond(answer), into: .get("/v23.0/me"))
    let login = try makeLogin { _ in FacebookToken(token) }
    let error = await #expect(throws: OstiaryError.self) { try await login.signIn(in: context) }
    #expect(error?.code == .facebookRefused && error?.disposition == .misuse)
    #expect(error?.description.contains("shoes") == false)
  }

  @Test("In a browser: a code with its verifier, whatever Facebook hangs on to the callback", arguments: ["", "#_=_"])
  func browser(_ fragment: String) async throws {
    let code = graph.code(for: "42")
    let agent = ClosureUserAgent { request in
      #expect(request.url.absoluteString.hasPrefix("https://www.facebook.com/v23.0/dialog/oauth?"))
      #expect(request.url.absoluteString.contains("scope=public_profile%2Cemail"))
      return URL(string: "fb1234567://authorize?code=\(code)&state=\(request.state.reveal())\(fragment)") ?? request.url
    }
    let login = FacebookLogin(
      try FacebookConfiguration(appID: GraphStub.appID), tokens: .browser(agent, redirectURI: redirect))
    let user = try await login.signIn(in: context)
    #expect(user.id == "42" && user.token.expiresAt != nil)
  }

  @Test(
    "Bug-F41: permissions that the user has declined are asked for again where the app says so",
    arguments: [true, false])
  func declinedPermissions(_ asksAgain: Bool) async throws {
    let code = graph.code(for: "43")
    let agent = ClosureUserAgent { request in
      let query = FormEncoding.parse(request.url.query(percentEncoded: true) ?? "")
      #expect(query.filter { $0.name == "auth_type" }.map(\.value) == (asksAgain ? ["rerequest"] : []))
      #expect(query.contains { $0.name == "scope" && $0.value == "public_profile,email" })
      return URL(string: "fb1234567://authorize/?code=\(code)&state=\(request.state.reveal())") ?? request.url
    }
    var configuration = try FacebookConfiguration(appID: GraphStub.appID)
    configuration.asksAgainForDeclinedPermissions = asksAgain
    let login = FacebookLogin(configuration, tokens: .browser(agent, redirectURI: redirect))
    #expect(try await login.signIn(in: context).id == "43")
  }

  @Test("A user who declines has declined")
  func cancelled() async throws {
    let agent = ClosureUserAgent { request in
      let text = "fb1234567://authorize?error=access_denied&error_reason=user_denied&state=\(request.state.reveal())"
      return URL(string: text) ?? request.url
    }
    let login = FacebookLogin(
      try FacebookConfiguration(appID: GraphStub.appID), tokens: .browser(agent, redirectURI: redirect))
    await #expect(throws: OstiaryError(.interactionCancelled, "")) { try await login.signIn(in: context) }
    #expect(graph.transport.count == 0)
  }

  @Test("Nothing that is shown has a token or a person in it")
  func descriptions() async throws {
    let token = graph.grant("42")
    let user = try await makeLogin { _ in FacebookToken(token, userID: "42") }.signIn(in: context)
    var text = "\(user) \(user.token)"
    dump(user, to: &text)
    #expect(!text.contains(token.reveal()) && !text.contains("ann@"))
  }

  @Test("An app without an identifier, and an empty secret, are mistakes")
  func configuration() {
    #expect(throws: OstiaryError(.invalidInput, "")) { try FacebookConfiguration(appID: "") }
    #expect(throws: OstiaryError(.invalidInput, "")) { try FacebookConfiguration(appID: "1", appSecret: "") }
  }
}
