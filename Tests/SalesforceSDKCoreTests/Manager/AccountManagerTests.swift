import Foundation
import Ostiary
import OstiaryCore
import OstiaryOAuth
import OstiaryTesting
import SalesforceSDKCore
import TestSupport
import Testing

@Suite("The manager of accounts", .timeLimit(.minutes(20)))
struct AccountManagerTests {
  /// A manager with an org and a store of its own.
  private struct Stage {
    let org: OrgStub
    let manager: SFUserAccountManager
    let store: EphemeralStore

    init(hosts: LoginHostSettings = LoginHostSettings()) throws {
      let (org, store) = (try OrgStub(), EphemeralStore())
      (self.org, self.store) = (org, store)
      manager = SFUserAccountManager(
        environment: SFEnvironment(transport: PlatformTransport(), store: { store }, loginHosts: hosts))
      manager.oauthClientId = OrgStub.clientID
      manager.loginHost = org.url
    }

    /// Logs a user in with tokens that the org has just given.
    @discardableResult
    func login(_ user: String = OrgStub.annID) async throws -> SFUserAccount {
      let tokens = org.tokens(of: user, refreshable: true)
      manager.authorizationFlow = OrgStub.flow(tokens)
      return try await withCheckedThrowingContinuation { continuation in
        let hasBegun = manager.login { _, account in
          continuation.resume(returning: account)
        } failure: { _, error in
          continuation.resume(throwing: error)
        }
        #expect(hasBegun)
      }
    }

    func logout(_ user: SFUserAccount) async {
      await withCheckedContinuation { continuation in
        manager.logoutUser(user) { continuation.resume() }
      }
    }
  }

  private static func identity(_ user: String) -> SFUserAccountIdentity {
    SFUserAccountIdentity(userId: user, orgId: OrgStub.orgID)
  }

