import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiarySalesforce
import OstiaryTesting
import TestSupport
import Testing

@Suite("Accounts", .timeLimit(.minutes(20)))
struct SalesforceAccountsTests {
  private func notes(_ accounts: SalesforceAccounts) -> Notes<[String]> {
    let notes = Notes<[String]>([])
    accounts.onEvent { notes.append($0.words) }
    return notes
  }

  @Test("Account-A2: the legal changes of the login state")
  func transitions() {
    let states: [SalesforceLoginState] = [.notLoggedIn, .loggedIn, .loggingOut]
    let legal = states.map { from in states.map { from.canBecome($0) } }
    #expect(legal == [[true, true, false], [false, true, true], [true, false, false]])
    #expect(states.map(\.rawValue) == [0, 1, 2])
  }

  @Test("Account-A4, A5: what is told at sign-in and sign-out, in its order; the org's only with its last user")
  func order() async throws {
    let stub = SalesforceStub()
    let accounts = stub.accounts()
    let notes = notes(accounts)
    let ann = try await accounts.signIn(with: stub.browser())
    let bob = try await accounts.signIn(with: stub.browser(.bob))
    #expect(accounts.current === bob)
    #expect(accounts.accounts.map(\.identity) == [ann.identity, bob.identity])
    try await bob.connection.push.register(SalesforcePush.Device(token: Data([1]), bundle: "app"))
    let report = await accounts.signOut(bob, reason: .timeout)
    #expect(report?.isComplete == true)
    #expect(accounts.current == nil)
    #expect(stub.state.withLock { $0.deviceLog } == ["+01", "-01"])
    #expect(stub.state.withLock { Array($0.revoked.values) } == ["timeout"])
    await accounts.signOut(ann)
    let (a, b) = ("Q9P", "Q9Q")
    #expect(
      notes.value == [
        "will sign in", "will switch - \(a)", "did switch - \(a)", "did sign in \(a)",
        "will sign in", "will switch \(a) \(b)", "did switch \(a) \(b)", "did sign in \(b)",
        "will sign out \(b) timeout", "did sign out \(b) timeout",
        "will sign out \(a) user_logout", "did sign out \(a) user_logout", "org did sign out",
      ])
    // The push registration is undone while there is a token for it, and only then the tokens are revoked.
    let paths = stub.transport.requests.map { $0.head.path ?? "" }
    let undone = try #require(paths.firstIndex { $0.hasPrefix(SalesforceStub.devicePath + "/") })
    #expect(try #require(paths.firstIndex(of: "/services/oauth2/revoke")) > undone)
  }

  @Test("Account-A2: signing out twice is signing out once")
  func twice() async throws {
    let stub = SalesforceStub()
    let accounts = stub.accounts()
    let account = try await accounts.signIn(with: stub.browser())
    let notes = notes(accounts)
    let reports = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<10 { group.addTask { await accounts.signOut(account) != nil } }
      return await group.reduce(into: 0) { if $1 { $0 += 1 } }
    }
    #expect(reports == 1)
    #expect(await accounts.signOut(account) == nil)
    #expect(notes.value == ["will sign out Q9P user_logout", "did sign out Q9P user_logout", "org did sign out"])
    #expect(account.loginState == .notLoggedIn)
    #expect(await failure { try await account.send(.get(SalesforceStub.cases)) }?.code == .interactionRequired)
  }

  @Test("Account-A3: sign-out ends though the org neither unregisters the device nor revokes the tokens")
  func hanging() async throws {
    let stub = SalesforceStub()
    let accounts = stub.accounts()
    let account = try await accounts.signIn(with: stub.browser())
    try await account.connection.push.register(SalesforcePush.Device(token: Data([1]), bundle: "app"))
    let id = try required(account.connection.push.registrationID)
    let gate = Gate()
    for (method, path) in [("DELETE", SalesforceStub.devicePath + "/" + id), ("POST", "/services/oauth2/revoke")] {
      stub.transport.on(method == "DELETE" ? .delete : .post, path) { _ in
        try await gate.pass()
        return .status(.ok)
      }
    }
    let signOut = Task { await accounts.signOut(account) }
    try await gate.waitForArrivals(1)
    #expect(account.loginState == .loggingOut)
    try await stub.clock.waitForSleepers()
    stub.clock.advance(by: .seconds(6))
    try await gate.waitForArrivals(2)
    #expect(account.tokens == nil)
    try await stub.clock.waitForSleepers()
    stub.clock.advance(by: .seconds(6))
    let report = try #require(await signOut.value)
    #expect(report.pushError?.code == .timedOut)
    #expect(report.serverError?.code == .timedOut)
    #expect(account.loginState == .notLoggedIn)
    #expect(accounts.accounts.isEmpty)
    gate.open()
  }

  @Test("Account-A3: sign-out ends though the server fails, and says so")
  func failing() async throws {
    let stub = SalesforceStub()
    let store = EphemeralStore()
    let accounts = stub.accounts(store: store)
    let account = try await accounts.signIn(with: stub.browser())
    stub.transport.inject(.status(.serviceUnavailable))
    let report = try #require(await accounts.signOut(account))
    #expect(report.serverError != nil)
    #expect(report.storeError == nil)
    #expect(try await store.accounts().isEmpty)
  }

  @Test("Account-A6: signing one user out leaves the other's tokens")
  func others() async throws {
    let stub = SalesforceStub()
    let accounts = stub.accounts()
    let ann = try await accounts.signIn(with: stub.browser())
    let cid = try await accounts.signIn(with: stub.browser(.cid))
    let notes = notes(accounts)
    await accounts.signOut(ann)
    #expect(notes.value.last == "org did sign out")
    #expect(accounts.current === cid)
    #expect(try await cid.send(.get(SalesforceStub.cases)).status == .ok)
    #expect(accounts.accounts(inOrg: cid.identity.orgID).count == 1)
    #expect(accounts.accounts(inOrg: ann.identity.orgID).isEmpty)
    #expect(accounts.accounts(atInstance: "NA1.salesforce.com").map(\.identity) == [cid.identity])
    #expect(accounts.account(for: cid.identity) === cid)
  }

  @Test("Account-A9: keys for what an app keeps, with and without a community")
  func keys() async throws {
    let stub = SalesforceStub()
    let account = try await stub.accounts().signIn(with: stub.browser())
    let user = "00Dx0000000BV7zEAG-005x00000012Q9PAAU"
    #expect(
      SalesforceScope.allCases.map { account.key(for: $0) } == [
        "global", "00Dx0000000BV7zEAG", user, user + "-(null)",
      ])
    stub.state.withLock { state in
      state.alter = { members in
        .json(
          members.merging([
            "sfdc_community_url": "https://acme.force.com/customers", "sfdc_community_id": "0DBx000000000Xy",
          ]) { $1 })
      }
    }
    let member = try await stub.accounts().signIn(with: stub.browser())
    #expect(member.key(for: .community) == user + "-0DBx000000000Xy")
  }

  @Test("Another run of the app finds the accounts, the current one, and where each signed in")
  func restoring() async throws {
    let stub = SalesforceStub(rotates: true)
    let store = EphemeralStore()
    let before = stub.accounts(store: store)
    before.loginHost = .sandbox
    try await before.signIn(with: stub.browser())
    before.loginHost = .production
    let cid = try await before.signIn(with: stub.browser(.cid))
    try await before.switchTo(before.accounts.first { $0.identity != cid.identity })

    let sent = stub.transport.count
    let after = stub.accounts(store: store)
    #expect(try await after.restore().count == 2)
    #expect(stub.transport.count == sent)
    let current = try #require(after.current)
    #expect(current.identity == before.current?.identity)
    stub.dropAccessTokens()
    #expect(try await current.send(.get(SalesforceStub.cases)).status == .ok)
    let refresh = stub.transport.requests.last { SalesforceStub.form($0)["grant_type"] == "refresh_token" }
    #expect(refresh?.head.authority == "test.salesforce.com")
    // The rotated token is stored: a third run goes on with it.
    stub.dropAccessTokens()
    let third = stub.accounts(store: store)
    try await third.restore()
    #expect(try await third.current?.send(.get(SalesforceStub.cases)).status == .ok)
  }

  @Test("A store that can't be read signs nobody out")
  func unavailable() async throws {
    let stub = SalesforceStub()
    let store = FaultyStore(EphemeralStore())
    try await stub.accounts(store: store).signIn(with: stub.browser())
    let after = stub.accounts(store: store)
    store.lock()
    #expect(await failure { try await after.restore() }?.code == .storeUnavailable)
    store.unlock()
    #expect(try await after.restore().count == 1)
  }

  @Test("Sign-ins at the same time are one; a cancelled one is nobody's, and its tokens are given back")
  func oneSignIn() async throws {
    let stub = SalesforceStub()
    let accounts = stub.accounts()
    let gate = Gate()
    let browser = stub.browser()
    let visits = Locked(0)
    let slow = OAuthFlow(needsPerson: true) { client, context in
      visits.withLock { $0 += 1 }
      // A page that doesn't close when it is told to.
      await Task.detached { try? await gate.pass() }.value
      return try await client.tokens(
        forGrant: "authorization_code", parameters: ["code": SalesforceStub.Person.ann.id],
        in: AuthenticationContext(transport: stub.transport, clock: stub.clock))
    }
    async let first = accounts.signIn(with: slow)
    try await gate.waitForWaiting()
    let second = Task { try await accounts.signIn(with: slow) }
    gate.open()
    let account = try await first
    // Either joined the first, or came after it.
    #expect(try await second.value === account)
    await accounts.signOut(account)

    gate.close()
    let notes = notes(accounts)
    let third = Task { await failure { try await accounts.signIn(with: slow) } }
    try await gate.waitForWaiting()
    accounts.cancelSignIn()
    #expect(await third.value?.code == .interactionCancelled)
    #expect(accounts.current == nil)
    #expect(notes.value == ["will sign in", "cancelled"])
    // Nothing stands in the way of the next.
    #expect(try await accounts.signIn(with: browser).identity == account.identity)
    gate.open()
  }

  @Test("A session that the server ends signs its account out, with the reason; one that can't be reached does not")
  func endedByServer() async throws {
    let stub = SalesforceStub()
    let accounts = stub.accounts()
    let account = try await accounts.signIn(with: stub.browser())
    let done = Gate()
    let notes = notes(accounts)
    accounts.onEvent { if case .orgDidSignOut = $0 { done.open() } }
    stub.transport.inject(.status(.serviceUnavailable))
    #expect(try await account.send(.get(SalesforceStub.cases)).status == .serviceUnavailable)
    stub.transport.setFaults()
    #expect(notes.value == [])
    stub.dropTokens()
    #expect(await failure { try await account.send(.get(SalesforceStub.cases)) }?.code == .interactionRequired)
    try await done.pass()
    #expect(
      notes.value == [
        "will sign out Q9P refresh_token_expired", "did sign out Q9P refresh_token_expired", "org did sign out",
      ])
    #expect(accounts.accounts.isEmpty)
  }

  @Test("An observer that another has just ended hears nothing more")
  func observers() {
    let accounts = SalesforceStub().accounts()
    let notes = Notes<[String]>([])
    let end = Locked<(@Sendable () -> Void)?>(nil)
    accounts.onEvent { _ in
      notes.append("first")
      end.withLock { $0 }?()
    }
    let endSecond = accounts.onEvent { _ in notes.append("second") }
    accounts.loginHost = .sandbox
    #expect(notes.value == ["first", "second"])
    end.withLock { $0 = endSecond }
    accounts.loginHost = .production
    #expect(notes.value == ["first", "second", "first"])
  }

  @Test("Signing in again replaces the session in place; the user is the same account")
  func again() async throws {
    let stub = SalesforceStub()
    let accounts = stub.accounts()
    let account = try await accounts.signIn(with: stub.browser())
    let before = account.tokens
    let same = try await accounts.signIn(with: .proof(stub.tokens().proof))
    #expect(same === account)
    #expect(account.tokens != before)
    #expect(accounts.accounts.count == 1)
    #expect(try await account.send(.get(SalesforceStub.cases)).status == .ok)
  }

  @Test("Switching to an account that is signed out is misuse")
  func switching() async throws {
    let stub = SalesforceStub()
    let accounts = stub.accounts()
    let ann = try await accounts.signIn(with: stub.browser())
    try await accounts.switchTo(nil)
    #expect(accounts.current == nil)
    await accounts.signOut(ann)
    #expect(await failure { try await accounts.switchTo(ann) }?.code == .invalidInput)
  }

  @Test("Users who switch in the middle of calls leave nothing in each other's names")
  func leaks() async throws {
    let stub = SalesforceStub(rotates: true)
    let accounts = stub.accounts()
    let ann = try await accounts.signIn(with: stub.browser())
    let bob = try await accounts.signIn(with: stub.browser(.bob))
    let expected = Locked<[String: String]>([:])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<200 {
        group.addTask {
          if number.isMultiple(of: 20) { try await accounts.switchTo(number.isMultiple(of: 40) ? ann : bob) }
          if number == 100 { stub.dropAccessTokens() }
          guard let current = accounts.current else { return }
          expected.withLock { $0["\(number)"] = current.identity.userID.id15 }
          let call = try SalesforceCall.post(SalesforceStub.cases, json: .object(["Subject": .string("\(number)")]))
          #expect(try await current.send(call).status == .created)
        }
      }
      try await group.waitForAll()
    }
    let cases = stub.state.withLock { $0.cases }
    #expect(cases.count == 200)
    for (subject, people) in cases {
      #expect(people.count == 1)
      #expect(people.first??.id == expected.withLock { $0[subject] })
    }
  }
}

extension SalesforceAccountEvent {
  /// The event in words, users by the end of their identifiers.
  fileprivate var words: String {
    func name(_ account: SalesforceAccount?) -> String {
      account.map { String($0.identity.userID.id15.suffix(3)) } ?? "-"
    }
    return switch self {
    case .willSignIn: "will sign in"
    case .didSignIn(let account): "did sign in \(name(account))"
    case .signInCancelled: "cancelled"
    case .willSignOut(let account, let reason): "will sign out \(name(account)) \(reason)"
    case .didSignOut(let account, let reason): "did sign out \(name(account)) \(reason)"
    case .orgDidSignOut: "org did sign out"
    case .didRenewTokens(let account): "renewed \(name(account))"
    case .willSwitch(let from, let to): "will switch \(name(from)) \(name(to))"
    case .didSwitch(let from, let to): "did switch \(name(from)) \(name(to))"
    case .didSetCurrent(let from, let to): "did set \(name(from)) \(name(to))"
    case .didChangeLoginHost(_, let to): "login host \(to)"
    }
  }
}
