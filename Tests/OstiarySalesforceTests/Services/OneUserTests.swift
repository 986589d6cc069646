import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiarySalesforce
import OstiaryTesting
import TestSupport
import Testing

/// A call is about the user of the moment at which it was made.
@Suite("One user never reaches another: services", .timeLimit(.minutes(20)))
struct OneUserTests {
  /// A session of Ann's tokens, which do not say whose they are.
  private func anonymous(_ stub: SalesforceStub) throws -> SalesforceConnection {
    var members = stub.issue(.ann)
    members["id"] = nil
    let tokens = try required(SalesforceTokens(members, clientID: SalesforceStub.clientID))
    var configuration = SessionConfiguration()
    configuration.retry = .none
    return try SalesforceConnection(
      tokens, transport: stub.transport, configuration: configuration, clock: stub.clock)
  }

  @Test(
    "Bug-F09: a user who is known no more is no other user: Ann's case is never filed as Ben's, and goes on as hers")
  func unknown() async throws {
    for (answer, isSent) in [(SalesforceStub.Person.bob, false), (.ann, true)] {
      let stub = SalesforceStub()
      let app = App([])
      let service = stub.service(app.handlers)
      let connection = try anonymous(stub)
      try await service.set(try required(SalesforceSettings(connection)))
      // From here on, no session says whose it was.
      _ = await connection.manager.signOut()
      let settings = try stub.settings(answer)
      app.answers.withLock { $0 = [reply(settings)] }
      let call = try SalesforceCall.post(SalesforceStub.cases, json: .object(["Subject": "Ann's"]))
      #expect(await failure { try await service.send(call) }?.code == (isSent ? nil : .signedOut))
      #expect(stub.state.withLock { $0.cases } == (isSent ? ["Ann's": [.ann]] : [:]))
      #expect(service.settings?.tokens == settings.tokens)
    }
  }

  @Test("Bug-F09: settings that are being verified are their user's: a call made meanwhile is sent in no other name")
  func verifying() async throws {
    let stub = SalesforceStub()
    let service = stub.service()
    let gate = Gate()
    stub.transport.inject(.hold(gate), into: .get("/id/00Dx0000000BV7z/005x00000012Q9P"))
    let ann = try stub.settings()
    let setting = startAtOnce { try await service.set(ann) }
    try await gate.waitForWaiting()
    let call = try SalesforceCall.post(SalesforceStub.cases, json: .object(["Subject": "Ann's"]))
    let posting = startAtOnce { try await service.send(call) }
    try await service.set(try stub.settings(.bob))
    gate.open()
    #expect(await failure { try await setting.value }?.code == .salesforceSettingsSuperseded)
    #expect(await failure { try await posting.value }?.code == .signedOut)
    #expect(stub.state.withLock { $0.cases } == [:])
  }

  @Test("A call whose user's session is lost is sent for nobody else who answers, and goes on for the same user")
  func lost() async throws {
    for (answer, isSent) in [(SalesforceStub.Person.bob, false), (.ann, true)] {
      let stub = SalesforceStub()
      let asked = Gate()
      let kept = Locked<SalesforceSettingsReply?>(nil)
      let app = App([
        { reply in
          kept.withLock { $0 = reply }
          asked.open()
          return true
        }
      ])
      let service = stub.service(app.handlers)
      try await service.set(try stub.settings())
      stub.dropTokens()
      let first = startAtOnce { try await service.send(.get(SalesforceStub.cases)) }
      try await asked.pass()
      // Ann's session is over, and the app is being asked.
      let call = try SalesforceCall.post(SalesforceStub.cases, json: .object(["Subject": "Ann's"]))
      let second = startAtOnce { try await service.send(call) }
      kept.withLock { $0.take() }?(try stub.settings(answer))
      for posting in [first, second] {
        #expect(await failure { try await posting.value }?.code == (isSent ? nil : .signedOut))
      }
      #expect(stub.state.withLock { $0.cases } == (isSent ? ["Ann's": [.ann]] : [:]))
    }
  }

