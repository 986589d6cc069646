import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryGateway
import OstiaryTesting
import Testing

@Suite("Stacks: a gateway outside, another session inside")
struct StackTests {
  private func stack(
    _ gateway: FormGateway, _ credentials: CredentialSource = .upFront(FormGateway.password)
  ) throws -> GatewayStack {
    let authenticator = try gateway.authenticator()
    let clock = gateway.clock
    return try GatewayStack(
      over: gateway.transport,
      [
        { SessionManager(authenticator: authenticator, transport: $0, credentials: credentials, clock: clock) },
        {
          SessionManager(
            authenticator: InnerClient(), transport: $0,
            credentials: .upFront(.password(username: "in", password: "ner")), clock: clock)
        },
      ])
  }

  @Test("Requests carry the proof of all layers, and the layers end from the inside out")
  func order() async throws {
    let gateway = FormGateway()
    let stack = try stack(gateway)
    #expect(try await stack.transport.send(FormGateway.request()).status == .ok)
    let last = try #require(gateway.transport.requests.last)
    #expect(last.head.headerFields[.authorization] == "Inner 1")
    #expect(last.head.headerFields[.cookie]?.contains("gw=") == true)
    let reports = await stack.signOut()
    #expect(reports.map(\.isComplete) == [true, true])
    let ends = gateway.transport.requests.compactMap(\.head.path).filter { $0 == "/api/end" || $0 == "/logout" }
    #expect(ends == ["/api/end", "/logout"])
    #expect(stack.layers.map(\.status.isSignedIn) == [false, false])
  }

  @Test("Signing out asks no person to sign in to the gateway first; the report says that the server was not told")
  func endingContext() async throws {
    let gateway = FormGateway()
    let asked = Locked(0)
    let stack = try stack(
      gateway,
      .onRequest { _ in
        asked.withLock { $0 += 1 }
        return FormGateway.password
      })
    _ = try await stack.transport.send(FormGateway.request())
    gateway.expire()
    let reports = await stack.signOut()
    #expect(asked.withLock { $0 } == 1)
    #expect(reports.last?.serverError?.code == .interactionRequired)
    #expect(stack.layers.map(\.status.isSignedIn) == [false, false])
  }

  @Test("A logout form is fetched and sent with its token")
  func logoutForm() async throws {
    let gateway = FormGateway()
    let url = try #require(URL(string: "https://gate.example/goodbye"))
    let bodies = Locked<[String]>([])
    gateway.transport.on(.get, "/goodbye") { _ in
      .html(
        "<form action=/goodbye method=post><input type=hidden name=t value=7><button name=yes>Leave</button></form>")
    }
    gateway.transport.on(.post, "/goodbye") { request in
      bodies.withLock { $0.append(String(decoding: request.body ?? Data(), as: UTF8.self)) }
      return .status(.found, headerFields: [.location: "https://elsewhere.example/"])
    }
    var authenticator = try gateway.authenticator()
    authenticator.logout = .submitForm(at: url)
    let manager = try gateway.manager(.upFront(FormGateway.password), authenticator)
    _ = try await AuthenticatedTransport(manager).send(FormGateway.request())
    #expect(await manager.signOut().isComplete)
    #expect(bodies.withLock { $0 } == ["t=7&yes="])
    #expect(gateway.transport.requests.allSatisfy { $0.head.authority == "gate.example" })
  }
}
