import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiarySalesforce
import OstiaryTesting
import TestSupport
import Testing

@Suite("Settings before they are needed", .timeLimit(.minutes(20)))
struct ExplicitTests {
  @Test("Salesforce-E5, E4: settings, verification, completion, only then what needs them, and no question")
  func story() async throws {
    let stub = SalesforceStub()
    let app = App([])
    let service = stub.service(app.handlers)
    let settings = try stub.settings()
    try await service.set(settings)
    #expect(stub.transport.count == 1)
    #expect(service.settings?.tokens == settings.tokens)
    #expect(try await service.send(.get(SalesforceStub.cases)).status == .ok)
    try await service.authenticate()
    #expect(app.told == [])
  }

  @Test("Salesforce-E11: settings that are refused leave the earlier ones, with the server's code")
  func refused() async throws {
    let stub = SalesforceStub()
    let service = stub.service()
    let good = try stub.settings()
    try await service.set(good)
    var members = stub.issue(.bob)
    members["access_token"] = "00Dx!dead"
    let dead = try required(SalesforceSettings(oauth2: members, clientID: "app"))
    #expect(await failure { try await service.set(dead) }?.code == .salesforceSessionInvalid)
    #expect(service.settings?.tokens == good.tokens)
    #expect(try await service.send(.get(SalesforceStub.cases)).status == .ok)
  }

  @Test("Salesforce-E6: nil signs out, says so, and touches no other service")
  func signOut() async throws {
    let stub = SalesforceStub()
    let services = SalesforceServices(transport: stub.transport, clock: stub.clock)
    let events = Notes<[String]>([])
    services.onEvent { events.append("\($0.type) \($0.settings == nil ? "none" : "some") \($0.cause)") }
    try await services[.cases].set(try stub.settings())
    try await services[.knowledge].set(try stub.settings(.bob))
    try await services[.cases].set(nil)
    #expect(services[.cases].settings == nil)
    #expect(services[.knowledge].settings != nil)
    #expect(try await services[.knowledge].send(.get(SalesforceStub.cases)).status == .ok)
    #expect(
      events.value == [
        "cases some requested_by_app", "knowledge some requested_by_app", "cases none requested_by_app",
      ])
    // The app's tokens are the app's.
    #expect(stub.state.withLock { $0.revoked } == [:])
  }

  @Test("Salesforce-E13: settings that are set forestall the question that is open; its late answer does nothing")
  func forestalled() async throws {
    let stub = SalesforceStub()
    let kept = Locked<SalesforceSettingsReply?>(nil)
    let asked = Gate()
    let app = App([
      { reply in
        kept.withLock { $0 = reply }
        asked.open()
        return true
      }
    ])
    let service = stub.service(app.handlers)
    let waiting = Task { try await service.send(.get(SalesforceStub.cases)) }
    try await asked.pass()
    let set = try stub.settings()
    try await service.set(set)
    #expect(try await waiting.value.status == .ok)
    kept.withLock { $0 }?(try stub.settings(.bob))
    kept.withLock { $0 }?(nil)
    #expect(service.settings?.tokens == set.tokens)
    #expect(app.told.count == 1)
  }

  @Test("Settings that are replaced while they are verified don't come back")
  func superseded() async throws {
    let stub = SalesforceStub()
    let gate = Gate()
    stub.transport.on(.get, "/id/00Dx0000000BV7z/005x00000012Q9P") { _ in
      try await gate.pass()
      return .json(["id": .string(SalesforceStub.Person.ann.identityURL)])
    }
    let service = stub.service()
    let ann = try stub.settings()
    let first = Task { await failure { try await service.set(ann) } }
    try await gate.waitForWaiting()
    let bob = try stub.settings(.bob)
    try await service.set(bob)
    #expect(await first.value?.code == .salesforceSettingsSuperseded)
    gate.open()
    #expect(service.settings?.tokens == bob.tokens)
    try await service.set(nil)
    #expect(service.settings == nil)
  }

  @Test("A server that fails refuses nobody's settings, and takes none")
  func offline() async throws {
    let stub = SalesforceStub()
    let service = stub.service()
    let good = try stub.settings()
    try await service.set(good)
    stub.transport.inject(.status(.serviceUnavailable))
    #expect(await failure { try await service.set(try stub.settings(.bob)) }?.isTransient == true)
    #expect(service.settings?.tokens == good.tokens)
    stub.transport.setFaults()
    #expect(try await service.send(.get(SalesforceStub.cases)).status == .ok)
  }
}
