import Foundation
import HTTPTypes
import Logging
import OstiaryCore
import OstiaryDialect
import OstiaryTesting
import TestSupport
import Testing

@Suite("Where secrets of a dialect go")
struct DialectSecrecyTests {
  @Test("Invariant 12: nothing prints a planted secret, also where a server repeats it")
  func printed() async throws {
    let api = TokenAPI()
    let questions = DialectQuestions { question in
      .code(question.attempt > 1 ? Secret(TokenAPI.secrets[1]) : "planted-wrong-code")
    }
    let url = try #require(TokenAPI.url)
    let dialect = TokenAPI.dialect { dialect in
      dialect.settings = [DialectSetting("key", isSecret: true)]
      dialect.signIn[0].headers = [DialectField("X-Key", "{key}")]
    }
    let authenticator = try DialectAuthenticator(
      dialect: dialect, server: url, settings: ["key": Secret(TokenAPI.secrets[3])], deviceName: "d",
      answering: questions)
    let manager = SessionManager(
      authenticator: authenticator, transport: api.transport, credentials: .upFront(TokenAPI.carol), clock: api.clock)
    let session = try await manager.session()
    var errors: [OstiaryError] = []
    let echo = #"{"planted-token-1":"planted-password","code":"planted-handle","mfa":"planted-kind"}"#
    for (route, body, status) in [
      ("POST /login", echo, HTTPResponse.Status.badRequest), ("POST /login", echo, .ok),
      ("POST /login", "planted", .ok),
      ("POST /login", #"{"access":"planted token"}"#, .ok),
      ("POST /login", #"{"mfa":"totp","handle":"planted-handle"}"#, .ok),
      ("POST /2fa", echo, .badRequest), ("POST /2fa", echo, .unauthorized),
    ] {
      api.answer(route, apiAnswer(body, status: status))
      let error = await failure { try await authenticator.signIn(with: TokenAPI.carol, in: api.context) }
      if let error { errors.append(error) }
    }
    for body in [echo, "{}", "planted"] {
      for status in [HTTPResponse.Status.ok, .unauthorized, .badRequest, .forbidden] {
        api.answer("POST /refresh", apiAnswer(body, status: status))
        api.answer("GET /me", apiAnswer(body, status: status))
        if let error = await failure({ try await authenticator.renew(session, in: api.context) }) {
          errors.append(error)
        }
        if let error = await failure({ try await authenticator.verify(session, in: api.context) }) {
          errors.append(error)
        }
        if let error = await failure({ try await authenticator.end(session, in: api.context) }) { errors.append(error) }
      }
    }
    #expect(errors.count > 12)
    var text = ""
    for value in [manager, session, authenticator, errors, manager.history, api.things] as [Any] {
      dump(value, to: &text)
      text += "\(value) \(String(reflecting: value))"
    }
    for error in errors { text += "\(error.underlying.map { "\($0)" } ?? "")" }
    #expect(!text.contains("planted"))
  }

  @Test("DIA-redirect: a password follows no redirect with its body, and nothing follows one to another origin")
  func redirects() async throws {
    let api = TokenAPI()
    for (location, status, code) in [
      ("https://evil.test/login", HTTPResponse.Status.temporaryRedirect, OstiaryError.Code.redirectRefused),
      ("https://api.test/elsewhere", .temporaryRedirect, .redirectRefused),
      ("https://api.test/elsewhere", .permanentRedirect, .redirectRefused),
      ("https://evil.test/login", .found, .redirectRefused), ("http://api.test/login", .found, .redirectRefused),
    ] {
      api.answer("POST /login", .status(status, headerFields: [.location: location]))
      let authenticator = try api.authenticator { $0.signIn[0].followsRedirects = true }
      let error = await failure { try await authenticator.signIn(with: TokenAPI.ann, in: api.context) }
      #expect(error?.code == code)
    }
    #expect(api.transport.requests.allSatisfy { $0.path == "/login" && $0.head.authority == "api.test" })
    #expect(api.transport.requests.allSatisfy { $0.head.scheme == "https" })
  }

  @Test("DIA-redirect: one within the origin is followed where the document says so, without the body")
  func followed() async throws {
    let api = TokenAPI()
    api.answer("POST /login", .status(.seeOther, headerFields: [.location: "/done", .setCookie: "sid=s1; Path=/"]))
    api.transport.on(.get, "/done") { request in
      .json(["access": .string(request.cookies == "sid=s1" && request.body == nil ? "planted-token-1" : "")])
    }
    let authenticator = try api.authenticator { dialect in
      dialect.who = nil
      dialect.signIn[0].followsRedirects = true
    }
    let grant = try await authenticator.signIn(with: TokenAPI.ann, in: api.context)
    #expect(grant.proof.tokens["token"]?.reveal() == "planted-token-1")
    let stopping = try api.authenticator()
    #expect(
      await failure { try await stopping.signIn(with: TokenAPI.ann, in: api.context) }?.code == .unexpectedResponse)
  }

  @Test("DIA-plain: a password over plain http is warned of, off this machine")
  func plain() async throws {
    for (address, isWarned) in [
      ("http://api.test", true), ("https://api.test", false), ("http://127.0.0.1:1", false),
      ("http://localhost", false),
    ] {
      let warnings = Locked<[String]>([])
      var logger = Logger(label: "test") { _ in WarningLog(warnings: warnings) }
      logger.logLevel = .trace
      let api = TokenAPI()
      let authenticator = try DialectAuthenticator(
        dialect: TokenAPI.dialect(), server: try #require(URL(string: address)))
      let context = AuthenticationContext(transport: api.transport, clock: api.clock, logger: logger)
      _ = try await authenticator.signIn(with: TokenAPI.ann, in: context)
      #expect(warnings.withLock { !$0.isEmpty } == isWarned)
    }
  }
}

private struct WarningLog: LogHandler {
  let warnings: Locked<[String]>
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.trace

  init(warnings: Locked<[String]>) {
    self.warnings = warnings
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    if event.level >= .warning { warnings.withLock { $0.append("\(event.message)") } }
  }
}
