import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiarySalesforce
import OstiaryTesting
import TestSupport
import Testing

/// A call is about the account of the moment at which it was made, and what belongs to a user ends with the user.
@Suite("One account never reaches another", .timeLimit(.minutes(20))) struct OneAccountTests {
  private let device = SalesforcePush.Device(token: Data([1]), bundle: "app")

  @Test("Bug-F03: what is current when a sign-out is asked for is what is signed out", arguments: 0..<20)
  func switchThenSignOut(round: Int) async throws {
    let stub = SalesforceStub()
    let accounts = stub.accounts()
    let ann = try await accounts.signIn(with: stub.browser())
    let bob = try await accounts.signIn(with: stub.browser(.bob))
    try await accounts.switchTo(ann)
    let change = accounts.beginSwitch(to: bob)
    let ending = accounts.beginSignOutCurrent()
    _ = try await change.value
    _ = try await ending.value?.result()
    #expect(bob.loginState == .notLoggedIn && ann.loginState == .loggedIn)
    #expect(accounts.accounts.map(\.identity) == [ann.identity])
  }

  @Test("Bug-F03: while the store is unread the current account is the stored one")
  func unread() async throws {
    let stub = SalesforceStub()
    let store = EphemeralStore()
    let ann = try await stub.accounts(store: store).signIn(with: stub.browser())
    _ = try await stub.accounts(store: store).signIn(with: stub.browser(.bob))
    let accounts = stub.accounts(store: store)
    #expect(await accounts.signOutCurrent()?.isComplete == true)
    #expect(accounts.accounts.map(\.identity) == [ann.identity])
  }

  @Test("Bug-F03: a sign-out of the current account is not about one that signs in meanwhile")
  func signInMeanwhile() async throws {
    let stub = SalesforceStub()
    let store = FaultyStore()
    _ = try await stub.accounts(store: store).signIn(with: stub.browser())
    let accounts = stub.accounts(store: store)
    let gate = Gate()
    store.inject(.hold(gate), into: .accounts, at: .nth(1))
    let ending = accounts.beginSignOutCurrent()
    try await gate.waitForWaiting()
    let saved = store.count(.save)
    let bob = Task { try await accounts.signIn(with: stub.browser(.bob)) }
    try await store.waitFor(.save, count: saved + 1)
    gate.open()
    _ = try await ending.value?.result()
    let account = try await bob.value
    #expect(account.loginState == .loggedIn)
    #expect(accounts.accounts.map(\.identity) == [account.identity] && accounts.current === account)
  }

  @Test("Bug-F03: who is switched to and signed out at once is not current, and the next sign-out is about no other")
  func switchThenSignOutOfAccount() async throws {
    let stub = SalesforceStub()
    let store = FaultyStore()
    let accounts = stub.accounts(store: store)
    let ann = try await accounts.signIn(with: stub.browser())
    let bob = try await accounts.signIn(with: stub.browser(.bob))
    // The calls that follow wait for this one.
    let gate = Gate()
    store.inject(.hold(gate), into: .save, at: .nth(1))
    let first = accounts.beginSwitch(to: ann)
    try await gate.waitForWaiting()
    let second = accounts.beginSwitch(to: bob)
    let bobs = accounts.beginSignOut(bob)
    let currents = accounts.beginSignOutCurrent()
    gate.open()
    _ = try await (first.value, second.value)
    #expect(try await currents.value == nil)
    _ = await bobs?.result()
    #expect(accounts.accounts.map(\.identity) == [ann.identity] && accounts.current == nil)
  }

  @Test("Bug-F07: sign-ins with different tokens at once are different sign-ins", arguments: 0..<20)
  func differentTokens(round: Int) async throws {
    let stub = SalesforceStub()
    let accounts = stub.accounts()
    let (annsTokens, bobsTokens) = (try stub.tokens(.ann), try stub.tokens(.bob))
    async let ann = accounts.signIn(with: .proof(annsTokens.proof))
    async let bob = accounts.signIn(with: .proof(bobsTokens.proof))
    #expect(try await ann.username == "ann@acme.test")
    #expect(try await bob.username == "bob@acme.test")
    #expect(accounts.accounts.count == 2)
  }

  @Test("Bug-F07: the same tokens handed over twice are one sign-in")
  func sameTokens() async throws {
    let stub = SalesforceStub()
    let accounts = stub.accounts()
    let tokens = try stub.tokens(.ann)
    async let first = accounts.signIn(with: .proof(tokens.proof))
    async let second = accounts.signIn(with: .proof(tokens.proof))
    #expect(try await first === second)
  }

  @Test("Bug-F08: what is read during a sign-out does not bring the account back")
  func restoreDuringSignOut() async throws {
    let stub = SalesforceStub()
    let store = FaultyStore()
    let accounts = stub.accounts(store: store)
    let ann = try await accounts.signIn(with: stub.browser())
    // The account is not in the list any more, and its session is still in the store.
    let gate = Gate()
    store.inject(.hold(gate), into: .end)
    let ending = try #require(accounts.beginSignOut(ann))
    try await gate.waitForWaiting()
    #expect(try await accounts.restore().isEmpty)
    gate.open()
    _ = await ending.result()
    #expect(accounts.accounts.isEmpty && accounts.current == nil)
  }

  @Test("Bug-F19: a sign-in that is cancelled when its account is there already tells what is the case")
  func cancelledTooLate() async throws {
    let stub = SalesforceStub()
    let accounts = stub.accounts()
    accounts.onEvent { [weak accounts] event in if case .willSwitch = event { accounts?.cancelSignIn() } }
    let ann = try await accounts.signIn(with: stub.browser())
    #expect(accounts.current === ann && ann.loginState == .loggedIn)
  }

  @Test("Bug-F19: a sign-in that is cancelled while its session is stored tells what is the case")
  func cancelledWhileStored() async throws {
    let stub = SalesforceStub()
    let store = FaultyStore()
    let accounts = stub.accounts(store: store)
    let gate = Gate()
    store.inject(.hold(gate), into: .save, at: .nth(1))
    let signIn = Task { try await accounts.signIn(with: stub.browser()) }
    try await gate.waitForWaiting()
    accounts.cancelSignIn()
    gate.open()
    let ann = try await signIn.value
    #expect(accounts.current === ann && ann.isSessionValid)
  }

  @Test("Bug-F05: a registration under way at a sign-out is undone, and the sign-out waits for it")
  func registrationUnderWay() async throws {
    let stub = SalesforceStub()
    let accounts = stub.accounts()
    let ann = try await accounts.signIn(with: stub.browser())
    let gate = Gate()
    stub.transport.inject(.holdResponse(gate), into: .post(SalesforceStub.devicePath))
    let registration = Task { try await ann.connection.push.register(device) }
    try await gate.waitForWaiting()
    let ending = try #require(accounts.beginSignOut(ann))
    gate.open()
    #expect(await ending.result()?.isComplete == true)
    #expect(await failure { try await registration.value }?.code == .signedOut)
    #expect(stub.state.withLock { $0.devices } == [:])
    #expect(await failure { try await ann.connection.push.register(device) }?.code == .signedOut)
    #expect(stub.state.withLock { $0.devices } == [:])
  }

  @Test("Bug-F05: a registration under way at the same user's next sign-in is undone when the user signs out")
  func registrationAndNextSignIn() async throws {
    let stub = SalesforceStub()
    let accounts = stub.accounts()
    let ann = try await accounts.signIn(with: stub.browser())
    let gate = Gate()
    stub.transport.inject(.holdResponse(gate), into: .post(SalesforceStub.devicePath))
    let connection = ann.connection
    let registration = Task { try await connection.push.register(device) }
    try await gate.waitForWaiting()
    #expect(try await accounts.signIn(with: stub.browser()) === ann && ann.connection !== connection)
    gate.open()
    try await registration.value
    let report = await accounts.signOut(ann)
    #expect(report?.owedRegistrationIDs == [] && stub.state.withLock { $0.devices } == [:])
  }

  @Test("Bug-F05: a registration with an earlier connection of the account is undone when the user signs out")
  func registrationWithEarlierConnection() async throws {
    let stub = SalesforceStub()
    let accounts = stub.accounts()
    let ann = try await accounts.signIn(with: stub.browser())
    let connection = ann.connection
    #expect(try await accounts.signIn(with: stub.browser()) === ann && ann.connection !== connection)
    try await connection.push.register(device)
    #expect(try ann.connection.push.registrationID == required(connection.push.registrationID))
    #expect(await accounts.signOut(ann)?.owedRegistrationIDs == [] && stub.state.withLock { $0.devices } == [:])
    #expect(await failure { try await connection.push.register(device) }?.code == .signedOut)
  }

  @Test("Bug-F05: a registration under way when the org ends the session does not stay unknown")
  func registrationAndEnd() async throws {
    let stub = SalesforceStub()
    let accounts = stub.accounts()
    let ann = try await accounts.signIn(with: stub.browser())
    let push = ann.connection.push
    let gate = Gate()
    stub.transport.inject(.holdResponse(gate), into: .post(SalesforceStub.devicePath))
    let registration = Task { try await push.register(device) }
    try await gate.waitForWaiting()
    stub.dropTokens()
    _ = try? await ann.send(.get(SalesforceStub.cases))
    try await waitUntil { ann.loginState == .notLoggedIn }
    gate.open()
    // The session is over, so that the org can't be told: why the device stays registered is what the caller hears.
    #expect(await failure { try await registration.value } != nil)
    let id = try required(stub.state.withLock { $0.devices }.keys.first)
    #expect(accounts.owedRegistrations == [ann.identity: [id]])
    #expect(await failure { try await push.register(device) }?.code == .signedOut)
  }

  @Test("Invariant 3: what the org says of the session to an earlier connection ends the account")
  func endWithEarlierConnection() async throws {
    let stub = SalesforceStub()
    let store = EphemeralStore()
    let accounts = stub.accounts(store: store)
    let ann = try await accounts.signIn(with: stub.browser())
    let connection = ann.connection
    #expect(try await accounts.signIn(with: stub.browser()) === ann && ann.connection !== connection)
    stub.dropTokens()
    #expect(await failure { _ = try await connection.send(.get(SalesforceStub.cases)) } != nil)
    try await waitUntil { ann.loginState == .notLoggedIn }
    #expect(accounts.accounts.isEmpty)
  }

  @Test("Bug-F28: the end of a sign-out leaves the device of the same user's new sign-in")
  func newDevice() async throws {
    let stub = SalesforceStub()
    let store = EphemeralStore()
    let accounts = stub.accounts(store: store)
    let ann = try await accounts.signIn(with: stub.browser())
    try await ann.connection.push.register(device)
    let gate = Gate()
    stub.transport.inject(.holdResponse(gate), into: .post("/services/oauth2/revoke"))
    let ending = try #require(accounts.beginSignOut(ann))
    try await gate.waitForWaiting()
    let again = try await accounts.signIn(with: stub.browser())
    try await again.connection.push.register(device)
    let id = try required(again.connection.push.registrationID)
    gate.open()
    _ = await ending.result()
    let next = stub.accounts(store: store)
    #expect(try await next.restore().map(\.connection.push.registrationID) == [id])
  }

  @Test("Bug-F28: a sign-out that is finished late leaves the same user's new sign-in")
  func newSignIn() async throws {
    let stub = SalesforceStub()
    let store = EphemeralStore()
    let accounts = stub.accounts(store: store)
    let ann = try await accounts.signIn(with: stub.browser())
    try await ann.connection.push.register(device)
    let gate = Gate()
    stub.transport.inject(.hold(gate), into: .where { $0.head.method == .delete })
    let ending = try #require(accounts.beginSignOut(ann))
    try await gate.waitForWaiting()
    let again = try await accounts.signIn(with: stub.browser())
    // A call that was made before looks at the store meanwhile.
    #expect(await failure { _ = try await ann.send(.get("/services/data")) }?.code == .signedOut)
    gate.open()
    _ = await ending.result()
    #expect(again !== ann && again.isSessionValid && accounts.current === again)
    #expect(await again.connection.manager.verify().isSignedIn)
    #expect(try await stub.accounts(store: store).restore().map(\.identity) == [again.identity])
  }

  @Test("Bug-F28: the choice of a user who is signed out before it is read is forgotten")
  func storedChoice() async throws {
    let stub = SalesforceStub()
    let store = FaultyStore()
    _ = try await stub.accounts(store: store).signIn(with: stub.browser())
    let accounts = stub.accounts(store: store)
    let gate = Gate()
    // The accounts are known, and the choice is not: it is the last to be read.
    store.inject(.hold(gate), into: .load, at: .nth(3))
    let restoring = Task { try await accounts.restore() }
    try await gate.waitForWaiting()
    let ann = try required(accounts.accounts.first)
    let removed = store.count(.remove)
    let ending = try #require(accounts.beginSignOut(ann))
    _ = await ending.result()
    gate.open()
    _ = try await restoring.value
    #expect(store.count(.remove) > removed && accounts.current == nil)
    #expect(try await store.accounts() == [])
  }

  @Test("Bug-F34: an app finds what it has kept for a community's user when they are signed out")
  func community() async throws {
    let stub = SalesforceStub()
    stub.state.withLock {
      $0.alter = { answer in
        var answer = answer
        answer["sfdc_community_id"] = "0DBx000000000Xy"
        answer["sfdc_community_url"] = "https://acme.my.site.com"
        return TransportResponse.json(answer)
      }
    }
    let accounts = stub.accounts()
    let ann = try await accounts.signIn(with: stub.browser())
    let key = ann.key(for: .community)
    #expect(key.contains("0DBx"))
    let keys = Notes<[String]>([])
    accounts.onEvent { event in
      switch event {
      case .willSignOut(let account, _), .didSignOut(let account, _): keys.append(account.key(for: .community))
      default: break
      }
    }
    await accounts.signOut(ann)
    #expect(keys.value == [key, key])
  }
}
