import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiarySalesforce
import OstiaryTesting
import TestSupport
import Testing

@Suite("Push notifications", .timeLimit(.minutes(20)))
struct SalesforcePushTests {
  private func device(_ token: [UInt8]) -> SalesforcePush.Device {
    SalesforcePush.Device(token: Data(token), bundle: "test.acme.app", communityID: "0DBx000000000Xy")
  }

  @Test("Salesforce-E12: registering sends what the org wants, and replaces an earlier registration")
  func registering() async throws {
    let stub = SalesforceStub()
    let connection = try stub.connection()
    #expect(!connection.push.isRegistered)
    try await connection.push.register(device([0x0A, 0xFF]))
    let request = try required(stub.transport.requests.last)
    #expect(request.head.path == SalesforceStub.devicePath)
    let body = JSONValue(json: request.body ?? Data())
    #expect(
      body
        == .object([
          "ConnectionToken": "0aff", "ServiceType": "Apple", "ApplicationBundle": "test.acme.app",
          "NetworkId": "0DBx000000000Xy",
        ]))
    #expect(connection.push.isRegistered)
    try await connection.push.register(device([0x0B]))
    #expect(stub.state.withLock { $0.deviceLog } == ["+0aff", "-0aff", "+0b"])
    try await connection.push.unregister()
    try await connection.push.unregister()
    #expect(!connection.push.isRegistered)
    #expect(stub.state.withLock { $0.devices } == [:])
  }

  @Test("Salesforce-E12: registrations at the same time leave one device, and a renewal in between does no harm")
  func together() async throws {
    let stub = SalesforceStub(rotates: true)
    let connection = try stub.connection(refreshToken: true)
    try await connection.verify()
    stub.dropAccessTokens()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<10 { group.addTask { try await connection.push.register(device([UInt8(number)])) } }
      try await group.waitForAll()
    }
    #expect(stub.state.withLock { $0.devices.count } == 1)
    #expect(stub.state.withLock { $0.refreshes } == 1)
  }

  @Test("Salesforce-E12: another run of the app replaces an account's registration, and undoes it at sign-out")
  func anotherRun() async throws {
    let stub = SalesforceStub()
    let store = EphemeralStore()
    let first = stub.accounts(store: store)
    let bob = try await first.signIn(with: stub.browser(.bob))
    try await bob.connection.push.register(device([9]))
    let ann = try await first.signIn(with: stub.browser())
    try await ann.connection.push.register(device([1]))

    let second = stub.accounts(store: store)
    try await second.restore()
    let again = try required(second.account(for: ann.identity))
    #expect(again.connection.push.registrationID == ann.connection.push.registrationID)
    try await again.connection.push.register(device([2]))

    let third = stub.accounts(store: store)
    try await third.restore()
    let last = try required(third.account(for: ann.identity))
    #expect(await third.signOut(last)?.isComplete == true)
    #expect(stub.state.withLock { $0.deviceLog } == ["+09", "+01", "-01", "+02", "-02"])
    // Nothing is left of it, and the other's is.
    let fourth = stub.accounts(store: store)
    #expect(try await fourth.restore().map(\.connection.push.isRegistered) == [true])
    await fourth.signOutAll()
    #expect(stub.state.withLock { $0.devices } == [:])
    #expect(await store.load(SessionKey("salesforce-devices")) == .absent)
  }

  @Test("Salesforce-E6: a session that two services use stays registered until neither does")
  func sharedSession() async throws {
    let stub = SalesforceStub()
    let services = SalesforceServices(transport: stub.transport, clock: stub.clock)
    let connection = try stub.connection()
    let settings = try required(SalesforceSettings(connection))
    try await services[.cases].set(settings)
    try await services[.knowledge].set(settings)
    // The same again is no second use.
    try await services[.cases].set(settings)
    try await connection.push.register(device([1]))
    try await services[.cases].set(nil)
    try await services[.cases].set(.guest())
    #expect(try await services[.knowledge].send(.get(SalesforceStub.cases)).status == .ok)
    #expect(stub.state.withLock { $0.deviceLog } == ["+01"])
    let device = try required(connection.push.registrationID)
    try await services[.knowledge].set(nil)
    try await stub.transport.waitForRequests(1, to: .delete, SalesforceStub.devicePath + "/" + device)
  }

  @Test("An org that refuses says why, and a device that it does not know is unregistered")
  func refusals() async throws {
    let stub = SalesforceStub()
    let connection = try stub.connection()
    try await connection.push.register(device([1]))
    stub.state.withLock { $0.devices = [:] }
    try await connection.push.unregister()
    #expect(!connection.push.isRegistered)
    stub.transport.on(.post, SalesforceStub.devicePath) { _ in
      SalesforceStub.failure("API_DISABLED_FOR_ORG", status: .forbidden)
    }
    let error = await failure { try await connection.push.register(device([1])) }
    #expect(error?.code == .salesforceRequestRefused)
    #expect(error?.message.contains("API_DISABLED_FOR_ORG") == true)
    #expect(!connection.push.isRegistered)
  }

  @Test("Salesforce-E12: signing a service out unregisters the device, and waits for nobody")
  func serviceSignOut() async throws {
    let stub = SalesforceStub()
    let service = stub.service()
    let connection = try stub.connection()
    try await connection.push.register(device([1]))
    try await service.set(try required(SalesforceSettings(connection)))
    let gate = Gate()
    let path = try required(connection.push.registrationID.map { SalesforceStub.devicePath + "/" + $0 })
    stub.transport.on(.delete, path) { _ in
      try await gate.pass()
      return .status(.noContent)
    }
    try await service.set(nil)
    #expect(service.settings == nil)
    try await gate.waitForWaiting()
    gate.open()
    try await stub.transport.waitForRequests(1, to: .delete, path)
  }

  @Test("A case's notification is recognised, and no other")
  func notifications() {
    let id = SalesforceID("500x00000000001")
    #expect(SalesforceNotification(payload: ["caseid": "500x00000000001"]) == .cases(id: id))
    #expect(SalesforceNotification(payload: ["aps": .object([:]), "CaseId": "500x00000000001"])?.caseID == id)
    #expect(SalesforceNotification(payload: ["data": .object(["caseid": "500x00000000001"])])?.caseID == id)
    #expect(SalesforceNotification(payload: ["notificationType": "case"]) == .cases(id: nil))
    #expect(SalesforceNotification(payload: ["caseid": "005x00000012Q9P"]) == nil)
    #expect(SalesforceNotification(payload: ["caseid": 7]) == nil)
    #expect(SalesforceNotification(payload: ["aps": .object(["alert": "hello"])]) == nil)
  }
}

/// Which case a notification is about.
@Suite("Notifications with several identifiers") struct NotificationOrderTests {
  @Test("Bug-F33: of two identifiers the documented name counts, whatever the order of a hash table")
  func order() throws {
    let documented = try required(SalesforceID("500x00000012Q9P"))
    for _ in 0..<50 {
      var payload: [String: JSONValue] = ["case_id": "500x00000012Q9Q", "sid": "500x00000012Q9R"]
      payload["caseid"] = .string(documented.id15)
      #expect(SalesforceNotification(payload: payload)?.caseID == documented)
    }
  }
}