  @Test("Account-A1: a user who has logged in is found by either spelling, is current, and has credentials")
  func login() async throws {
    let stage = try Stage()
    defer { stage.org.stop() }
    let account = try await stage.login()
    #expect(account.loginState == .loggedIn && account.isSessionValid)
    #expect(account.userName == "ann@example.com")
    #expect(stage.manager.currentUser == account)
    let short = SFUserAccountIdentity(userId: String(OrgStub.annID.prefix(15)), orgId: String(OrgStub.orgID.prefix(15)))
    #expect(stage.manager.userAccount(forUserIdentity: short) == account)
    #expect(stage.manager.userAccount(forUserIdentity: Self.identity(OrgStub.bobID)) == nil)
    let credentials = account.credentials
    #expect(credentials.accessToken?.hasPrefix("00Dx0000000BV7z!") == true)
    #expect(credentials.refreshToken?.isEmpty == false)
    #expect(credentials.instanceUrl?.absoluteString == stage.org.url)
    #expect(credentials.userId == String(OrgStub.annID.prefix(15)) && credentials.organizationId == OrgStub.orgID)
    #expect(short.matchesCredentials(credentials))
    #expect(stage.manager.accounts(forOrgId: String(OrgStub.orgID.prefix(15))) == [account])
    for text in ["\(account)", "\(credentials)", String(reflecting: credentials)] { #expect(!text.contains("!access")) }
  }

  @Test("A login that is under way is joined, and can be stopped as soon as it has begun")
  func underWay() async throws {
    let stage = try Stage()
    defer { stage.org.stop() }
    let visits = Locked(0)
    stage.manager.authorizationFlow = OAuthFlow(needsPerson: true) { _, _ in
      visits.withLock { $0 += 1 }
      try await Task.sleep(for: .seconds(3600))
      throw CancellationError()
    }
    let (failures, sink) = AsyncStream<OstiaryError.Code?>.makeStream()
    let begin = {
      stage.manager.login { _, _ in
        Issue.record("somebody logged in")
      } failure: { _, error in
        sink.yield((error as? OstiaryError)?.code)
      }
    }
    #expect(begin())
    #expect(!begin())
    stage.manager.stopCurrentAuthentication()
    var told: [OstiaryError.Code?] = []
    for await code in failures {
      told.append(code)
      if told.count == 2 { break }
    }
    #expect(told == [.interactionCancelled, .interactionCancelled])
    #expect(visits.withLock { $0 } <= 1)
    // Nothing stands in the way of the next.
    #expect(try await stage.login().loginState == .loggedIn)
  }

  @Test("Account-A6: two users; logging one out leaves the other's tokens, and the first account has none any more")
  func twoUsers() async throws {
    let stage = try Stage()
    defer { stage.org.stop() }
    let ann = try await stage.login()
    let bob = try await stage.login(OrgStub.bobID)
    #expect(stage.manager.currentUser == bob)
    #expect(stage.manager.allUserIdentities()?.count == 2)
    await stage.logout(ann)
    #expect(ann.loginState == .notLoggedIn && ann.credentials.accessToken == nil && ann.sessionAccount == nil)
    #expect(stage.manager.allUserAccounts() == [bob])
    #expect(bob.credentials.accessToken != nil)
    #expect(stage.org.log.filter { $0 == "POST /services/oauth2/revoke" }.count == 1)
    // No user is logged out twice.
    await stage.logout(ann)
    #expect(stage.org.log.filter { $0 == "POST /services/oauth2/revoke" }.count == 1)
  }

  @Test("Bug-F03: a user who is switched to is the one who is logged out next", arguments: 0..<5)
  func switchThenLogout(round: Int) async throws {
    let stage = try Stage()
    defer { stage.org.stop() }
    let ann = try await stage.login()
    let bob = try await stage.login(OrgStub.bobID)
    await withCheckedContinuation { continuation in stage.manager.switch(toUser: ann) { continuation.resume() } }
    await withCheckedContinuation { continuation in
      stage.manager.switch(toUser: bob)
      stage.manager.logout { continuation.resume() }
    }
    #expect(ann.loginState == .loggedIn && bob.loginState == .notLoggedIn)
  }

  @Test("Bug-F20: a login whose place is taken away meanwhile does not count as done")
  func newPlace() async throws {
    let stage = try Stage()
    defer { stage.org.stop() }
    let gate = Gate()
    stage.manager.authorizationFlow = OAuthFlow(needsPerson: true) { _, _ in
      try await gate.pass()
      throw OstiaryError(.timedOut, "The place is gone by then.")
    }
    let error = await withCheckedContinuation { continuation in
      stage.manager.login { _, _ in
        continuation.resume(returning: nil)
      } failure: { _, error in
        continuation.resume(returning: (error as? OstiaryError)?.code)
      }
      stage.manager.keepAccounts(in: EphemeralStore())
      gate.open()
    }
    #expect(error == .interactionCancelled && stage.manager.currentUser == nil)
  }

  @Test("Account-A4, Account-A5: notifications come in order, the org's only with its last user")
  func notifications() async throws {
    let stage = try Stage()
    defer { stage.org.stop() }
    let names = [
      kSFNotificationUserWillLogIn, kSFNotificationUserDidLogIn, kSFNotificationUserWillLogout,
      kSFNotificationUserDidLogout, kSFNotificationOrgDidLogout,
    ]
    let (notifications, sink) = AsyncStream<String>.makeStream()
    let observers = names.map { name in
      NotificationCenter.default.addObserver(
        forName: Notification.Name(name), object: stage.manager, queue: nil
      ) { sink.yield($0.name.rawValue) }
    }
    let ann = try await stage.login()
    let bob = try await stage.login(OrgStub.bobID)
    await stage.logout(ann)
    await stage.logout(bob)
    var seen: [String] = []
    for await name in notifications {
      seen.append(name)
      if name == kSFNotificationOrgDidLogout { break }
    }
    for observer in observers { NotificationCenter.default.removeObserver(observer) }
    let expected: [String] = [0, 1, 0, 1, 2, 3, 2, 3, 4].map { names[$0] }
    #expect(seen == expected)
  }

  @Test("Accounts are there again for another run of the app, with the current one")
  func restored() async throws {
    let stage = try Stage()
    defer { stage.org.stop() }
    try await stage.login()
    let bob = try await stage.login(OrgStub.bobID)
    let store = stage.store
    let later = SFUserAccountManager(
      environment: SFEnvironment(transport: PlatformTransport(), store: { store }))
    later.oauthClientId = OrgStub.clientID
    try await later.loadAccounts()
    #expect(later.allUserAccounts()?.count == 2)
    #expect(later.currentUserIdentity == bob.accountIdentity)
  }

  @Test("Switching makes another account the current one; a logged-out one changes nothing")
  func switching() async throws {
    let stage = try Stage()
    defer { stage.org.stop() }
    let ann = try await stage.login()
    let bob = try await stage.login(OrgStub.bobID)
    func switchTo(_ user: SFUserAccount?) async {
      await withCheckedContinuation { continuation in
        stage.manager.switch(toUser: user) { continuation.resume() }
      }
    }
    await switchTo(ann)
    #expect(stage.manager.currentUser == ann)
    await stage.logout(bob)
    await switchTo(bob)
    #expect(stage.manager.currentUser == ann)
    await switchTo(nil)
    #expect(stage.manager.currentUser == nil && ann.loginState == .loggedIn)
  }

  @Test("Account-A7: the configured hosts in their order, cleaned; what is none changes nothing")
  func loginHost() async throws {
    let chosen = Locked<[String]>([])
    let hosts = LoginHostSettings(
      stored: { nil }, managed: { " https://corp.my.salesforce.com/ " }, bundled: { "test.salesforce.com" },
      store: { host in chosen.withLock { $0.append(host ?? "") } })
    let manager = SFUserAccountManager(
      environment: SFEnvironment(transport: PlatformTransport(), store: { EphemeralStore() }, loginHosts: hosts))
    #expect(manager.loginHost == "corp.my.salesforce.com")
    manager.loginHost = "acme.force.com/customers/"
    #expect(manager.loginHost == "acme.force.com/customers")
    manager.loginHost = "ftp://nowhere"
    #expect(manager.loginHost == "acme.force.com/customers")
    #expect(chosen.withLock { $0 } == ["acme.force.com/customers/"])
  }

  @Test("Account-A9: keys for what an app keeps, with the vendor's words where there is no community")
  func keys() async throws {
    let stage = try Stage()
    defer { stage.org.stop() }
    let account = try await stage.login()
    let user = "\(OrgStub.orgID)-\(OrgStub.annID)"
    #expect(SFKeyForUserAndScope(account, .org) == OrgStub.orgID)
    #expect(SFKeyForUserAndScope(account, .user) == user)
    #expect(SFKeyForUserAndScope(account, .community) == "\(user)-(null)")
    #expect(SFKeyForUserAndScope(nil, .global) == SFKeyForUserAndScope(account, .global))
    #expect(SFKeyForUserAndScope(nil, .user) == nil)
  }

  @Test("Without a consumer key or a way to log in nothing begins, and the failure block is called once")
  func noWay() async throws {
    let manager = SFUserAccountManager(
      environment: SFEnvironment(transport: PlatformTransport(), store: { EphemeralStore() }))
    manager.oauthClientId = OrgStub.clientID
    manager.oauthCompletionUrl = "app://done"
    let error = await withCheckedContinuation { continuation in
      let hasBegun = manager.login(completion: nil, failure: { _, error in continuation.resume(returning: error) })
      #expect(!hasBegun)
    }
    #expect((error as? OstiaryError)?.code == .invalidInput)
  }

  @Test("Refreshing renews what the server refuses, once")
  func refresh() async throws {
    let stage = try Stage()
    defer { stage.org.stop() }
    let account = try await stage.login()
    let before = account.credentials.accessToken
    stage.org.expireSessions()
    let after = try await withCheckedThrowingContinuation { continuation in
      stage.manager.refreshCredentials(account) { _, account in
        continuation.resume(returning: account.credentials.accessToken)
      } failure: { _, error in
        continuation.resume(throwing: error)
      }
    }
    #expect(after != nil && after != before)
    #expect(stage.org.log.filter { $0 == "POST /services/oauth2/token refresh_token" }.count == 1)
  }
}
