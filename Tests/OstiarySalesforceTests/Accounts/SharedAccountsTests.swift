import Foundation
import HTTPTypes
import OstiaryCore
import OstiarySalesforce
import OstiaryTesting
import TestSupport
import Testing

@Suite("Accounts of processes that share a store", .timeLimit(.minutes(20)))
struct SharedAccountsTests {
  private let stub = SalesforceStub()
  private let store = EphemeralStore()

  /// Has an account notice what became of its session, and waits until its accounts have.
  private func notice(_ account: SalesforceAccount, of accounts: SalesforceAccounts) async throws {
    let isOut = Gate()
    accounts.onEvent { if case .didSignOut = $0 { isOut.open() } }
    _ = try? await account.send(.get(SalesforceStub.cases))
    try await isOut.pass()
  }

  @Test("Bug-A26: another process's sign-out takes the account away here, and touches nothing that is shared")
  func signedOutElsewhere() async throws {
    let (app, appExtension) = (stub.accounts(store: store), stub.accounts(store: store))
    let ann = try await app.signIn(with: stub.browser())
    try await ann.connection.push.register(SalesforcePush.Device(token: Data([1]), bundle: "app"))
    try await appExtension.restore()
    let twin = try #require(appExtension.account(for: ann.identity))
    #expect(appExtension.current === twin)
    await app.signOut(ann)
    // The user chooses another account there.
    let bob = try await app.signIn(with: stub.browser(.bob))
    let endings = {
      stub.transport.requests.filter { $0.head.method == .delete || $0.head.path?.contains("revoke") == true }
    }
    let before = endings().count
    try await notice(twin, of: appExtension)
    #expect(twin.loginState == .notLoggedIn && appExtension.accounts.isEmpty && appExtension.current == nil)
    #expect(endings().count == before)
    let next = stub.accounts(store: store)
    try await next.restore()
    #expect(next.current?.identity == bob.identity)
    #expect(bob.loginState == .loggedIn)
  }

  @Test("Bug-A26: signing out the current account leaves the choice that another process has made since")
  func otherChoice() async throws {
    let app = stub.accounts(store: store)
    let ann = try await app.signIn(with: stub.browser())
    let appExtension = stub.accounts(store: store)
    try await appExtension.restore()
    let bob = try await app.signIn(with: stub.browser(.bob))
    let twin = try #require(appExtension.account(for: ann.identity))
    #expect(appExtension.current === twin)
    await appExtension.signOut(twin)
    let next = stub.accounts(store: store)
    try await next.restore()
    #expect(next.current?.identity == bob.identity)
  }

  @Test("Bug-A26: the current account's own entry goes with it")
  func ownChoice() async throws {
    let app = stub.accounts(store: store)
    let ann = try await app.signIn(with: stub.browser())
    _ = try await app.signIn(with: stub.browser(.bob))
    try await app.switchTo(ann)
    await app.signOut(ann)
    #expect(await store.load(SessionKey("salesforce-current")) == .absent)
  }
}
