import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import Testing

@Suite("Layers: a gate in front of another session")
struct LayerTests {
  /// A gate in front of a server that has a session of its own in a cookie.
  private struct World {
    let gate = GateWorld()
    let inner: SessionManager
    let outer: SessionManager

    init() {
      outer = gate.manager()
      inner = SessionManager(
        authenticator: CookieWorld.Client(), transport: AuthenticatedTransport(outer),
        credentials: .upFront(ManagerFixture.ann), clock: gate.clock)
    }

    var http: AuthenticatedTransport { AuthenticatedTransport(inner) }

    /// Lets a path behind the gate answer so.
    func behindGate(
      _ method: HTTPRequest.Method, _ path: String, status: HTTPResponse.Status = .ok, _ fields: HTTPFields
    ) {
      gate.transport.on(method, path) { request in
        guard request.head.headerFields[.cookie]?.contains("gate=") == true else {
          return TransportResponse(HTTPResponse(status: .ok), body: Data("who are you?".utf8))
        }
        return .status(status, headerFields: fields)
      }
    }

    func cookies(of request: TransportRequest?) -> Set<String> {
      Set(
        (request?.head.headerFields[.cookie] ?? "").split(separator: "; ").map { $0.prefix { $0 != "=" } }.map(
          String.init))
    }
  }

  @Test("Each layer keeps its own cookies and adds its own proof")
  func cookies() async throws {
    let world = World()
    world.behindGate(.post, "/sign-in", [.setCookie: "sid=one; Path=/; Secure"])
    world.behindGate(.get, "/things", [.setCookie: "theme=dark; Path=/"])
    _ = try await world.http.send(ManagerFixture.request())
    #expect(world.cookies(of: world.gate.transport.requests.last) == ["gate", "sid"])
    #expect(world.outer.current?.proof.cookies.cookies.map(\.name) == ["gate"])
    #expect(Set(world.inner.current?.proof.cookies.cookies.map(\.name) ?? []) == ["sid", "theme"])
  }

  @Test("A cookie on a redirect reaches the layer that follows it")
  func redirects() async throws {
    let world = World()
    world.behindGate(.post, "/sign-in", [.setCookie: "sid=one; Path=/; Secure"])
    var fields: HTTPFields = [.location: "/next"]
    fields[values: .setCookie] = ["step=1; Path=/", "gate=\(1); Path=/; Secure"]
    world.behindGate(.get, "/things", status: .found, fields)
    #expect(try await world.http.send(ManagerFixture.request()).text == "come in")
    #expect(world.cookies(of: world.gate.transport.requests.last) == ["gate", "sid", "step"])
    #expect(world.gate.transport.count(.get, "/next") == 1)
    #expect(world.outer.current?.proof.cookies.cookies.map(\.name) == ["gate"])
  }

  @Test("The outer session expires alone: the inner one is not touched")
  func outerExpires() async throws {
    let world = World()
    world.behindGate(.post, "/sign-in", [.setCookie: "sid=one; Path=/; Secure"])
    _ = try await world.http.send(ManagerFixture.request())
    let inner = world.inner.current?.version
    world.gate.expire()
    #expect(try await world.http.send(ManagerFixture.request("/more", method: .post)).text == "come in")
    #expect(world.gate.signIns == 2)
    #expect(world.inner.current?.version == inner)
    #expect(world.gate.transport.count(.post, "/sign-in") == 2, "once challenged by the gate, once answered")
  }

  @Test("The inner session ends alone")
  func innerEnds() async throws {
    let world = World()
    world.behindGate(.post, "/sign-in", [.setCookie: "sid=one; Path=/; Secure"])
    world.behindGate(.post, "/sign-out", [:])
    _ = try await world.http.send(ManagerFixture.request())
    #expect(await world.inner.signOut().isComplete)
    #expect(world.outer.status.isSignedIn)
    #expect(
      world.cookies(of: world.gate.transport.requests.last) == ["gate"], "the gate's proof goes with the sign-out")
  }
}
