import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiaryTesting
import TestSupport
import Testing

@testable import OstiarySalesforce

/// Every record of this device at an org is remembered until it is gone.
@Suite("Registrations that are owed", .timeLimit(.minutes(20))) struct OwedRegistrationTests {
  private let stub = SalesforceStub()
  private let store = EphemeralStore()
  private static let devicesKey = SessionKey("salesforce-devices")

  private func device(_ number: UInt8) -> SalesforcePush.Device {
    SalesforcePush.Device(token: Data([number]), bundle: "app")
  }

  private func path(_ id: String) -> String { SalesforceStub.devicePath + "/" + id }

  private var devices: [String: String] { stub.state.withLock { $0.devices } }

  /// What an org, or one in its place, answers instead of removing a record.
  static let failures: [Fault] = [
    .status(.internalServerError), .refuseConnection, .dropBeforeServerActs, .page("<h1>Hotel</h1>"),
    .respond(.html("<h1>Not here</h1>", status: .notFound)), .status(.notFound),
    .respond(SalesforceStub.failure("API_DISABLED_FOR_ORG", status: .forbidden)),
  ]

  @Test(
    "Bug-F06: an earlier registration that can't be removed is removed with the next, or at sign-out",
    arguments: failures)
  func earlier(_ failure: Fault) async throws {
    for signsOut in [true, false] {
      let stub = SalesforceStub()
      let accounts = stub.accounts()
      let ann = try await accounts.signIn(with: stub.browser())
      let push = ann.connection.push
      try await push.register(device(1))
      let first = try required(push.registrationID)
      stub.transport.inject(failure, into: .to(.delete, path(first)), at: .nth(1))
      try await push.register(device(2))
      #expect(push.owedRegistrationIDs == [first])
      #expect(stub.state.withLock { $0.devices.count } == 2)
      if signsOut {
        #expect(await accounts.signOut(ann)?.isComplete == true)
      } else {
        try await push.unregister()
      }
      #expect(push.owedRegistrationIDs.isEmpty && !push.isRegistered)
      #expect(stub.state.withLock { $0.devices } == [:])
    }
  }

  @Test(
    "Bug-F06: a sign-out tells what stays at the org, and the same user's next sign-in removes it", arguments: failures)
  func nextSignIn(_ failure: Fault) async throws {
    let accounts = stub.accounts(store: store)
    let ann = try await accounts.signIn(with: stub.browser())
    try await ann.connection.push.register(device(1))
    let id = try required(ann.connection.push.registrationID)
    stub.transport.inject(failure, into: .to(.delete, path(id)))
    let report = try required(await accounts.signOut(ann))
    #expect(!report.isComplete && report.pushError != nil && report.owedRegistrationIDs == [id])
    #expect(accounts.owedRegistrations == [ann.identity: [id]])
    #expect(devices.count == 1)

    // Another run of the app tells it, also while another user is signed in, and sends nothing of it in their name.
    let next = stub.accounts(store: store)
    _ = try await next.signIn(with: stub.browser(.bob))
    let before = stub.transport.count(.delete, path(id))
    try await next.restore()
    #expect(next.owedRegistrations == [ann.identity: [id]])
    #expect(stub.transport.count(.delete, path(id)) == before)
    // A run that has not read its store knows it as well when the user is back.
    stub.transport.setFaults()
    let last = stub.accounts(store: store)
    let again = try await last.signIn(with: stub.browser())
    // What is begun later comes later.
    try await again.connection.beginPush { _ in }.value
    #expect(last.owedRegistrations.isEmpty && devices == [:])
    #expect(!again.connection.push.isRegistered)
    #expect(await last.signOut(again)?.isComplete == true)
    #expect(await store.load(Self.devicesKey) == .absent)
  }

  @Test("Bug-F06: what is owed stays owed when the next sign-in can't remove it either")
  func stillOwed() async throws {
    let accounts = stub.accounts(store: store)
    let ann = try await accounts.signIn(with: stub.browser())
    try await ann.connection.push.register(device(1))
    let id = try required(ann.connection.push.registrationID)
    stub.transport.inject(.status(.internalServerError), into: .to(.delete, path(id)))
    await accounts.signOut(ann)
    let again = try await accounts.signIn(with: stub.browser())
    try await again.connection.push.register(device(2))
    let second = try required(again.connection.push.registrationID)
    let report = await accounts.signOut(again)
    #expect(report?.isComplete == false && report?.owedRegistrationIDs == [id])
    #expect(accounts.owedRegistrations == [ann.identity: [id]])
    #expect(devices.count == 1 && devices[second] == nil)
    guard case .present(let data) = await store.load(Self.devicesKey) else { throw Gone() }
    // User, project and record; nothing that is secret.
    let text = String(decoding: data, as: UTF8.self)
    #expect(text.contains(id) && text.contains("005x00000012Q9P") && !text.contains("!AR8"))
  }

  @Test("Bug-F06: a session that the org ends leaves its registration owed")
  func endedByServer() async throws {
    let accounts = stub.accounts(store: store)
    let ann = try await accounts.signIn(with: stub.browser())
    try await ann.connection.push.register(device(1))
    let id = try required(ann.connection.push.registrationID)
    stub.dropTokens()
    _ = try? await ann.send(.get(SalesforceStub.cases))
    try await waitUntil { ann.loginState == .notLoggedIn }
    #expect(accounts.owedRegistrations == [ann.identity: [id]])
    let again = try await accounts.signIn(with: stub.browser())
    try await again.connection.beginPush { _ in }.value
    #expect(accounts.owedRegistrations.isEmpty && devices == [:])
  }

  @Test("Bug-F28: a sign-in during the same user's sign-out does not take the record that goes for its own")
  func signInDuringSignOut() async throws {
    let accounts = stub.accounts(store: store)
    let ann = try await accounts.signIn(with: stub.browser())
    try await ann.connection.push.register(device(1))
    let id = try required(ann.connection.push.registrationID)
    let gate = Gate()
    stub.transport.inject(.holdResponse(gate), into: .to(.delete, path(id)), at: .nth(1))
    let ending = try required(accounts.beginSignOut(ann))
    try await gate.waitForArrivals(1)
    let again = try await accounts.signIn(with: stub.browser())
    #expect(!again.connection.push.isRegistered)
    gate.open()
    #expect(await ending.result()?.isComplete == true)
    #expect(again.loginState == .loggedIn && !again.connection.push.isRegistered)
    // What is begun later comes later.
    try await again.connection.beginPush { try await $0.register(device(2)) }.value
    #expect(accounts.owedRegistrations.isEmpty && devices.count == 1)
    let next = stub.accounts(store: store)
    #expect(try await next.restore().map(\.connection.push.registrationID) == [again.connection.push.registrationID])
  }

  @Test("Bug-F28: a sign-in while the end of the same user's session is noted does not take its record for its own")
  func signInDuringEnd() async throws {
    let faulty = FaultyStore(store)
    let accounts = stub.accounts(store: faulty)
    let ann = try await accounts.signIn(with: stub.browser())
    try await ann.connection.push.register(device(1))
    let gate = Gate()
    faulty.inject(.hold(gate), into: .remove, at: .nth(1))
    stub.dropTokens()
    _ = try? await ann.send(.get(SalesforceStub.cases))
    // The account is not in the list any more, and its record is not noted as owed yet.
    try await gate.waitForArrivals(1)
    let signIn = Task { try await accounts.signIn(with: stub.browser()) }
    try await waitUntil { accounts.account(for: ann.identity) != nil }
    #expect(accounts.account(for: ann.identity)?.connection.push.isRegistered == false)
    gate.open()
    let again = try await signIn.value
    try await waitUntil { ann.loginState == .notLoggedIn }
    try await again.connection.beginPush { _ in }.value
    #expect(!again.connection.push.isRegistered)
    #expect(accounts.owedRegistrations.isEmpty && devices == [:])
  }

  @Test("Bug-F28: a registration that comes too late does not displace that of the same user's next sign-in")
  func registrationAfterSignOut() async throws {
    let accounts = stub.accounts(store: store)
    let ann = try await accounts.signIn(with: stub.browser())
    let push = ann.connection.push
    let gate = Gate()
    stub.transport.inject(.holdResponse(gate), into: .post(SalesforceStub.devicePath), at: .nth(1))
    let registration = Task { try await push.register(device(1)) }
    try await gate.waitForArrivals(1)
    let ending = try required(accounts.beginSignOut(ann))
    let again = try await accounts.signIn(with: stub.browser())
    try await again.connection.push.register(device(2))
    let id = try required(again.connection.push.registrationID)
    gate.open()
    #expect(await failure { try await registration.value }?.code == .signedOut)
    _ = await ending.result()
    // What the earlier session can't remove any more, the present one has.
    try await again.connection.beginPush { _ in }.value
    #expect(accounts.owedRegistrations.isEmpty && devices.keys.sorted() == [id])
    let next = stub.accounts(store: store)
    #expect(try await next.restore().map(\.connection.push.registrationID) == [id])
  }

  @Test("Bug-F06: two processes note what they know side by side, and a write that fails is made up for")
  func processes() async throws {
    let faulty = FaultyStore(store)
    let (app, appExtension) = (stub.accounts(store: faulty), stub.accounts(store: store))
    let ann = try await app.signIn(with: stub.browser())
    let bob = try await appExtension.signIn(with: stub.browser(.bob))
    faulty.inject(.unavailable, into: .save)
    try await ann.connection.push.register(device(1))
    try await bob.connection.push.register(device(2))
    faulty.heal()
    try await ann.connection.push.register(device(3))
    let next = stub.accounts(store: store)
    try await next.restore()
    #expect(
      next.accounts.map(\.connection.push.registrationID)
        == [ann.connection.push.registrationID, bob.connection.push.registrationID])
  }

  @Test("Bug-F06: what is noted while the store is read is not forgotten")
  func notedMeanwhile() async throws {
    try #require(TaskCapture.isAvailable, "The runtime has no hook for enqueueing; nothing was tested.")
    let identity = try required(try stub.tokens().identity)
    let owed = await TaskCapture.onThread { [stub] capture in
      let (gate, isFirst) = (Gate(), Locked(true))
      // What was read first arrives when everything else has been done.
      let store = FaultyStore(checkpoint: { step in
        let isHeld =
          step == "load done"
          && isFirst.withLock { isFirst in
            defer { isFirst = false }
            return isFirst
          }
        if isHeld { try? await gate.pass() }
      })
      let accounts = stub.accounts(store: store)
      Task { await accounts.readDevices() }
      capture.drain()
      Task { await accounts.note(.owed("08S1"), of: identity) }
      capture.drain()
      gate.open()
      capture.drain()
      return accounts.owedRegistrations
    }
    #expect(owed == [identity: ["08S1"]])
  }

  @Test("A registration of an earlier version of this library is read")
  func older() async throws {
    let accounts = stub.accounts(store: store)
    let ann = try await accounts.signIn(with: stub.browser())
    try await ann.connection.push.register(device(1))
    let id = try required(ann.connection.push.registrationID)
    let data = try JSONEncoder().encode([ann.identity.name: id])
    #expect(await store.load(Self.devicesKey) == .present(data))
    for damaged in ["[", "{}", "{\"x\":7}", "{\"\(ann.identity.name)\":[]}"] {
      try await store.save(Data(damaged.utf8), for: Self.devicesKey, replacing: .anything)
      let next = stub.accounts(store: store)
      #expect(try await next.restore().map(\.connection.push.isRegistered) == [false])
      #expect(next.owedRegistrations.isEmpty)
    }
  }

  @Test("Bug-F06: a service whose user is back removes what their earlier session has left behind")
  func service() async throws {
    let service = stub.service()
    let connection = try stub.connection()
    try await service.set(try required(SalesforceSettings(connection)))
    try await connection.push.register(device(1))
    let id = try required(connection.push.registrationID)
    stub.transport.inject(.status(.internalServerError), into: .to(.delete, path(id)))
    try await service.set(nil)
    let identity = try required(try stub.tokens().identity)
    try await waitUntil { service.owedRegistrations == [identity: [id]] }
    stub.transport.setFaults()
    try await service.set(try stub.settings(.bob))
    #expect(service.owedRegistrations == [identity: [id]] && devices.count == 1)
    try await service.set(try stub.settings(.ann))
    try await waitUntil { devices.isEmpty }
    #expect(service.owedRegistrations.isEmpty)
  }

  private struct Gone: Error {}
}
