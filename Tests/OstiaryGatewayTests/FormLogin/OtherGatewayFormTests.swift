import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryGateway
import OstiaryTesting
import Testing

/// Behind a gateway there may be another one, whose form is the first thing that a sign-in at the first one leads to.
@Suite("Form login: the form of another gateway") struct OtherGatewayFormTests {
  /// A gateway that accepts one password and then leads to `landing`.
  private func signIn(_ password: Secret, landing: TransportResponse, at place: String) async throws {
    let page = TransportResponse.html(
      "<form action=/login method=post><input name=a_user><input type=password name=a_word></form>")
    let transport = ScriptedTransport { request in
      let path = request.head.path ?? "/"
      if request.head.method == .post, path == "/login" {
        let isRight = String(decoding: request.body ?? Data(), as: UTF8.self).contains("a_word=right")
        var response = TransportResponse.status(.seeOther)
        response.head.headerFields[.location] = place
        if isRight { response.head.headerFields[.setCookie] = "in=1; Path=/" }
        return response
      }
      if path.hasPrefix(place) { return landing }
      return request.head.headerFields[.cookie]?.contains("in=") == true ? .json(["in": true]) : page
    }
    var configuration = SessionConfiguration()
    configuration.retry = .none
    let login = try FormLogin(at: FormGateway.server, sign: .fields("a_user", "a_word"))
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

  @Test("It says nothing of the password that was sent to this one, and no password is forgotten")
  func behind() async throws {
    try await signIn("right", landing: Self.other, at: "/start")
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
