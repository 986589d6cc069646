import Foundation
import Ostiary
import OstiaryCore
import OstiaryTesting
import SalesforceSDKCore
import TestSupport
import Testing

/// A manager with an org and a store of its own.
struct ManagerStage {
  let org: OrgStub
  let manager: SFUserAccountManager
  let store: EphemeralStore

  init(_ prepare: (inout SFEnvironment) -> Void = { _ in }) throws {
    let (org, store) = (try OrgStub(), EphemeralStore())
    (self.org, self.store) = (org, store)
    var environment = SFEnvironment(transport: PlatformTransport(), store: { store })
    prepare(&environment)
    manager = SFUserAccountManager(environment: environment)
    manager.oauthClientId = OrgStub.clientID
    manager.loginHost = org.url
  }

  static func with(_ body: (ManagerStage) async throws -> Void) async throws {
    let stage = try ManagerStage()
    defer { stage.org.stop() }
    try await body(stage)
  }

  /// Logs a user in with tokens that the org has just given.
  @discardableResult
  func login(_ user: String = OrgStub.annID) async throws -> SFUserAccount {
    manager.authorizationFlow = OrgStub.flow(org.tokens(of: user, refreshable: true))
    return try await withCheckedThrowingContinuation { continuation in
      manager.login { _, account in
        continuation.resume(returning: account)
      } failure: { _, error in
        continuation.resume(throwing: error)
      }
    }
  }

  func logout(_ user: SFUserAccount) async {
    await withCheckedContinuation { continuation in manager.logoutUser(user) { continuation.resume() } }
  }

  func switchTo(_ user: SFUserAccount?) async {
    await withCheckedContinuation { continuation in manager.switch(toUser: user) { continuation.resume() } }
  }

  func refresh(_ credentials: SFOAuthCredentials) async throws -> SFUserAccount {
    try await withCheckedThrowingContinuation { continuation in
      manager.refreshCredentials(credentials) { _, account in
        continuation.resume(returning: account)
      } failure: { _, error in
        continuation.resume(throwing: error)
      }
    }
  }

  /// Notes what `look` finds while a notification is posted, as long as `body` runs.
  func during<Value: Sendable>(
    _ name: String, _ look: @escaping @Sendable (SFUserAccount?) -> Value, _ body: () async throws -> Void
  ) async rethrows -> [Value] {
    let found = Locked<[Value]>([])
    let observer = NotificationCenter.default.addObserver(
      forName: Notification.Name(name), object: manager, queue: nil
    ) { notification in
      let account = notification.userInfo?[kSFNotificationUserInfoAccountKey] as? SFUserAccount
      let value = look(account)
      found.withLock { $0.append(value) }
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    try await body()
    return found.withLock { $0 }
  }

  /// What `look` finds in the first notification after `act`.
  func first<Value: Sendable>(
    _ name: String, _ look: @escaping @Sendable (Notification) -> Value?, after act: () async throws -> Void
  ) async rethrows -> Value? {
    let (found, sink) = AsyncStream<Value?>.makeStream()
    let observer = NotificationCenter.default.addObserver(
      forName: Notification.Name(name), object: manager, queue: nil
    ) { sink.yield(look($0)) }
    defer { NotificationCenter.default.removeObserver(observer) }
    try await act()
    for await value in found { return value }
    return nil
  }
}
