import Foundation
import Ostiary
import OstiaryCore
import OstiarySalesforce
import OstiaryTesting
import SalesforceSDKCore
import TestSupport
import Testing

/// What the vendor's names do, as Swift saw them at version 6.2.
@Suite("The names of version 6.2", .timeLimit(.minutes(20)))
struct VendorNamesTests {
  @Test("Bug-D05: the current user can be set, at once and for the next run; a logged-out one changes nothing")
  func currentUser() async throws {
    try await ManagerStage.with { stage in
      let ann = try await stage.login()
      let bob = try await stage.login(OrgStub.bobID)
      let changes = await stage.during(Notification.Name.SFUserAccountManagerDidChangeUser.rawValue) {
        $0
      } _: {
        stage.manager.currentUser = ann
        #expect(stage.manager.currentUser == ann && stage.manager.currentUserIdentity == ann.accountIdentity)
        await stage.switchTo(ann)
      }
      #expect(changes.contains(ann))
      let store = stage.store
      let later = SFUserAccountManager(environment: SFEnvironment(transport: PlatformTransport(), store: { store }))
      later.oauthClientId = OrgStub.clientID
      try await later.loadAccounts()
      #expect(later.currentUser == ann)
      stage.manager.currentUser = nil
      #expect(stage.manager.currentUser == nil && ann.loginState == .loggedIn)
      await stage.logout(bob)
      stage.manager.currentUser = bob
      #expect(stage.manager.currentUser == nil)
    }
  }

  @Test("Bug-D05: a user who is set as the current one is the one who is logged out next", arguments: 0..<5)
  func setThenLogout(round: Int) async throws {
    try await ManagerStage.with { stage in
      let ann = try await stage.login()
      let bob = try await stage.login(OrgStub.bobID)
      await withCheckedContinuation { continuation in
        stage.manager.switch(toUser: nil)
        stage.manager.currentUser = ann
        #expect(stage.manager.currentUser == ann)
        stage.manager.logout { continuation.resume() }
      }
      #expect(ann.loginState == .notLoggedIn && bob.loginState == .loggedIn)
    }
  }

