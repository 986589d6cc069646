import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryNewzulu
import OstiaryTesting
import TestSupport
import Testing

/// The session's token stands among a call's arguments, and nowhere else.
@Suite("Bug-F31: where the session token is") struct TokenPlaceTests {
  private let stub = NewzuluStub()

  /// A manager with a session, and its token.
  private func signedIn() async throws -> (manager: SessionManager, token: String) {
    var configuration = SessionConfiguration()
    configuration.retry = .none
    let manager = SessionManager(
      authenticator: try stub.authenticator(), transport: stub.transport, credentials: .manual,
      configuration: configuration)
    let session = try await manager.signIn(with: .password(username: "ann@example.com", password: "apple"))
    return (manager, try #require(session.proof.tokens[NewzuluAuthenticator.sessionToken]).reveal())
  }

  private func call(_ fields: HTTPFields = [:]) throws -> TransportRequest {
    var request = try TransportRequest.post(
      stub.url.appending(path: "services/json"), body: Data("{\"method\":\"users.getLoggedInUser\"}".utf8),
      contentType: "application/json")
    request.head.headerFields.append(contentsOf: fields)
    return request
  }

  /// Where a text stands in a request.
  private func places(of text: String, in request: TransportRequest) -> Set<String> {
    var places: Set<String> = []
    if request.head.headerFields.contains(where: { $0.value.contains(text) }) { places.insert("fields") }
    if request.head.path?.contains(text) == true { places.insert("path") }
    if String(decoding: request.body ?? Data(), as: UTF8.self).contains(text) { places.insert("body") }
    return places
  }

  @Test("A manager puts it there by itself, over each transport")
  func transports() async throws {
    let (manager, token) = try await signedIn()
    let other = ScriptedTransport(handler: { _ in .json(["status": true, "result": .object([:])]) })
    _ = try await AuthenticatedTransport(manager, over: other).send(call())
    _ = try await AuthenticatedTransport(manager, over: other).stream(call())
    #expect(other.requests.map { places(of: token, in: $0) } == [["body"], ["body"]])
    let response = try await AuthenticatedTransport(manager).send(call())
    #expect(JSONValue(json: response.body)?["result"]?["id"] == "11")
    #expect(stub.transport.requests.last.map { places(of: token, in: $0) } == ["body"])
  }

  @Test("A request whose body the manager does not have gets no proof, and is told so")
  func headAlone() async throws {
    let (manager, token) = try await signedIn()
    var request = try call()
    #expect(manager.attach(to: &request.head, body: request.body) == .notCovered)
    #expect(places(of: token, in: request) == [])
    #expect(request.head == (try call().head))
  }

  @Test("A request that a server redirects elsewhere takes it nowhere", arguments: [307, 308, 302, 303])
  func redirected(_ status: Int) async throws {
    let (manager, token) = try await signedIn()
    let network = ScriptedTransport(handler: { request in
      guard request.head.authority == "newzulu.test:8080" else { return .status(.ok) }
      return .status(.init(code: status), headerFields: [.location: "http://other.test/services/json"])
    })
    _ = try? await AuthenticatedTransport(manager, over: network).send(call())
    #expect(network.requests.first.map { places(of: token, in: $0) } == ["body"])
    for request in network.requests.dropFirst() { #expect(places(of: token, in: request) == []) }
  }

  @Test("A field of the app does not become one")
  func fromApp() async throws {
    let name = try #require(HTTPField.Name("X-Ostiary-Newzulu-Token"))
    let client = try stub.ann()
    let (manager, token) = try await signedIn()
    let network = ScriptedTransport(handler: { _ in .json(["status": true, "result": .object([:])]) })
    _ = try await AuthenticatedTransport(manager, over: network).send(call([name: "forged"]))
    let sent = try #require(network.requests.first)
    #expect(places(of: "forged", in: sent) == ["fields"])
    #expect(places(of: token, in: sent) == ["body"])
    _ = try await client.getLoggedInUser()
    for request in stub.transport.requests { #expect(request.head.headerFields[name] == nil) }
  }
}
