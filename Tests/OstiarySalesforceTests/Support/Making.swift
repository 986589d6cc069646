import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiarySalesforce
import OstiaryTesting
import TestSupport
import Testing

extension SalesforceStub {
  static let clientID = "3MVG9consumer"
  static let cases = "/services/data/v58.0/sobjects/Case"

  var context: AuthenticationContext { AuthenticationContext(transport: transport, clock: clock) }

  /// Tokens as an app would hand them over.
  func tokens(_ person: Person = .ann, refreshToken: Bool = false) throws -> SalesforceTokens {
    try required(SalesforceTokens(issue(person, refreshToken: refreshToken), clientID: Self.clientID))
  }

  func settings(_ person: Person = .ann, refreshToken: Bool = false) throws -> SalesforceSettings {
    SalesforceSettings(try tokens(person, refreshToken: refreshToken))
  }

  func connection(_ person: Person = .ann, refreshToken: Bool = false) throws -> SalesforceConnection {
    var configuration = SessionConfiguration()
    configuration.retry = .none
    return try SalesforceConnection(
      tokens(person, refreshToken: refreshToken), transport: transport, configuration: configuration, clock: clock)
  }

  func service(
    _ handlers: SalesforceServiceHandlers = SalesforceServiceHandlers(), patience: Duration? = .seconds(600)
  ) -> SalesforceService {
    var configuration = SalesforceServiceConfiguration()
    configuration.answerPatience = patience
    configuration.sessions.retry = .none
    return SalesforceService(
      .cases, transport: transport, handlers: handlers, configuration: configuration, clock: clock)
  }

  func accounts(
    store: any SessionStore = EphemeralStore(), renewalFlow: (@Sendable (SalesforceRenewalRequest) -> OAuthFlow?)? = nil
  ) -> SalesforceAccounts {
    var configuration = SalesforceAccountsConfiguration()
    configuration.sessions.retry = .none
    configuration.renewalFlow = renewalFlow
    return SalesforceAccounts(
      clientID: Self.clientID, transport: transport, store: store, configuration: configuration, clock: clock)
  }

  /// A browser whose user says yes at once.
  func browser(_ person: Person = .ann) -> OAuthFlow {
    OAuthFlow(needsPerson: true) { client, context in
      try await client.tokens(forGrant: "authorization_code", parameters: ["code": person.id], in: context)
    }
  }
}

/// What something optional has, or the end of a test.
func required<Value>(_ value: Value?, _ what: String = "value") throws -> Value {
  guard let value else { throw OstiaryError(.internalError, "The test has no \(what).") }
  return value
}

func url(_ text: String) throws -> URL { try required(URL(string: text)) }

/// An app that answers the questions of a service, and writes down what it was asked.
final class App: Sendable {
  private let log = Notes<[String]>([])
  let answers: Locked<[@Sendable (SalesforceSettingsReply) async -> Bool]>
  let isToAskAgain: Locked<Bool>

  init(askAgain: Bool = true, _ answers: [@Sendable (SalesforceSettingsReply) async -> Bool]) {
    self.answers = Locked(answers)
    isToAskAgain = Locked(askAgain)
  }

  /// What it was asked and told, in its order.
  var told: [String] { log.value }

  var handlers: SalesforceServiceHandlers {
    SalesforceServiceHandlers(
      shouldAuthenticate: { [self] type, reply in
        log.append("should \(type)")
        let answer = answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        return await answer?(reply) ?? false
      },
      authenticationFailed: { [self] error, type in
        log.append("failed \(type) \(error.code)")
        return isToAskAgain.withLock { $0 }
      })
  }
}

/// A list that many threads add to.
final class Notes<Value: Sendable>: Sendable {
  private let state: Locked<Value>
  init(_ value: Value) { state = Locked(value) }
  var value: Value { state.withLock { $0 } }
}

extension Notes {
  func append<Element: Sendable>(_ element: Element) where Value == [Element] {
    state.withLock { $0.append(element) }
  }
}

/// Answers at once.
func reply(_ settings: SalesforceSettings?) -> @Sendable (SalesforceSettingsReply) async -> Bool {
  { reply in
    reply(settings)
    return true
  }
}

/// Sends a call that should be served.
func expectServed(_ send: (SalesforceCall) async throws -> TransportResponse) async throws {
  let response = try await send(.get(SalesforceStub.cases))
  #expect(response.status == .ok)
}
