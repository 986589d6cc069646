import Foundation
import HTTPTypes
import Logging
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

@Suite("Invariant 12: secrets are never printed")
struct SecretsTests {
  static let password = "pl4nted-p4ssword"

  /// Keeps every log line.
  struct Recording: LogHandler {
    let lines: Locked<[String]>
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .trace
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }
    func log(event: LogEvent) {
      lines.withLock { $0.append("\(event.message) \(event.metadata ?? [:])") }
    }
  }

  @Test("A planted password and token are in no log, event, error, description, mirror or dump")
  func planted() async throws {
    let fixture = ManagerFixture()
    fixture.server.setPassword(Secret(Self.password), for: "eve")
    let credential = Credential.password(username: "eve", password: Secret(Self.password))
    let lines = Locked<[String]>([])
    let manager = SessionManager(
      authenticator: ScriptedAuthenticator(), transport: fixture.transport, credentials: .upFront(credential),
      store: fixture.store, clock: fixture.clock,
      logger: Logger(label: "test") { _ in Recording(lines: lines) })
    var seen: [String] = []
    func look(_ value: Any) {
      var text = ""
      dump(value, to: &text)
      seen += ["\(value)", String(reflecting: value), text]
    }
    look(credential)
    look(CredentialSource.upFront(credential))
    let session = try await manager.session()
    let token = try #require(session.proof.tokens["access"]?.reveal())
    look(session)
    look(session.proof)
    look(manager.status)
    look(manager.authenticator.attachment(for: session))
    look(manager)
    look(fixture.transport)
    fixture.server.dropSessions()
    fixture.server.setPassword("changed", for: "eve")
    for request in [ManagerFixture.request("/things?token=\(token)"), ManagerFixture.request()] {
      if let error = await failure({ try await AuthenticatedTransport(manager).send(request) }) { look(error) }
    }
    if let error = await failure({ try await manager.signIn(with: credential) }) { look(error) }
    look(manager.history)
    seen += lines.withLock { $0 }
    #expect(lines.withLock { $0.count } > 3, "the log was looked at")
    for secret in [Self.password, token, try #require(session.proof.tokens["renewal"]?.reveal())] {
      #expect(seen.filter { $0.contains(secret) } == [])
    }
  }

  @Test("The default key names the server without user information and query")
  func key() throws {
    let server = try #require(
      URL(string: "https://eve:\(Self.password)@scripted.example:8443/app?token=\(Self.password)#x"))
    let manager = SessionManager(
      authenticator: ScriptedAuthenticator(server: server), transport: ManagerFixture().transport)
    #expect(manager.key.name == "scripted https://scripted.example:8443/app")
    let plain = SessionManager(authenticator: ScriptedAuthenticator(), transport: ManagerFixture().transport)
    #expect(plain.key.name == "scripted https://scripted.example")
  }

  @Test("What an error was caused by is named by its type alone")
  func underlying() async throws {
    struct Leak: Error {
      let text = SecretsTests.password
    }
    let fixture = ManagerFixture()
    let error = await failure { try await fixture.manager(.onRequest { _ in throw Leak() }).session() }
    let shown = try #require(error)
    #expect(shown.underlying is Leak, "a program can still look")
    var text = ""
    dump(shown, to: &text)
    #expect(!(text + "\(shown)" + String(reflecting: shown)).contains(Self.password))
    #expect(text.contains("Leak"))
  }
}
