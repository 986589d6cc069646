import Foundation
import Ostiary
import OstiaryCore
import OstiaryOAuth
import OstiarySalesforce
import OstiaryTesting
import Testing

@testable import OstiaryServer

@Suite("The SDK's Salesforce client at the Salesforce door", .timeLimit(.minutes(20)))
struct ClientTests {
  @Test("Transcript A5: signed in without a page; a wrong password is the server's word about the password")
  func headless() async throws {
    try await TestOrg.run { org in
      let accounts = try org.accounts()
      let wrong = await failure { try await accounts.signIn(as: "ann@example.com", password: "no") }
      #expect(wrong?.code == .invalidCredentials && accounts.accounts.isEmpty)
      let account = try await accounts.signIn(as: "ann@example.com")
      #expect(accounts.current === account && account.tokens?.refreshToken != nil)
      #expect(account.identity.orgID.id18 == org.door.configuration.orgs[0].id.long)
      #expect(try await account.limits() == 200)
      #expect(try await account.connection.verify().user.id == account.identity.name)
      #expect(account.connection.areSettingsValid)
    }
  }

  @Test("Transcript A5: an app that may not is told so, and nobody's password is blamed")
  func noHeadless() async throws {
    try await TestOrg.run({ $0.apps[0].allowsHeadlessSignIn = false }) { org in
      let refused = await failure { try await org.accounts().signIn(as: "ann@example.com") }
      #expect(refused?.code == .clientRefused)
    }
  }

