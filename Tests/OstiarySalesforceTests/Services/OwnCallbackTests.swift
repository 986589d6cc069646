import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiarySalesforce
import OstiaryTesting
import TestSupport
import Testing

/// A handler that calls the service that asks it.
@Suite("A handler that calls its own service", .timeLimit(.minutes(5)))
struct OwnCallbackTests {
  @Test("Bug-F36: a call that the handler awaits would wait for itself: it fails at once, and the answer counts")
  func awaited() async throws {
    let stub = SalesforceStub()
    let settings = try stub.settings()
    let own = Locked<SalesforceService?>(nil)
    let codes = Notes<[OstiaryError.Code?]>([])
    let app = App([
      { reply in
        guard let service = own.withLock({ $0 }) else { return false }
        codes.append(await failure { try await service.send(.get(SalesforceStub.cases)) }?.code)
        codes.append(await failure { try await service.authenticate() }?.code)
        reply(settings)
        return true
      }
    ])
    let service = stub.service(app.handlers)
    own.withLock { $0 = service }
    #expect(try await service.send(.get(SalesforceStub.cases)).status == .ok)
    #expect(codes.value == [.calledFromOwnCallback, .calledFromOwnCallback])
    own.withLock { $0 = nil }
  }

  @Test("Bug-F36: a handler that is told of a failure, too")
  func told() async throws {
    let stub = SalesforceStub()
    let own = Locked<SalesforceService?>(nil)
    let codes = Notes<[OstiaryError.Code?]>([])
    let next = Locked<SalesforceSettings?>(nil)
    let service = stub.service(
      SalesforceServiceHandlers(
        shouldAuthenticate: { _, reply in
          reply(next.withLock { $0 })
          return true
        },
        authenticationFailed: { _, _ in
          if let service = own.withLock({ $0 }) {
            codes.append(await failure { try await service.send(.get(SalesforceStub.cases)) }?.code)
          }
          return true
        }))
    own.withLock { $0 = service }
    try await service.set(try stub.settings())
    stub.dropTokens()
    let settings = try stub.settings()
    next.withLock { $0 = settings }
    #expect(try await service.send(.get(SalesforceStub.cases)).status == .ok)
    #expect(codes.value == [.calledFromOwnCallback])
    own.withLock { $0 = nil }
  }

  @Test("Bug-F36: setting settings in a handler never waits for it, and calls after that are served")
  func replaced() async throws {
    let stub = SalesforceStub()
    let settings = try stub.settings()
    let own = Locked<SalesforceService?>(nil)
    let statuses = Notes<[Int]>([])
    let app = App([
      { _ in
        guard let service = own.withLock({ $0 }) else { return false }
        do {
          try await service.set(settings)
          statuses.append(try await service.send(.get(SalesforceStub.cases)).status.code)
        } catch {
          statuses.append(0)
        }
        return true
      }
    ])
    let service = stub.service(app.handlers)
    own.withLock { $0 = service }
    #expect(try await service.send(.get(SalesforceStub.cases)).status == .ok)
    try await waitUntil { !statuses.value.isEmpty }
    #expect(statuses.value == [200])
    own.withLock { $0 = nil }
  }

  @Test("Bug-F36: a call of another task can't be attributed: it waits, within the limit")
  func otherTask() async throws {
    let stub = SalesforceStub()
    let own = Locked<SalesforceService?>(nil)
    let app = App([
      { reply in
        guard let service = own.withLock({ $0 }) else { return false }
        _ = await failure { try await Task { try await service.send(.get(SalesforceStub.cases)) }.value }
        reply(nil)
        return true
      }
    ])
    let service = stub.service(app.handlers, patience: .seconds(60))
    own.withLock { $0 = service }
    let waiting = Task { await failure { try await service.send(.get(SalesforceStub.cases)) } }
    try await stub.clock.waitForSleepers()
    stub.clock.advance(by: .seconds(61))
    #expect(await waiting.value?.code == .signInTimedOut)
    own.withLock { $0 = nil }
  }

  @Test("Bug-F36: a handler that never comes back from being told holds no call up beyond the limit")
  func neverBack() async throws {
    let stub = SalesforceStub()
    let gate = Gate()
    var configuration = SalesforceServiceConfiguration()
    configuration.answerPatience = .seconds(60)
    configuration.sessions.retry = .none
    let service = SalesforceService(
      .cases, transport: stub.transport,
      handlers: SalesforceServiceHandlers(authenticationFailed: { _, _ in
        try? await gate.pass()
        return true
      }), configuration: configuration, clock: stub.clock)
    try await service.set(try stub.settings())
    stub.dropTokens()
    let waiting = Task { await failure { try await service.send(.get(SalesforceStub.cases)) } }
    try await stub.clock.waitForSleepers()
    stub.clock.advance(by: .seconds(61))
    #expect(await waiting.value?.code == .signInTimedOut)
    gate.open()
  }
}
