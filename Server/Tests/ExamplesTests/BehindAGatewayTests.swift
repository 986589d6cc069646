import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import Testing

@Suite("The example behind a gateway", .timeLimit(.minutes(20)))
struct BehindAGatewayTests {
  /// A gateway that answers everything with a login form until a user has signed in.
  private func gateway() throws -> LoopbackServer {
    try LoopbackServer { request in
      let isIn = request.fields[.cookie]?.contains("gate=open") == true
      if request.method == "POST" {
        guard request.text == "user=ann&password=green+bottles" else { return [Self.page] }
        return [.redirect(302, to: "/welcome", [("Set-Cookie", "gate=open; Path=/; HttpOnly")])]
      }
      if isIn || request.path == "/welcome" { return [.response(200, body: "hello from \(request.path)")] }
      return [Self.page]
    }
  }

  private static let page = LoopbackServer.Action.response(
    200, [("Content-Type", "text/html")],
    body: "<form action=/login method=post><input name=user><input type=password name=password></form>")

  @Test("Three requests meet the login form, one form is sent, three answers come")
  func signsIn() async throws {
    let gateway = try gateway()
    defer { gateway.stop() }
    let run = try await Example.run(
      "BehindAGateway", [gateway.url("/api").absoluteString, "ann"], input: "green bottles")
    #expect(run.status == 0)
    for number in 1...3 { #expect(run.output.contains("\(number) 200 OK hello from /api/things/\(number)")) }
    #expect(run.output.contains("ann: signed in because the server demanded sign-in"))
    #expect(gateway.requests.filter { $0.method == "POST" }.count == 1)
    #expect(!run.output.contains("green bottles"))
  }

  @Test("A wrong password is one sentence")
  func wrongPassword() async throws {
    let gateway = try gateway()
    defer { gateway.stop() }
    let run = try await Example.run("BehindAGateway", [gateway.url("/api").absoluteString, "ann"], input: "ten")
    #expect(run.status == 1)
    #expect(run.lines.last?.contains("Check the user name and password.") == true)
  }
}