  @Test("Bug-D05: identifiers of 15 characters, the server's word of the user, scopes, and when the tokens were given")
  func account() async throws {
    try await ManagerStage.with { stage in
      let ann = try await stage.login()
      #expect(ann.accountIdentity.userId == "005x00000012Q9P" && ann.credentials.userId == "005x00000012Q9P")
      #expect(ann.credentials.organizationId == OrgStub.orgID && ann.accountIdentity.orgId == OrgStub.orgID)
      #expect(ann.userName == "ann@example.com" && ann.fullName == "Ann Example" && ann.email == "ann@example.com")
      #expect(
        ann.idData.userId == OrgStub.annID && ann.idData?.orgId == OrgStub.orgID && ann.idData.language == "en_US")
      #expect(ann.idData.lastName == nil && ann.idData.mobileAppScreenLockTimeout == -1)
      #expect(ann.accessScopes == ["id", "api", "refresh_token"])
      #expect(ann.credentials.issuedAt == Date(timeIntervalSince1970: 1_278_448_384.422))
      #expect(ann.credentials.domain == String(stage.org.url.dropFirst("http://".count)))
      #expect(stage.manager.account(for: ann.credentials) == ann)
      #expect(stage.manager.userAccounts(forDomain: ann.credentials.domain ?? "") == [ann])
      // They are there for the next run, without asking the server.
      try await ann.sessionAccount?.connection.manager.flush()
      let (store, requests) = (stage.store, stage.org.log.count)
      let later = SFUserAccountManager(environment: SFEnvironment(transport: PlatformTransport(), store: { store }))
      later.oauthClientId = OrgStub.clientID
      try await later.loadAccounts()
      #expect(later.currentUser?.fullName == "Ann Example" && stage.org.log.count == requests)
      for text in ["\(ann)", "\(ann.idData as SFIdentityData)", String(reflecting: ann.credentials)] {
        #expect(!text.contains("example.com") && !text.contains("!access"))
      }
    }
  }

  @Test("Bug-D05: refreshing an account's credentials asks the server and renews what it refuses")
  func refreshOwn() async throws {
    try await ManagerStage.with { stage in
      let ann = try await stage.login()
      let before = ann.credentials.accessToken
      stage.org.expireSessions()
      let after = try await stage.refresh(ann.credentials)
      #expect(after == ann && after.credentials.accessToken != before)
      #expect(stage.org.log.filter { $0 == "POST /services/oauth2/token refresh_token" }.count == 1)
    }
  }

  @Test(
    "Bug-D05: credentials that an app has filled in become a stored account, with an access token or a refresh token alone"
  )
  func refreshForeign() async throws {
    try await ManagerStage.with { stage in
      for (user, hasAccessToken) in [(OrgStub.annID, true), (OrgStub.bobID, false)] {
        let answer = stage.org.tokens(of: user, refreshable: true)
        let credentials = try #require(
          SFOAuthCredentials(identifier: "mine", clientId: OrgStub.clientID, encrypted: true))
        credentials.refreshToken = answer["refresh_token"]
        credentials.identityUrl = answer["id"].flatMap { URL(string: $0) }
        #expect(credentials.userId == String(user.prefix(15)) && credentials.organizationId == OrgStub.orgID)
        if hasAccessToken {
          credentials.accessToken = answer["access_token"]
          credentials.instanceUrl = answer["instance_url"].flatMap { URL(string: $0) }
        }
        let made = stage.manager.createUserAccount(credentials)
        #expect(made.loginState == .notLoggedIn && !made.isSessionValid)
        let error = #expect(throws: OstiaryError.self) { try stage.manager.saveAccount(forUser: made) }
        #expect(error?.code == .unsupportedCredential && error?.advice.contains("refreshCredentials") == true)
        let account = try await stage.refresh(credentials)
        #expect(account == made && account.loginState == .loggedIn && stage.manager.currentUser == account)
        try stage.manager.saveAccount(forUser: account)
        #expect(account.userName == (user == OrgStub.annID ? "ann@example.com" : "bob@example.com"))
      }
      #expect(stage.manager.allUserAccounts()?.count == 2)
    }
  }

  @Test("Bug-D05: credentials without a token are refused, and the error says what is missing")
  func refreshNothing() async throws {
    try await ManagerStage.with { stage in
      let credentials = try #require(SFOAuthCredentials(identifier: "mine", clientId: nil, encrypted: false))
      credentials.accessToken = "only this"
      let error = await #expect(throws: OstiaryError.self) { try await stage.refresh(credentials) }
      #expect(error?.message.contains("neither a refresh token nor an access token") == true)
      #expect(SFOAuthCredentials(identifier: "", clientId: nil, encrypted: true) == nil)
      #expect(stage.org.log.isEmpty)
    }
  }

  @Test("Bug-D05: what is set on an account's credentials stays there; the account's tokens are the server's")
  func ownValues() async throws {
    try await ManagerStage.with { stage in
      let ann = try await stage.login()
      let credentials = ann.credentials
      credentials.accessToken = "another"
      #expect(credentials.accessToken == "another" && ann.credentials.accessToken != "another")
      #expect(!"\(credentials) \(String(reflecting: credentials))".contains("another"))
    }
  }

  @Test("Bug-D05: deleting logs out, and what was kept for the user can still be found by their keys")
  func deleting() async throws {
    try await ManagerStage.with { stage in
      let ann = try await stage.login()
      let key = SFKeyForUserAndScope(ann, .user)
      let user = try await stage.first(kSFNotificationUserDidLogout) {
        ($0.userInfo?[kSFNotificationUserInfoKey] as? SFNotificationUserInfo)?.accountIdentity
      } after: {
        try stage.manager.deleteAccount(forUser: ann)
      }
      #expect(user == ann.accountIdentity && ann.isUserDeleted && stage.manager.currentUser == nil)
      #expect(SFKeyForUserIdAndScope("005x00000012Q9P", "00Dx0000000BV7z", nil, .user) == key)
      #expect(SFKeyForUserIdAndScope(nil, OrgStub.orgID, nil, .org) == OrgStub.orgID)
      #expect(SFKeyForUserIdAndScope(nil, nil, nil, .community) == nil)
    }
  }

  @Test("Bug-D05: clearing what is known brings no user back who is being logged out")
  func clearing() async throws {
    try await ManagerStage.with { stage in
      let ann = try await stage.login()
      let held = Locked<[SalesforceEventHold]>([])
      stage.manager.accounts.onAnnouncement { announcement in
        if let hold = announcement.hold { held.withLock { $0.append(hold) } }
      }
      let user = try await stage.first(kSFNotificationUserDidLogout) {
        ($0.userInfo?[kSFNotificationUserInfoAccountKey] as? SFUserAccount)?.accountIdentity
      } after: {
        stage.manager.logoutUser(ann)
        try await waitUntil { held.withLock { !$0.isEmpty } }
        stage.manager.clearAllAccountState()
        try await stage.manager.loadAccounts()
        #expect(stage.manager.allUserAccounts()?.contains { $0.loginState == .loggedIn } == false)
        held.withLock { $0.removeAll() }
      }
      #expect(user == ann.accountIdentity && stage.manager.allUserAccounts() == [])
    }
  }

  @Test("Bug-D05: today's names are the same accounts")
  func today() async throws {
    try await ManagerStage.with { stage in
      let manager: UserAccountManager = stage.manager
      manager.authorizationFlow = OrgStub.flow(stage.org.tokens(refreshable: true))
      let (ann, info): (UserAccount, AuthInfo) = try await withCheckedThrowingContinuation { continuation in
        manager.login { (result: UserAccountManager.LoginResult) in
          do { continuation.resume(returning: try result.get()) } catch { continuation.resume(throwing: error) }
        }
      }
      #expect(
        info.authType == AuthInfo.AuthType.advancedBrowser && info.authTypeDescription == "SFOAuthTypeAdvancedBrowser")
      #expect(manager.currentUserAccount == ann && manager.userAccounts() == [ann])
      #expect(manager.userAccount(for: UserAccountIdentity(userId: OrgStub.annID, orgId: OrgStub.orgID)) == ann)
      #expect(manager.userAccount(for: ann.credentials) == ann && manager.userAccounts(forOrg: OrgStub.orgID) == [ann])
      try manager.upsert(ann)
      let code: UserAccount.LoginState = ann.loginState
      #expect(code == .loggedIn)
      let failure = await withCheckedContinuation { continuation in
        manager.refresh(
          credentials: OAuthCredentials(identifier: "x", clientId: nil, encrypted: true) ?? ann.credentials
        ) {
          continuation.resume(returning: $0)
        }
      }
      guard case .failure(.refreshFailed(let error, _)) = failure else {
        Issue.record("the refresh did not fail as it should")
        return
      }
      #expect((error as? OstiaryError)?.code == .invalidInput)
      let reason = await stage.first(UserAccountManager.didLogoutUser.rawValue) {
        $0.userInfo?[UserAccountManager.userInfoLogoutReasonKey] as? String
      } after: {
        manager.logout(ann, reason: .tokenExpired)
      }
      #expect(reason == "refresh_token_expired" && manager.currentUserAccount == nil)
    }
  }
}
