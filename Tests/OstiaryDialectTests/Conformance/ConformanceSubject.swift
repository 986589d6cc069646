import Foundation
import Logging
import OstiaryCore
import OstiaryDialect
import OstiaryTesting
import TestSupport
import Testing

/// A shipped dialect whose row is tested.
struct ConformanceSubject: Sendable, CustomTestStringConvertible {
  let name: String
  let document: WireDocument

  var testDescription: String { name }

  /// All that ship.
  static let all: [ConformanceSubject] = ShippedDialects.all.compactMap { shipped in
    JSONValue(json: Data(shipped.json.utf8)).map {
      ConformanceSubject(name: shipped.name, document: WireDocument(name: shipped.name, json: $0))
    }
  }

  /// Those whose servers may want a second factor.
  static let factored = all.filter { !$0.document.factors.isEmpty }
  /// Those that are renewed by what the session has.
  static let renewable = all.filter(\.document.renewsAlone)
  /// One for each way in which a session goes on.
  static let different: [ConformanceSubject] = {
    var seen: Set<String> = []
    return all.filter { subject in
      let document = subject.document
      return seen.insert("\(document.renewedBy) \(document.rotation) \(document.sendsSameAgain)").inserted
    }
  }()
}

/// A dialect's server and what signs in to it.
struct ConformanceWorld: Sendable {
  let subject: ConformanceSubject
  let server: ConformanceServer
  let store: any SessionStore
  /// What is logged.
  let lines = LineLog()

  init(_ subject: ConformanceSubject, store: any SessionStore = EphemeralStore()) throws {
    self.subject = subject
    server = try ConformanceServer(subject.document)
    self.store = store
  }

  var document: WireDocument { subject.document }

  func authenticator(_ questions: DialectQuestions = .none) throws -> DialectAuthenticator {
    guard let shipped = ShippedDialects.named(subject.name) else {
      throw OstiaryError(.invalidInput, "No dialect \(subject.name) ships.")
    }
    let dialect = try shipped.dialect()
    var servers: [String: URL] = [:]
    for role in dialect.servers { servers[role.name] = server.url }
    return try DialectAuthenticator(
      dialect: dialect, servers: servers, settings: server.settings.mapValues { Secret($0) },
      deviceName: "conformance", answering: questions)
  }

  var credential: Credential {
    .password(username: ConformanceServer.ann, password: Secret(server.account.password))
  }

  var wrongCredential: Credential { .password(username: ConformanceServer.ann, password: "planted-wrong-Pa55") }

  /// A manager, as a program has one that starts anew.
  func manager(
    _ credentials: CredentialSource? = nil, store other: (any SessionStore)? = nil,
    answering questions: DialectQuestions = .none
  ) throws -> SessionManager {
    var configuration = SessionConfiguration()
    configuration.retry = RetryPolicy(attempts: 2, base: .milliseconds(2))
    return SessionManager(
      authenticator: try authenticator(questions), transport: SocketTransport(connections: 8),
      credentials: credentials ?? .upFront(credential), store: other ?? store, key: SessionKey("conformance"),
      configuration: configuration, clock: server.clock, logger: lines.logger)
  }

  /// Everything that has been planted: the password, tokens, settings that are secret.
  static let planted = "planted"

  /// Checks that no text has what was planted in a secret, and that the client has done nothing that none must.
  func check(
    _ managers: [SessionManager], _ errors: [OstiaryError] = [], _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(server.broken.isEmpty, "\(subject.name): \(server.broken)", sourceLocation: location)
    var text = lines.text
    for manager in managers {
      text += "\(manager) \(manager.history) \(manager.status)"
      dump(manager.authenticator, to: &text)
      dump(manager.current, to: &text)
    }
    for error in errors {
      dump(error, to: &text)
      text += "\(error) \(error.message) \(error.advice)"
    }
    let found = text.firstRange(of: Self.planted).map { String(text[$0.lowerBound...].prefix(40)) }
    #expect(found == nil, "\(subject.name) shows \(found ?? "")", sourceLocation: location)
  }
}

/// Keeps what is logged.
final class LineLog: Sendable {
  private let lines = Locked("")

  var text: String { lines.withLock { $0 } }

  var logger: Logger { Logger(label: "conformance") { [lines] _ in Handler(lines: lines) } }

  private struct Handler: LogHandler {
    let lines: Locked<String>
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .trace
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }
    func log(event: LogEvent) {
      lines.withLock { $0 += "\(event.message) \(event.metadata ?? [:]) \(metadata)\n" }
    }
  }
}
