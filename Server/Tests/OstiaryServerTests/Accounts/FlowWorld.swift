import Foundation
import HTTPTypes
import OstiaryCore

@testable import OstiaryServer

/// The flows over a storage in memory, cheap, with a clock that stands still and a mailbox.
final class FlowWorld: Sendable {
  let base: IdentityWorld
  let mailbox = InsecureDevelopmentMailbox()
  let dispatcher: MailDispatcher
  let service: FlowService

  static let password = "correct horse battery staple"
  static let newPassword = "another fine long passphrase"
  static let address = "jane@example.com"
  static let origin = "https://id.example.org"

  init(
    parameters: HashParameters = IdentityWorld.cheap, storage: ServerStorage? = nil,
    equalWork: (any WorkFilling)? = nil, _ change: (inout AccountConfiguration) -> Void = { _ in }
  ) throws {
    base = try IdentityWorld(storage: storage, parameters: parameters, equalWork: equalWork) { $0.hashQueue = 1000 }
    var configuration = AccountConfiguration()
    change(&configuration)
    let outbox = Outbox(base.storage.key)
    dispatcher = MailDispatcher(
      storage: base.storage, outbox: outbox, sender: mailbox, clock: base.clock, logger: base.log.logger)
    guard let origin = Origin(scheme: "https", host: "id.example.org", port: nil) else { throw Unexpected() }
    service = FlowService(
      configuration: configuration, identity: base.identity,
      forms: FlowForms(minimumPassword: 15, hasMail: true, offersSignUp: true), seal: FlowSeal(base.storage.key),
      ring: base.storage.key, outbox: outbox,
      mails: FlowMails(service: "Acme", origin: origin, minutes: 10), dispatcher: dispatcher,
      senders: AddressThrottle(
        base.identity.guesses, of: "mail", GuessRules.Bucket(burst: 1_000_000, interval: 30)), returnOrigins: [origin])
  }

  struct Unexpected: Error {}

  var storage: ServerStorage { base.storage }
  var identity: IdentityService { base.identity }
  var clock: TestClock { base.clock }

  static let program = FlowClient(browser: nil, user: nil, address: "192.0.2.1", requestID: "test")

  static func browser(_ name: String, user: User? = nil) -> FlowClient {
    FlowClient(browser: name, user: user, address: "192.0.2.1", requestID: "test")
  }

  @discardableResult
  func addJane() async throws -> User {
    try await identity.addUser(
      name: "jane", displayName: "Jane", email: Self.address, password: Secret(Self.password))
  }

  func begin(_ kind: FlowKind, _ client: FlowClient = program) throws -> String {
    try service.begin(kind, for: client).id
  }

  func submit(
    _ kind: FlowKind, _ flow: String, _ call: FlowCall, _ fields: [String: String] = [:],
    _ client: FlowClient = program, turn: Int? = nil
  ) async throws -> FlowOutcome {
    try await service.submit(
      FlowSubmission(
        flow: flow, action: call.rawValue,
        fields: fields.sorted { $0.key < $1.key }.map { FormFields.Field(name: $0.key, value: $0.value) }, turn: turn),
      to: kind, for: client)
  }

  /// A client of an interface with sessions.
  func visitor(_ browser: String = "b", user: User? = nil) -> FlowClient {
    var client = Self.browser(browser, user: user)
    client.sessions = FlowSessions(sessions: base.sessions) { PageCookies.sessionID(of: $0, for: "test.") }
    return client
  }

  /// How many events of a kind the trail has.
  func events(_ kind: AuditKind) async throws -> Int {
    try await storage.read { db in
      try db.test.first(Int.self, "SELECT count(*) FROM audit_events WHERE kind = ?", kind.rawValue) ?? -1
    }
  }

  /// The mails to an address, once all have been sent.
  func mails(to address: String = address) async -> [MailMessage] {
    await dispatcher.settle()
    return mailbox.messages(to: address)
  }

  /// The code in the last mail to an address.
  func code(for address: String = address) async -> String? { await mails(to: address).last?.code }

  /// A recovery that waits for its code.
  func askForCode(_ address: String = address, _ client: FlowClient = program) async throws -> String {
    let flow = try begin(.recover, client)
    _ = try await submit(.recover, flow, .sendCode, ["email": address], client)
    return flow
  }

  /// Everything that is stored, in rows, once mail has gone.
  func rows() async throws -> [String: Int] {
    await dispatcher.settle()
    return try await storage.read { db in
      var counts: [String: Int] = [:]
      for table in ["users", "sessions", "guesses", "flows", "outbox", "mail_counts"] {
        counts[table] = try db.test.first(Int.self, "SELECT count(*) FROM \(table)") ?? -1
      }
      return counts
    }
  }

  /// Whether a password is Jane's.
  func accepts(_ password: String) async throws -> Bool {
    try await identity.unlock(userNamed: "jane")
    return await base.verify("jane", Secret(password)).user != nil
  }
}

extension MailMessage {
  /// The code that a mail carries, in any language.
  var code: String? { text.firstMatch(of: /[A-Z0-9]{4} [A-Z0-9]{4}/).map { $0.output.filter { $0 != " " } } }

  /// The addresses of pages that a mail names.
  var links: [String] {
    text.split(whereSeparator: \.isWhitespace).filter { $0.contains("://") }.map(String.init)
  }
}

extension FlowOutcome {
  /// The status and every code, of the whole and of the fields.
  var summary: String {
    let codes =
      document.issues.map(\.code.rawValue)
      + document.fields.flatMap { field in
        field.issues.map { "\(field.name):\($0.code.rawValue)" }
      }
    return "\(status.code) \(document.step.rawValue) \(codes.joined(separator: " "))"
  }
}
