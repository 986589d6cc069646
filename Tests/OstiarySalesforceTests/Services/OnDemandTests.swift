import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiarySalesforce
import OstiaryTesting
import TestSupport
import Testing

@Suite("Settings on demand", .timeLimit(.minutes(20)))
struct OnDemandTests {
  @Test("Transcript B5: asked, verified, listed; refused two hours later, told, asked again, replayed")
  func story() async throws {
    let stub = SalesforceStub()
    let first = try stub.settings()
    let app = App([reply(first)])
    let service = stub.service(app.handlers)
    #expect(try await service.authenticate()?.tokens == first.tokens)
    #expect(try await service.send(.get(SalesforceStub.cases)).status == .ok)
    #expect(app.told == ["should cases"])
    #expect(service.connection?.accessToken == first.tokens?.accessToken)

    stub.clock.advance(by: .seconds(7_201))
    stub.dropTokens()
    let second = try stub.settings()
    app.answers.withLock { $0 = [reply(second)] }
    #expect(try await service.send(.get(SalesforceStub.cases)).status == .ok)
    #expect(app.told == ["should cases", "failed cases salesforce_session_invalid", "should cases"])
    let paths = stub.transport.requests.map { "\($0.head.method.rawValue) \($0.head.path ?? "")" }
    let identity = "GET /id/00Dx0000000BV7z/005x00000012Q9P"
    let list = "GET " + SalesforceStub.cases
    #expect(paths == [identity, list, list, identity, list])
    #expect(service.settings?.tokens == second.tokens)
  }

  @Test("Salesforce-E3, E4: an answer may come before the question returns, or after")
  func answers() async throws {
    let stub = SalesforceStub()
    let settings = try stub.settings()
    let late = Locked<SalesforceSettingsReply?>(nil)
    let answers: [@Sendable (SalesforceSettingsReply) async -> Bool] = [
      reply(settings),
      { reply in
        late.withLock { $0 = reply }
        Task { late.withLock { $0.take() }?(settings) }
        return true
      },
    ]
    for answer in answers {
      let app = App([answer])
      let service = stub.service(app.handlers)
      #expect(try await service.send(.get(SalesforceStub.cases)).status == .ok)
      #expect(app.told == ["should cases"])
      #expect(service.settings?.tokens == settings.tokens)
      guard case .authenticated(let identity) = service.currentState else {
        Issue.record("not authenticated")
        return
      }
      #expect(identity.userID.id15 == SalesforceStub.Person.ann.id)
    }
  }

  @Test("Salesforce-E3: nil is a guest, who is asked again only by what asks for a user")
  func guests() async throws {
    let stub = SalesforceStub()
    let app = App([reply(nil), reply(try stub.settings())])
    let service = stub.service(app.handlers)
    #expect(try await service.authenticate()?.tokens == nil)
    #expect(await failure { try await service.send(.get(SalesforceStub.cases)) }?.code == .salesforceGuestHasNoSite)
    #expect(app.told.count == 1)
    #expect(try await service.authenticate()?.tokens != nil)
    #expect(app.told.count == 2)
  }

  @Test("Salesforce-E3: a guest's settings are an answer, and calls go to the site without proof")
  func guestSettings() async throws {
    let stub = SalesforceStub()
    stub.transport.on(.get, "/customers/services/data/v58.0/knowledge") { request in
      #expect(request.head.headerFields[.authorization] == nil)
      return .json(["ok": true])
    }
    let app = App([reply(.guest(communityURL: try url("https://acme.force.com/customers")))])
    let service = stub.service(app.handlers)
    #expect(try await service.send(.get("/services/data/v58.0/knowledge")).status == .ok)
    #expect(stub.transport.count == 1)
  }

  @Test("Salesforce-E3: false, and no handler, leave what is set")
  func sufficient() async throws {
    let stub = SalesforceStub()
    let app = App([{ _ in false }])
    #expect(try await stub.service(app.handlers).authenticate()?.tokens == nil)
    #expect(app.told == ["should cases"])
    #expect(try await stub.service().authenticate()?.tokens == nil)
    // A reply before "false" is an answer all the same.
    let settings = try stub.settings()
    let eager = App([
      { reply in
        reply(settings)
        return false
      }
    ])
    #expect(try await stub.service(eager.handlers).authenticate()?.tokens == settings.tokens)
  }

  @Test("Salesforce-E13: the second answer does nothing")
  func twice() async throws {
    let stub = SalesforceStub()
    let (first, second) = (try stub.settings(), try stub.settings(.bob))
    let app = App([
      { reply in
        reply(first)
        reply(second)
        reply(nil)
        return true
      }
    ])
    let service = stub.service(app.handlers)
    #expect(try await service.authenticate()?.tokens == first.tokens)
    #expect(service.settings?.tokens == first.tokens)
  }

  @Test("An app that never answers, and one that lets go of its reply, hold nobody up")
  func never() async throws {
    let stub = SalesforceStub()
    let kept = Locked<SalesforceSettingsReply?>(nil)
    let app = App([
      { reply in
        kept.withLock { $0 = reply }
        return true
      },
      { _ in true },
    ])
    let service = stub.service(app.handlers, patience: .seconds(60))
    let waiting = Task { await failure { try await service.authenticate() } }
    try await stub.clock.waitForSleepers()
    stub.clock.advance(by: .seconds(61))
    #expect(await waiting.value?.code == .signInTimedOut)
    // What comes now is too late.
    kept.withLock { $0.take() }?(try stub.settings())
    guard case .unset = service.currentState else {
      Issue.record("\(service.currentState)")
      return
    }
    // The question is asked anew, and this time the reply is dropped.
    #expect(try await service.authenticate()?.tokens == nil)
    guard case .guest(let error?) = service.currentState else {
      Issue.record("\(service.currentState)")
      return
    }
    #expect(error.code == .interactionCancelled)
    #expect(app.told.count == 2)
  }

  @Test("Cancelling one caller disturbs no other")
  func cancelling() async throws {
    let stub = SalesforceStub()
    let settings = try stub.settings()
    let gate = Gate()
    let app = App([
      { reply in
        try? await gate.pass()
        reply(settings)
        return true
      }
    ])
    let service = stub.service(app.handlers)
    let first = Task { try await service.authenticate() }
    try await gate.waitForWaiting()
    let second = Task { try await service.send(.get(SalesforceStub.cases)) }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    gate.open()
    #expect(try await second.value.status == .ok)
    #expect(app.told.count == 1)
  }
}
