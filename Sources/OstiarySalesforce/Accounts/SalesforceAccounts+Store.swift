internal import Foundation
internal import Logging
internal import OstiaryCore

extension SalesforceAccounts {
  static let keyPrefix = "salesforce-account "
  static let currentKey = SessionKey("salesforce-current")

  static func key(_ identity: SalesforceUserIdentity) -> SessionKey { SessionKey(keyPrefix + identity.name) }

  private static func identity(_ key: SessionKey) -> SalesforceUserIdentity? {
    guard key.name.hasPrefix(keyPrefix) else { return nil }
    return SalesforceUserIdentity(Session.User(id: String(key.name.dropFirst(keyPrefix.count))))
  }

  /// Takes up the accounts that rest in the store. Nothing is sent.
  /// - Returns: who is signed in.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `storeUnavailable` when the store can't tell now; no user has been signed out.
  @discardableResult
  public func restore() async throws -> [SalesforceAccount] {
    try await lane.run { [self] in
      let authenticator = try SalesforceAuthenticator(
        host: loginHost, clientID: clientID, authentication: authentication)
      await readDevices()
      // Nothing that is read now brings an account back whose sign-out has begun, or begins meanwhile.
      let (signOuts, ending) = state.withLock { ($0.signOuts, $0.ending) }
      let identities = try await store.accounts().compactMap(Self.identity)
        .filter { account(for: $0) == nil && !ending.contains($0) }
      // Some at a time: a store may be far away, and reading one does not make another wait.
      let unavailable = await withTaskGroup(of: OstiaryError?.self) { group -> OstiaryError? in
        var unavailable: OstiaryError?
        for (number, identity) in identities.enumerated() {
          if number >= Self.readsAtATime, let error = await group.next() ?? nil { unavailable = error }
          let before = signOuts[identity]
          group.addTask {
            await self.restore(identity, authenticator, signOuts: before)
          }
        }
        for await error in group { unavailable = error ?? unavailable }
        return unavailable
      }
      await restoreCurrent()
      if let unavailable { throw unavailable }
      state.withLock { $0.isRead = true }
      return accounts
    }
  }

  private func restoreCurrent() async {
    guard case .present(let data) = await store.load(Self.currentKey),
      let identity = SalesforceUserIdentity(Session.User(id: String(decoding: data, as: UTF8.self)))
    else { return }
    state.withLock { state in
      if state.current == nil { state.current = state.accounts[identity] }
    }
  }

  private static let readsAtATime = 4

  /// Takes up one account. Returns why that could not be, where the store can't tell.
  private func restore(
    _ identity: SalesforceUserIdentity, _ authenticator: SalesforceAuthenticator, signOuts: UInt64?
  ) async -> OstiaryError? {
    let manager = makeManager(identity, authenticator, store: store)
    switch await manager.restore() {
    case .unknown(let error): return error
    case .signedIn:
      let account = SalesforceAccount(identity, makeConnection(identity, manager), isLoggedIn: true)
      adoptDevices(of: identity, account.connection)
      let isAdded = state.withLock { state in
        guard state.accounts[identity] == nil, state.signOuts[identity] == signOuts else { return false }
        state.accounts[identity] = account
        return true
      }
      if isAdded { watch(account, manager) }
      return nil
    case .signedOut: return nil
    }
  }

  func makeConnection(_ identity: SalesforceUserIdentity, _ manager: SessionManager) -> SalesforceConnection {
    SalesforceConnection(manager, handedOver: nil, apiVersion: configuration.apiVersion, clock: clock) {
      [weak self] change in
      await self?.note(change, of: identity)
    }
  }

  /// Writes down which account is the current one. Losing it costs the user a choice, not a session.
  /// - Parameter previous: The one before, which alone is removed: another process may have chosen another.
  func rememberCurrent(after previous: SalesforceAccount?) async {
    // One after the other, so that what is written last is what is the case then.
    await currentLane.run { [self] in
      if let current {
        await writeCurrent { try await $0.save(Self.data(of: current), for: $1, replacing: .anything) }
      } else if let previous {
        await removeCurrent(previous)
      }
    }
  }

  /// Forgets that a user who is signed out was the current one. The store may say so though the account was not the current one
  /// here: its choice is read after the accounts are, and another process may have made it.
  func forgetCurrent(_ account: SalesforceAccount) async {
    await currentLane.run { [self] in
      // The choice may be the same user's new sign-in by now.
      guard self.account(for: account.identity) == nil else { return }
      await removeCurrent(account)
    }
  }

  private func removeCurrent(_ account: SalesforceAccount) async {
    await writeCurrent { try await $0.remove($1, ifHolding: .exactly(Self.data(of: account))) }
  }

  private func writeCurrent(_ change: (any SessionStore, SessionKey) async throws -> Void) async {
    do {
      try await change(store, Self.currentKey)
    } catch let error as OstiaryError where error.code == .storeConflict {
      // Another process's choice stays.
    } catch {
      logger.debug("the current account could not be written down")
    }
  }

  private static func data(of account: SalesforceAccount) -> Data { Data(account.identity.name.utf8) }
}
