import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryGateway
import OstiaryTesting
import TestSupport
import Testing

/// Behind a gateway there may be another one, whose form is the first thing that a sign-in at the first one leads to.
@Suite("Form login: the form of another gateway") struct OtherGatewayFormTests {
  /// A gateway that accepts one password and then leads to `landing`.
  private func signIn(
    _ password: Secret, landing: TransportResponse, at place: String,
    sign: LoginFormSign = .fields("a_user", "a_word"), demands: Bool = false
  ) async throws {
    let form = TransportResponse.html(
      "<form action=/login method=post><input name=a_user><input type=password name=a_word></form>")
    let page = demands ? Self.demand(of: "outer", login: "https://gate.example/form") : form
    let transport = ScriptedTransport { request in
      let path = request.head.path ?? "/"
      if request.head.method == .post, path == "/login" {
        let isRight = String(decoding: request.body ?? Data(), as: UTF8.self).contains("a_word=right")
        var response = TransportResponse.status(.seeOther)
        response.head.headerFields[.location] = place
        if isRight { response.head.headerFields[.setCookie] = "in=1; Path=/" }
        return response
      }
      if path == "/form" { return form }
      if path.hasPrefix(place) { return landing }
      return request.head.headerFields[.cookie]?.contains("in=") == true ? .json(["in": true]) : page
    }
    var configuration = SessionConfiguration()
    configuration.retry = .none
    let login = try FormLogin(at: FormGateway.server, sign: sign)
    let manager = SessionManager(
      authenticator: try GatewayAuthenticator(server: FormGateway.server, handlers: [login]), transport: transport,
      credentials: .upFront(.password(username: "ann", password: password)), configuration: configuration)
    let response = try await AuthenticatedTransport(manager).send(FormGateway.request())
    #expect(String(decoding: response.body, as: UTF8.self).contains("in"))
  }

  private static let other = TransportResponse.html(
    "<form action=https://other.example/door method=post><input name=u><input type=password name=p></form>")
  private static let restyled = TransportResponse.html(
    "<p>Try again.</p><form action=/login method=post><input name=u><input type=password name=p></form>")

  /// The challenge for programs of a gateway of this name.
  private static func demand(of gateway: String, login: String) -> TransportResponse {
    TransportResponse(
      HTTPResponse(
        status: .unauthorized,
        headerFields: [
          .wwwAuthenticate: "Ostiary-Gateway realm=\"\(gateway)\"", .contentType: GatewayDemand.mediaType,
        ]),
      body: Data(#"{"challenge":"login-form","gateway":"\#(gateway)","login":"\#(login)"}"#.utf8))
  }

  @Test(
    "It says nothing of the password that was sent to this one, and no password is forgotten",
    arguments: [LoginFormSign.fields("a_user", "a_word"), .anyPassword])
  func behind(sign: LoginFormSign) async throws {
    try await signIn("right", landing: Self.other, at: "/start", sign: sign)
  }

  @Test("Nor does another gateway's challenge for programs")
  func demandBehind() async throws {
    let landing = Self.demand(of: "inner", login: "https://other.example/door")
    try await signIn("right", landing: landing, at: "/start")
    try await signIn("right", landing: landing, at: "/start", demands: true)
  }

  @Test(
    "The own challenge for programs is a refusal: by the gateway's name, or by the login page",
    arguments: [("outer", "elsewhere"), ("other", "form")])
  func ownDemand(name: String, login: String) async throws {
    let landing = Self.demand(of: name, login: "https://gate.example/\(login)")
    let error = await failure { try await signIn("wrong", landing: landing, at: "/start", demands: true) }
    #expect(error?.code == .invalidCredentials)
  }

  @Test("Without an exact sign a form elsewhere with a password field of the same name is the own one: a refusal")
  func sameField() async throws {
    let landing = TransportResponse.html(
      "<p>Try again.</p><form action=/again method=post><input name=u><input type=password name=a_word></form>")
    let error = await failure { try await signIn("wrong", landing: landing, at: "/oops", sign: .anyPassword) }
    #expect(error?.code == .invalidCredentials)
  }

  @Test(
    "Nor does a refusal of a server behind this one",
    arguments: [
      TransportResponse.status(.unauthorized), .status(.forbidden), .html("<p>No token.", status: .unauthorized),
      .html("<p>Not for you.", status: .forbidden),
    ])
  func refusalBehind(landing: TransportResponse) async throws {
    try await signIn("right", landing: landing, at: "/start")
  }

  @Test(
    "A form that is sent to this login's address, without its sign, is a refusal",
    arguments: ["/start", "/login-again"])
  func refusal(place: String) async throws {
    let error = await failure { try await signIn("wrong", landing: Self.restyled, at: place) }
    #expect(error?.code == .invalidCredentials)
  }
}
