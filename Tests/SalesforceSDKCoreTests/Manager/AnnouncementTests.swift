import Foundation
import Ostiary
import OstiaryCore
import OstiarySalesforce
import OstiaryTesting
import SalesforceSDKCore
import TestSupport
import Testing

/// What an app finds while it is told of what is about to happen.
@Suite("Notifications before a change", .timeLimit(.minutes(20)))
struct AnnouncementTests {
  @Test(
    "Bug-D12: the tokens are there, and not revoked, while kSFNotificationUserWillLogout is posted", arguments: 0..<10)
  func willLogout(round: Int) async throws {
    try await ManagerStage.with { stage in
      let ann = try await stage.login()
      let found = await stage.during(kSFNotificationUserWillLogout) { [org = stage.org] account in
        [
          account?.credentials.accessToken != nil, account?.credentials.refreshToken != nil,
          account?.idData?.email == "ann@example.com", account?.loginState == .loggingOut,
          !org.log.contains("POST /services/oauth2/revoke"),
        ]
      } _: {
        await stage.logout(ann)
      }
      #expect(found == [[true, true, true, true, true]])
      #expect(ann.credentials.accessToken == nil && ann.loginState == .notLoggedIn)
      #expect(stage.org.log.last == "POST /services/oauth2/revoke")
    }
  }

  @Test("Bug-D12: the account before is current while kSFNotificationUserWillSwitch is posted", arguments: 0..<10)
  func willSwitch(round: Int) async throws {
    try await ManagerStage.with { stage in
      let ann = try await stage.login()
      let bob = try await stage.login(OrgStub.bobID)
      let found = await stage.during(kSFNotificationUserWillSwitch) { [manager = stage.manager] _ in
        manager.currentUser
      } _: {
        await stage.switchTo(ann)
      }
      #expect(found == [bob])
      #expect(stage.manager.currentUser == ann)
    }
  }

  @Test("Bug-D12: a change of the current account waits for the observers that keep it")
  func switchWaits() async throws {
    let stub = SalesforceStub()
    let accounts = SalesforceAccounts(clientID: "app", transport: stub.transport, clock: stub.clock)
    let tokens = try #require(SalesforceTokens(stub.issue(), clientID: "app"))
    let account = try await accounts.signIn(with: .proof(tokens.proof))
    let holds = Locked<[SalesforceEventHold?]>([])
    accounts.onAnnouncement { announcement in
      if case .willSwitch = announcement.event { holds.withLock { $0.append(announcement.hold) } }
    }
    let change = startAtOnce { try await accounts.switchTo(nil) }
    try await waitUntil { holds.withLock { !$0.isEmpty } }
    #expect(holds.withLock { $0.count == 1 && $0[0] != nil } && accounts.current === account)
    holds.withLock { $0.removeAll() }
    try await change.value
    #expect(accounts.current == nil)
  }

  @Test("Bug-D12: an observer that does not come back keeps no user signed in")
  func patience() async throws {
    let stub = SalesforceStub()
    let accounts = SalesforceAccounts(clientID: "app", transport: stub.transport, clock: stub.clock)
    let tokens = try #require(SalesforceTokens(stub.issue(), clientID: "app"))
    let account = try await accounts.signIn(with: .proof(tokens.proof))
    let held = Locked<[SalesforceEventHold]>([])
    accounts.onAnnouncement { announcement in
      if let hold = announcement.hold { held.withLock { $0.append(hold) } }
    }
    let signOut = startAtOnce { await accounts.signOut(account) }
    try await stub.clock.waitForSleepers()
    #expect(account.presentTokens != nil)
    stub.clock.advance(by: .seconds(5))
    #expect(try await signOut.value?.isComplete == true)
    #expect(account.presentTokens == nil && held.withLock { $0.count } == 1)
  }

  @Test("Bug-D12: delegates hear of a change of the current account before and after it, until they are removed")
  @MainActor
  func delegates() async throws {
    let stage = try ManagerStage()
    defer { stage.org.stop() }
    let listener = Listener(stage.manager)
    stage.manager.add(listener)
    let ann = try await stage.login()
    #expect(
      listener.heard == [
        "will none to \(ann.accountIdentity.userId), now none", "did none to \(ann.accountIdentity.userId)",
      ])
    stage.manager.remove(listener)
    await stage.switchTo(nil)
    #expect(listener.heard.count == 2)
    stage.manager.add(listener)
    stage.manager.oauthClientId = ""
    stage.manager.login()
    let error = await listener.failure()
    #expect((error as? OstiaryError)?.code == .invalidInput)
  }

  @Test("Bug-D05: delegates hear under the names of version 7 as well")
  @MainActor
  func newerNames() async throws {
    let stage = try ManagerStage()
    defer { stage.org.stop() }
    let listener = NewerListener()
    stage.manager.add(listener)
    try await stage.login()
    let empty = try #require(SFOAuthCredentials(identifier: "mine", clientId: nil, encrypted: true))
    await #expect(throws: OstiaryError.self) { try await stage.refresh(empty) }
    #expect(listener.heard == ["will", "did", "failed"])
  }
}

@MainActor
private final class NewerListener: UserAccountManagerDelegate {
  private(set) var heard: [String] = []

  func userAccountManager(
    accountManager: UserAccountManager, didFailAuthenticationWith error: any Error, info: AuthInfo
  ) -> Bool {
    heard.append("failed")
    return true
  }

  func userAccountManager(
    accountManager: UserAccountManager, willSwitchFrom currentUser: UserAccount, to newUser: UserAccount?
  ) {
    heard.append("will")
  }

  func userAccountManager(
    accountManager: UserAccountManager, didSwitchFrom previousUser: UserAccount, to currentUser: UserAccount?
  ) {
    heard.append("did")
  }
}

@MainActor
private final class Listener: SFUserAccountManagerDelegate {
  private let manager: SFUserAccountManager
  private(set) var heard: [String] = []
  private let errors: AsyncStream<any Error>
  private let sink: AsyncStream<any Error>.Continuation

  init(_ manager: SFUserAccountManager) {
    self.manager = manager
    (errors, sink) = AsyncStream.makeStream()
  }

  private static func name(_ account: SFUserAccount?) -> String {
    account.map { $0.accountIdentity.userId }.flatMap { $0.isEmpty ? nil : $0 } ?? "none"
  }

  func failure() async -> (any Error)? {
    for await error in errors { return error }
    return nil
  }

  func userAccountManager(_ userAccountManager: SFUserAccountManager, error: any Error, info: SFOAuthInfo) -> Bool {
    sink.yield(error)
    return true
  }

  func userAccountManager(
    _ userAccountManager: SFUserAccountManager, willSwitchFromUser fromUser: SFUserAccount, toUser: SFUserAccount?
  ) {
    heard.append("will \(Self.name(fromUser)) to \(Self.name(toUser)), now \(Self.name(manager.currentUser))")
  }

  func userAccountManager(
    _ userAccountManager: SFUserAccountManager, didSwitchFromUser fromUser: SFUserAccount, toUser: SFUserAccount?
  ) {
    heard.append("did \(Self.name(fromUser)) to \(Self.name(toUser))")
  }
}