  @Test("A call that waits for an answer is over when the app signs out instead; it asks no one else")
  func signedOutInstead() async throws {
    let stub = SalesforceStub()
    let asked = Gate()
    let kept = Locked<SalesforceSettingsReply?>(nil)
    let app = App([
      { reply in
        kept.withLock { $0 = reply }
        asked.open()
        return true
      }
    ])
    let service = stub.service(app.handlers)
    let waiting = startAtOnce { try await service.send(.get(SalesforceStub.cases)) }
    try await asked.pass()
    try await service.set(nil)
    #expect(await failure { try await waiting.value }?.code == .salesforceSettingsSuperseded)
    #expect(app.told == ["should cases"])
    #expect(stub.transport.count == 0)
  }

  @Test("A call of a user whose settings are being verified is over when the app signs out; it asks no one")
  func signedOutDuringVerification() async throws {
    let stub = SalesforceStub()
    let app = App([reply(try stub.settings())])
    let service = stub.service(app.handlers)
    let gate = Gate()
    stub.transport.inject(.hold(gate), into: .get("/id/00Dx0000000BV7z/005x00000012Q9P"))
    let ann = try stub.settings()
    let setting = startAtOnce { try await service.set(ann) }
    try await gate.waitForWaiting()
    let reading = startAtOnce { try await service.send(.get(SalesforceStub.cases)) }
    try await service.set(nil)
    gate.open()
    #expect(await failure { try await setting.value }?.code == .salesforceSettingsSuperseded)
    #expect(await failure { try await reading.value }?.code == .signedOut)
    #expect(app.told == [])
  }

  @Test("A user who signs out during a call is asked for by no call of theirs")
  func signedOutDuringCall() async throws {
    let stub = SalesforceStub()
    let gate = Gate()
    let app = App([reply(try stub.settings(.bob))])
    let service = stub.service(app.handlers)
    try await service.set(try stub.settings())
    stub.transport.inject(.hold(gate), into: .get(SalesforceStub.cases))
    let reading = startAtOnce { try await service.send(.get(SalesforceStub.cases)) }
    try await gate.waitForWaiting()
    try await service.set(nil)
    stub.dropTokens()
    gate.open()
    #expect(await failure { try await reading.value }?.code == .signedOut)
    #expect(app.told == [])
  }

  @Test("Bug-F05: a registration that is under way when the settings change is undone")
  func registrationUnderWay() async throws {
    for change in [SalesforceSettings.guest(), nil] {
      let stub = SalesforceStub()
      let service = stub.service()
      let connection = try stub.connection()
      try await service.set(try required(SalesforceSettings(connection)))
      let gate = Gate()
      stub.transport.inject(.holdResponse(gate), into: .post(SalesforceStub.devicePath))
      let registering = startAtOnce {
        try await connection.push.register(SalesforcePush.Device(token: Data([1]), bundle: "app"))
      }
      try await gate.waitForWaiting()
      try await service.set(change)
      gate.open()
      _ = await failure { try await registering.value }
      // The org forgets the device before its answer says so to the connection.
      try await waitUntil { stub.state.withLock { $0.devices.isEmpty } && !connection.push.isRegistered }
      #expect(stub.state.withLock { $0.deviceLog } == ["+01", "-01"])
    }
  }

  @Test("Bug-F05: a registration acts before what follows the end of its user's use, when it was begun before")
  func registrationOrder() async throws {
    for _ in 0..<20 {
      let stub = SalesforceStub()
      let service = stub.service()
      let connection = try stub.connection()
      try await service.set(try required(SalesforceSettings(connection)))
      let gate = Gate()
      let registration = connection.beginPush { push in
        try await gate.pass()
        try await push.register(SalesforcePush.Device(token: Data([1]), bundle: "app"))
      }
      try await gate.waitForWaiting()
      try await service.set(nil)
      // What comes after it has had its chance to overtake.
      for _ in 0..<100 { await Task.yield() }
      gate.open()
      try await registration.value
      try await connection.beginPush { _ in }.value
      #expect(stub.state.withLock { $0.deviceLog } == ["+01", "-01"])
    }
  }
}
