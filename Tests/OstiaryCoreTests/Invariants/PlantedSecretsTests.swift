import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

@Suite("Invariant 12: planted secrets are not found", .timeLimit(.minutes(20)))
struct PlantedSecretsTests {
  private static let password = "pl4nted p4ssword: é+&"
  private static let mark = "pl4nted-"

  private let planted = PlantedSecrets()

  /// A manager whose session has a planted cookie and a planted token, on a store of real files.
  private func world(
    _ server: RollingServer, store: any SessionStore, credentials: CredentialSource = .manual
  ) -> (manager: SessionManager, transport: ScriptedTransport) {
    let transport = ScriptedTransport { server.respond(to: $0) }
    var configuration = SessionConfiguration()
    configuration.retry = RetryPolicy(attempts: 0, base: .zero)
    let manager = SessionManager(
      authenticator: RollingAuthenticator(), transport: transport, credentials: credentials, store: store,
      configuration: configuration, clock: ManualClock(), logger: planted.logger)
    return (manager, transport)
  }

  @Test("Invariant 12: the search finds a secret in any spelling that could leak it")
  func search() {
    struct Leak { var body = Data("pl4nted-cookie-1".utf8) }
    struct Quote { var text = PlantedSecretsTests.password }
    for leak in [
      "sid=pl4nted-cookie-1; x", Data("pl4nted-cookie-1".utf8).base64EncodedString(), Leak(), ["a": Secret("x")],
    ] as [Any] {
      planted.look(leak)
    }
    #expect(planted.sightings(of: "pl4nted-cookie-1").count >= 3)
    #expect(planted.sightings(of: "pl4nted-cookie-2") == [])
    planted.look(Quote())
    #expect(planted.sightings(of: Self.password) != [])
  }

  @Test("Invariant 12, Store-T7: password, cookie and token are in no log, event, error, description, mirror or dump")
  func life() async throws {
    let server = RollingServer(prefix: Self.mark)
    let credential = Credential.password(username: "ann", password: Secret(Self.password))
    let folder = try TemporaryFolder()
    let store = FileStore(folder: folder.store)
    let (manager, transport) = world(server, store: store, credentials: .upFront(credential))
    manager.onEvent { [planted] in planted.look($0) }
    let http = AuthenticatedTransport(manager)
    let session = try await manager.session()
    for value in [
      credential, CredentialSource.upFront(credential), session, session.proof, session.proof.cookies,
      session.proof.tokens, manager, manager.status, http, store, RollingAuthenticator(),
      manager.authenticator.attachment(for: session), AuthenticationContext(transport: transport),
      Credential.proof(session.proof),
    ] as [Any] {
      planted.look(value)
    }
    for cookie in session.proof.cookies.cookies { planted.look(cookie) }

    // A renewal, a refusal and a broken line, each with the secrets in the request or the answer.
    server.expire()
    planted.look(try await http.send(ManagerFixture.request("/things?password=\(Self.mark)query")))
    for fault in [Fault.dropAfterServerActed, .garbage, .truncate(at: 3), .announce(bytes: 1 << 40)] {
      server.expire()
      transport.inject(fault, into: .post("/renew"))
      let request = ManagerFixture.request("/?t=\(Self.mark)query")
      let error = try #require(await failure { try await http.send(request) })
      planted.look(error)
      planted.look(error.underlying ?? error)
      planted.look(manager.status)
      transport.setFaults()
      await manager.signOut()
      try await manager.signIn(with: credential)
    }
    for request in transport.requests { planted.look(request) }
    let answer = server.respond(to: ManagerFixture.request("/sign-in"))
    planted.look(answer)
    planted.look(StreamingResponse(answer.head, body: ResponseBody([answer.body])))
    planted.look(await manager.signOut())
    planted.look(manager.history)
    let archive = try JSONEncoder().encode(manager.history)
    planted.look(String(decoding: archive, as: UTF8.self))

    #expect(planted.count > 200, "there was something to look at")
    #expect(planted.sightings(of: Self.password) == [])
    #expect(planted.sightings(of: Self.mark) == [])
  }

  @Test("Invariant 12: what is damaged in a store is told without quoting it")
  func damage() async throws {
    let server = RollingServer(prefix: Self.mark)
    let store = EphemeralStore()
    let (manager, _) = world(server, store: store)
    try await manager.signIn(with: ManagerFixture.ann)
    guard case .present(let data) = await store.load(manager.key) else {
      Issue.record("nothing was stored")
      return
    }
    try #require(String(decoding: data, as: UTF8.self).contains(Self.mark))
    for length in stride(from: 0, to: data.count, by: 7) {
      try await store.save(data.prefix(length), for: manager.key, replacing: .anything)
      let (next, _) = world(server, store: store)
      next.onEvent { [planted] in planted.look($0) }
      planted.look(await next.restore())
      planted.look(next)
      planted.look(store)
    }
    #expect(planted.count > 100)
    #expect(planted.sightings(of: Self.mark) == [])
  }
}