  @Test("OAuth-O4, OS4: a refresh token that rotates is replaced, one that stays is kept", arguments: [true, false])
  func renewal(rotates: Bool) async throws {
    try await TestOrg.run { org in
      let account = try await org.accounts(rotates ? TestOrg.rotating : TestOrg.staying).signIn(as: "ann@example.com")
      var seen = [try #require(account.tokens)]
      for _ in 0..<3 {
        org.letSessionsExpire()
        #expect(try await account.limits() == 200)
        seen.append(try #require(account.tokens))
      }
      #expect(Set(seen.map(\.accessToken)).count == 4)
      #expect(Set(seen.compactMap(\.refreshToken)).count == (rotates ? 4 : 1))
      #expect(org.count("/limits", 401) == 3 && org.count("/limits", 200) == 3 && org.tokenCalls() == 4)
    }
  }

  @Test("OS8: a session that is used goes on for ever, and ends two hours after the last use")
  func sliding() async throws {
    try await TestOrg.run { org in
      let account = try await org.accounts().signIn(as: "ann@example.com")
      for _ in 0..<4 {
        org.clock.advance(by: .seconds(2 * 3600 - 60))
        #expect(try await account.limits() == 200)
      }
      #expect(org.tokenCalls() == 1 && org.count("/limits", 401) == 0)
      org.clock.advance(by: .seconds(2 * 3600))
      #expect(try await account.limits() == 200)
      #expect(org.tokenCalls() == 2 && org.count("/limits", 401) == 1)
    }
  }

  @Test("OAuth-O5: 200 calls at once, one renewal; cases are created once each")
  func storm() async throws {
    try await TestOrg.run { org in
      let account = try await org.accounts().signIn(as: "ann@example.com")
      org.letSessionsExpire()
      let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 0..<200 {
          group.addTask {
            try await number.isMultiple(of: 4) ? account.create("case \(number)") : account.limits()
          }
        }
        return try await group.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
      }
      #expect(statuses == [200: 150, 201: 50])
      #expect(org.tokenCalls() == 2)
      let subjects = try await account.query("Subject", of: "Case")
      #expect(subjects.count == 50 && Set(subjects).count == 50)
    }
  }

  @Test("OS6, OAuth-O6: what an administrator revokes ends the session, with the reason, also in the store")
  func revoked() async throws {
    try await TestOrg.run { org in
      let store = EphemeralStore()
      let accounts = try org.accounts(store: store)
      let account = try await accounts.signIn(as: "ann@example.com")
      let other = try await accounts.signIn(as: "bob@example.com")
      let reasons = Locked<[SalesforceRevocationReason]>([])
      let ended = Gate()
      accounts.onEvent { event in
        guard case .didSignOut(_, let reason) = event else { return }
        reasons.withLock { $0.append(reason) }
        ended.open()
      }
      let user = try #require(try await org.application.identity.user(named: "ann@example.com"))
      #expect(try await org.door.tokens.revokeAll(userID: user.id) == 1)
      #expect(await failure { try await account.limits() }?.code == .interactionRequired)
      try await ended.pass()
      #expect(reasons.withLock { $0 } == [.refreshTokenExpired] && account.loginState == .notLoggedIn)
      #expect(try await other.limits() == 200)
      #expect(try await org.accounts(store: store).restore().map(\.identity) == [other.identity])
    }
  }

  @Test("OS16: a user who is kept out is signed out; let in again they sign in again")
  func inactive() async throws {
    try await TestOrg.run { org in
      let accounts = try org.accounts()
      let account = try await accounts.signIn(as: "ann@example.com")
      _ = try await org.application.identity.disableUser(named: "ann@example.com")
      let error = await failure { try await account.limits() }
      #expect(error?.code == .interactionRequired)
      #expect(await failure { try await accounts.signIn(as: "ann@example.com") }?.code == .invalidCredentials)
      _ = try await org.application.identity.enableUser(named: "ann@example.com")
      #expect(try await accounts.signIn(as: "ann@example.com").limits() == 200)
    }
  }

  @Test("RT-10: a new password ends no app's session, as the vendor has it")
  func newPassword() async throws {
    try await TestOrg.run { org in
      let accounts = try org.accounts()
      let account = try await accounts.signIn(as: "ann@example.com")
      try await org.application.identity.setPassword("another fine password", forUserNamed: "ann@example.com")
      #expect(try await account.limits() == 200)
      org.letSessionsExpire()
      #expect(try await account.limits() == 200)
      #expect(await failure { try await accounts.signIn(as: "ann@example.com") }?.code == .invalidCredentials)
      try await accounts.signIn(as: "ann@example.com", password: "another fine password")
    }
  }

  @Test(
    "OAuth-O8: an org's daily limit and an org without interfaces are answers; nobody renews", arguments: [true, false])
  func limits(isClosed: Bool) async throws {
    try await TestOrg.run({ configuration in
      if isClosed { configuration.orgs[0].allowsAPI = false } else { configuration.dailyRequests = 2 }
    }) { org in
      let account = try await org.accounts().signIn(as: "ann@example.com")
      for number in 0..<5 { #expect(try await account.limits() == (number < 2 && !isClosed ? 200 : 403)) }
      #expect(org.tokenCalls() == 1 && account.loginState == .loggedIn && account.tokens != nil)
      // Who the user is has no such limit.
      try await account.connection.verify()
      #expect(org.tokenCalls() == 1)
    }
  }

  @Test("OS15: a member of a community signs in, calls, renews and signs out below its path")
  func community() async throws {
    try await TestOrg.run { org in
      let accounts = try org.accounts(at: "/customers")
      let account = try await accounts.signIn(as: "ann@example.com")
      let community = org.door.configuration.orgs[0].communities[0]
      #expect(account.tokens?.communityURL?.absoluteString == org.door.address + "/customers")
      #expect(account.tokens?.communityID == community.id.long)
      #expect(try await account.create("mine") == 201)
      org.letSessionsExpire()
      #expect(try await account.query("Subject", of: "Case") == ["mine"])
      #expect(org.count("/customers/services/oauth2/token", 200) == 2 && org.tokenCalls() == 2)
      // Another member sees nothing of it.
      let other = try await accounts.signIn(as: "bob@example.com")
      #expect(try await other.query("Subject", of: "Case").isEmpty)
      let report = try #require(await accounts.signOut(account))
      #expect(report.isComplete && org.count("/services/oauth2/revoke", 200) == 1)
    }
  }

  @Test("OS5: “already being processed” is no verdict: the call fails for now, and the session goes on")
  func alreadyProcessed() async throws {
    try await TestOrg.run({ $0.refusesConcurrentRefreshes = true }) { org in
      let account = try await org.accounts().signIn(as: "ann@example.com")
      org.letSessionsExpire()
      let text = try #require(account.tokens?.refreshToken).reveal()
      let place = try #require(
        try await org.door.refreshes.enter(SalesforceTokenText(any: text).token, at: org.door.now))
      let error = try #require(await failure { try await account.limits() })
      #expect(error.isTransient && account.loginState == .loggedIn, "\(error)")
      try await org.door.refreshes.leave(place)
      #expect(try await account.limits() == 200)
    }
  }

  @Test("OAuth-O11: with the app's secret the door's signatures are checked, and are right")
  func signature() async throws {
    try await TestOrg.run({ $0.apps[0].requiresSecret = true }) { org in
      #expect(await failure { try await org.accounts().signIn(as: "ann@example.com") } != nil)
      let account = try await org.accounts(authentication: .secretPost(TestOrg.secret)).signIn(as: "ann@example.com")
      org.letSessionsExpire()
      #expect(try await account.limits() == 200)
    }
  }

  @Test("Account-A3, Account-A6: signing one user out revokes their tokens and device, and leaves the other's")
  func signOut() async throws {
    try await TestOrg.run { org in
      let accounts = try org.accounts()
      let ann = try await accounts.signIn(as: "ann@example.com")
      let bob = try await accounts.signIn(as: "bob@example.com")
      for account in [ann, bob] {
        try await account.connection.push.register(.init(token: Data([1, 2, 3]), bundle: "com.example.app"))
      }
      let annsTokens = try #require(ann.tokens)
      let report = try #require(await accounts.signOut(ann))
      #expect(report.isComplete && accounts.accounts.map(\.identity) == [bob.identity])
      #expect(org.count("/sobjects/MobilePushServiceDevice", 201) == 2)
      #expect(org.entries.count { $0.method == "DELETE" && $0.status == 204 } == 1)
      let copy = try SalesforceConnection(annsTokens, transport: PlatformTransport())
      #expect(await failure { try await copy.send(.get("/services/data/v59.0/limits")) } != nil)
      #expect(try await bob.limits() == 200)
      #expect(try await bob.query("Id", of: "MobilePushServiceDevice").count == 1)
    }
  }

  @Test("Done 3: when users are switched in the middle, everything that is done is done in its own user's name")
  func switching() async throws {
    try await TestOrg.run { org in
      let accounts = try org.accounts()
      let ann = try await accounts.signIn(as: "ann@example.com")
      let bob = try await accounts.signIn(as: "bob@example.com")
      try await accounts.switchTo(ann)
      // Both sessions die, and are renewed while the current user changes over and over.
      org.letSessionsExpire()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<120 {
          group.addTask {
            let account = try #require(accounts.current)
            #expect(try await account.create("\(account.identity.userID.id18) \(number)") == 201)
          }
          if number.isMultiple(of: 10) {
            group.addTask { try await accounts.switchTo(number.isMultiple(of: 20) ? bob : ann) }
          }
        }
        try await group.waitForAll()
      }
      let answer = try await ann.send(.get("/services/data/v59.0/query?q=SELECT+Subject,+OwnerId+FROM+Case"))
      let records = try #require(JSONValue(json: answer.body)?["records"]?.array)
      #expect(records.count == 120)
      for record in records {
        let owner = try #require(record["OwnerId"]?.string)
        #expect(record["Subject"]?.string?.hasPrefix(owner + " ") == true)
      }
      #expect(org.count("/services/oauth2/token", 200) <= 4)
    }
  }
}
