import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiarySalesforce
import OstiaryTesting
import TestSupport
import Testing

@Suite("When settings fail", .timeLimit(.minutes(20)))
struct FailureTests {
  @Test("Salesforce-E7: an app that says no goes on as a guest; the call fails with the reason")
  func guest() async throws {
    let stub = SalesforceStub()
    let app = App(askAgain: false, [])
    let service = stub.service(app.handlers)
    try await service.set(try stub.settings())
    stub.dropTokens()
    let error = await failure { try await service.send(.get(SalesforceStub.cases)) }
    #expect(error?.code == .salesforceSessionInvalid)
    guard case .guest(let reason?) = service.currentState else {
      Issue.record("\(service.currentState)")
      return
    }
    #expect(reason.code == .salesforceSessionInvalid)
    #expect(app.told == ["failed cases salesforce_session_invalid"])
    #expect(await failure { try await service.send(.get(SalesforceStub.cases)) }?.code == .salesforceGuestHasNoSite)
  }

  @Test("Salesforce-E8: the same bad token handed over again ends as a guest, and is not shown to the server again")
  func sameToken() async throws {
    let stub = SalesforceStub()
    let settings = try stub.settings()
    let app = App([reply(settings), reply(settings), reply(settings)])
    let service = stub.service(app.handlers)
    #expect(try await service.send(.get(SalesforceStub.cases)).status == .ok)
    stub.dropTokens()
    let before = stub.transport.count
    let error = await failure { try await service.send(.get(SalesforceStub.cases)) }
    #expect(error?.code == .salesforceSettingsUnusable)
    #expect(stub.transport.count == before + 1)
    guard case .guest(_?) = service.currentState else {
      Issue.record("\(service.currentState)")
      return
    }
    #expect(app.told == ["should cases", "failed cases salesforce_session_invalid", "should cases"])
  }

  @Test("Salesforce-E8: the second failure in a row ends as a guest; one after a call that was accepted does not")
  func inARow() async throws {
    let stub = SalesforceStub()
    let app = App([])
    let service = stub.service(app.handlers)
    try await service.set(try stub.settings())
    for _ in 0..<3 {
      stub.dropTokens()
      app.answers.withLock { $0 = [reply(try? stub.settings())] }
      #expect(try await service.send(.get(SalesforceStub.cases)).status == .ok)
    }
    // From now on the identity service takes tokens that the interface refuses.
    stub.transport.on(.get, SalesforceStub.cases) { _ in SalesforceStub.failure("INVALID_SESSION_ID") }
    app.answers.withLock {
      $0 = Array(
        repeating: { reply in
          reply(try? stub.settings())
          return true
        }, count: 10)
    }
    let before = app.told.count
    #expect(await failure { try await service.send(.get(SalesforceStub.cases)) }?.code == .salesforceSessionInvalid)
    #expect(app.told.count == before + 2)
    guard case .guest(let error?) = service.currentState else {
      Issue.record("\(service.currentState)")
      return
    }
    #expect(error.code == .salesforceSessionInvalid)
  }

