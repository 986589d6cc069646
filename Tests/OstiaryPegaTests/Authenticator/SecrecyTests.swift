import Foundation
import HTTPTypes
import Logging
import OstiaryCore
import OstiaryHTML
import OstiaryPega
import OstiaryTesting
import TestSupport
import Testing

@Suite("What must not be seen")
struct SecrecyTests {
  /// Keeps every line that is logged.
  struct Recorder: LogHandler {
    let lines: Locked<[String]>
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }
    func log(event: LogEvent) {
      lines.withLock { $0.append("\(event.message) \(event.metadata ?? [:])") }
    }
  }

  static let password = "p1anted+Secret/%"

  /// Everything that gives a session or a password away.
  static let planted = [
    password, Data(password.utf8).base64EncodedString(), Data("jdoe:\(password)".utf8).base64EncodedString(),
    "p1anted%2BSecret%2F%25", "SESSION_", "NEW*", "GUEST*",
  ]

  func check(_ texts: [String]) {
    for secret in Self.planted {
      for text in texts where text.contains(secret) { Issue.record("“\(secret)” is in: \(text)") }
    }
  }

  static func dumped(_ value: Any) -> String {
    var text = ""
    dump(value, to: &text)
    return text + String(describing: value) + String(reflecting: value)
  }

  @Test(
    "Pega-P14: no secret is in logs, errors, events, descriptions or dumps, whatever happens",
    arguments: PegaSignInMethod.allCases)
  func nowhere(_ method: PegaSignInMethod) async throws {
    let lines = Locked<[String]>([])
    let logger = Logger(label: "test") { _ in Recorder(lines: lines) }
    let stub = PegaStub(users: ["jdoe": Self.password])
    let credential = Credential.password(username: "jdoe", password: Secret(Self.password))
    let authenticator = try stub.authenticator(method)
    let manager = SessionManager(
      authenticator: authenticator, transport: stub.transport, credentials: .upFront(credential), logger: logger)
    var texts = [Self.dumped(credential), Self.dumped(authenticator), Self.dumped(manager)]

    let session = try await manager.session()
    texts += [Self.dumped(session), Self.dumped(session.proof), Self.dumped(manager.status), Self.dumped(manager)]
    texts.append(Self.dumped(authenticator.attachment(for: session)))
    stub.dropSessions()
    texts.append(Self.dumped(await manager.verify()))
    texts += manager.history.map { Self.dumped($0) }

    // Failures of every kind, with the secret in the request.
    let context = AuthenticationContext(transport: stub.transport, logger: logger)
    let answers: [TransportResponse] = LoginAnswerTests.rows.map(\.response) + [.html(Self.password)]
    for answer in answers {
      stub.intercept { _ in answer }
      if let error = await failure({ try await authenticator.signIn(with: credential, in: context) }) {
        texts += [Self.dumped(error), error.localizedDescription]
      }
    }
    stub.intercept(nil)
    for fault in LoginAnswerTests.faults {
      stub.transport.setFaults()
      stub.transport.inject(fault.fault)
      if let error = await failure({ try await authenticator.signIn(with: credential, in: context) }) {
        texts += [Self.dumped(error), error.localizedDescription]
      }
    }
    texts.append(Self.dumped(await manager.signOut()))
    texts += lines.withLock { $0 }
    #expect(texts.count > 50)
    check(texts)
  }

  @Test("Pega-P14: an address with a password prints as a secret")
  func snapStart() throws {
    let url = try SnapStartAction(.openCase(handle: "A 1")).urlExposingPassword(
      at: PegaAddress(try #require(URL(string: "https://h/prweb"))), username: "jdoe", password: Secret(Self.password))
    check([Self.dumped(url), "\(url)"])
    #expect(url.reveal().contains("Password="))
  }

  @Test("Pega-P14: neither pages nor a login's response show the session's address or what they hold")
  func answers() async throws {
    let stub = PegaStub(["csrf": "p1anted+Secret/%", "baseURL": "http://pega.test:8080/prweb/PRServlet/NEW*/!STANDARD"])
    let grant = try await stub.signIn()
    let session = grant.session(at: stub.url)
    let page = HTMLPage(PegaStub.loginForm(action: "/prweb/PRServlet/GUEST*/!STANDARD?token=SESSION_1"))
    var configuration = PegaConfiguration()
    configuration.isProduction = false
    var cookies = grant.proof.cookies
    let snapStart = try await SnapStartLoader(
      server: PegaAddress(stub.url), configuration: configuration, context: stub.context
    ).load(SnapStartAction(.openCase(handle: "A 1"), properties: [.init("key", "SESSION_1")]), cookies: &cookies)
    #expect(PegaLogin(session).response["csrf"] != nil)
    #expect(snapStart.url.absoluteString.contains("SESSION_1"))
    check([
      Self.dumped(grant), Self.dumped(PegaLogin(session)), Self.dumped(page), Self.dumped(page.forms),
      Self.dumped(try await stub.authenticator().verify(session, in: stub.context)), Self.dumped(snapStart),
    ])
  }

  @Test("Pega-P14: a password that travels over plain http is warned about, without the password")
  func plainHTTP() async throws {
    let lines = Locked<[String]>([])
    let logger = Logger(label: "test") { _ in Recorder(lines: lines) }
    let stub = PegaStub(users: ["jdoe": Self.password])
    _ = try await stub.authenticator().signIn(
      with: .password(username: "jdoe", password: Secret(Self.password)),
      in: AuthenticationContext(transport: stub.transport, logger: logger))
    let seen = lines.withLock { $0 }
    #expect(seen.contains { $0.contains("plain http") && $0.contains("pega.test") })
    check(seen)
  }
}