  @Test("Salesforce-E9: ten calls that meet it at once are one failure")
  func together() async throws {
    let stub = SalesforceStub()
    let app = App([])
    let service = stub.service(app.handlers)
    try await service.set(try stub.settings())
    stub.dropTokens()
    let next = try stub.settings()
    app.answers.withLock { $0 = [reply(next)] }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<10 {
        group.addTask { try await expectServed { try await service.send($0) } }
      }
      try await group.waitForAll()
    }
    #expect(app.told == ["failed cases salesforce_session_invalid", "should cases"])
  }

  @Test("Salesforce-E10: a refresh token is tried first, and nobody asked; a dead one is a failure")
  func refreshing() async throws {
    let stub = SalesforceStub(rotates: true)
    let app = App([])
    let service = stub.service(app.handlers)
    try await service.set(try stub.settings(refreshToken: true))
    stub.dropAccessTokens()
    #expect(try await service.send(.get(SalesforceStub.cases)).status == .ok)
    #expect(app.told == [])
    #expect(stub.state.withLock { $0.refreshes } == 1)

    stub.dropTokens()
    let next = try stub.settings()
    app.answers.withLock { $0 = [reply(next)] }
    #expect(try await service.send(.get(SalesforceStub.cases)).status == .ok)
    #expect(stub.state.withLock { $0.refreshes } == 2)
    #expect(app.told == ["failed cases salesforce_session_invalid", "should cases"])
  }

  @Test("Salesforce-E10: settings with a dead access token and a good refresh token are good")
  func handedOverLate() async throws {
    let stub = SalesforceStub(rotates: true)
    let settings = try stub.settings(refreshToken: true)
    stub.dropAccessTokens()
    let service = stub.service()
    try await service.set(settings)
    #expect(try await service.send(.get(SalesforceStub.cases)).status == .ok)
    #expect(service.settings?.isGuest == false)
    #expect(service.connection?.tokens?.refreshToken != settings.tokens?.refreshToken)
  }

  @Test("A server that fails while it is asked about an answer loses neither the answer nor the user's place")
  func offlineAnswer() async throws {
    let stub = SalesforceStub()
    let app = App([])
    let service = stub.service(app.handlers)
    try await service.set(try stub.settings())
    stub.dropTokens()
    let next = try stub.settings()
    app.answers.withLock { $0 = [reply(next)] }
    stub.transport.inject(.status(.serviceUnavailable), into: .get("/id/00Dx0000000BV7z/005x00000012Q9P"))
    #expect(await failure { try await service.send(.get(SalesforceStub.cases)) }?.isTransient == true)
    stub.transport.setFaults()
    #expect(try await service.send(.get(SalesforceStub.cases)).status == .ok)
    #expect(app.told == ["failed cases salesforce_session_invalid", "should cases"])
  }

  @Test("A call that was begun in one user's name is sent in no other's")
  func anotherUser() async throws {
    let stub = SalesforceStub()
    let app = App([])
    let service = stub.service(app.handlers)
    try await service.set(try stub.settings())
    stub.dropTokens()
    let bob = try stub.settings(.bob)
    app.answers.withLock { $0 = [reply(bob)] }
    let call = try SalesforceCall.post(SalesforceStub.cases, json: .object(["Subject": "Ann's"]))
    #expect(await failure { try await service.send(call) }?.code == .signedOut)
    #expect(stub.state.withLock { $0.cases } == [:])
    #expect(service.settings?.tokens == bob.tokens)
    #expect(try await service.send(.get(SalesforceStub.cases)).status == .ok)
  }

  @Test("A call that must not be sent again is not, though the server refused it before acting")
  func neverAgain() async throws {
    let stub = SalesforceStub()
    let app = App([])
    let service = stub.service(app.handlers)
    try await service.set(try stub.settings())
    stub.dropTokens()
    let next = try stub.settings()
    app.answers.withLock { $0 = [reply(next)] }
    var call = SalesforceCall.get(SalesforceStub.cases)
    call.replay = .never
    let once = call
    #expect(await failure { try await service.send(once) }?.code == .replayUnsafe)
    #expect(stub.transport.count(.get, SalesforceStub.cases) == 1)
  }

  @Test("An account's session is the account's: the service renews through it, and no refresh token is used twice")
  func account() async throws {
    let stub = SalesforceStub(rotates: true)
    let accounts = stub.accounts()
    let account = try await accounts.signIn(with: stub.browser())
    let service = stub.service()
    try await service.set(try required(SalesforceSettings(account)))
    stub.dropAccessTokens()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 {
        group.addTask { try await expectServed { try await service.send($0) } }
        group.addTask { try await expectServed { try await account.send($0) } }
      }
      try await group.waitForAll()
    }
    #expect(stub.state.withLock { $0.refreshes } == 1)
    #expect(service.settings?.tokens == account.tokens)
    await accounts.signOut(account)
    #expect(await failure { try await service.send(.get(SalesforceStub.cases)) } != nil)
  }
}
