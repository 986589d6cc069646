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
  /// - Throws: ``/OstiaryCore/OstiaryError`` `storeUnavailable` when the store can't tell now; nobody has been signed out.
  @discardableResult
  public func restore() async throws -> [SalesforceAccount] {
    try await lane.run { [self] in
      let authenticator = try SalesforceAuthenticator(
        host: loginHost, clientID: clientID, authentication: authentication)
      var unavailable: OstiaryError?
      for identity in try await store.accounts().compactMap(Self.identity) where account(for: identity) == nil {
        let manager = makeManager(identity, authenticator, nil, store: store)
        let status = await manager.restore()
        if case .unknown(let error) = status { unavailable = error }
        guard case .signedIn = status else { continue }
        let account = SalesforceAccount(identity, SalesforceConnection(manager, clock: clock), isLoggedIn: true)
        watch(account, manager)
        state.withLock { if $0.accounts[identity] == nil { $0.accounts[identity] = account } }
      }
      await restoreCurrent()
      if let unavailable { throw unavailable }
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

  /// Writes down which account is the current one. Losing it costs the user a choice, not a session.
  func rememberCurrent() async {
    do {
      if let current {
        try await store.save(Data(current.identity.name.utf8), for: Self.currentKey, replacing: .anything)
      } else {
        try await store.remove(Self.currentKey, ifHolding: .anything)
      }
    } catch {
      logger.debug("the current account could not be written down")
    }
  }
}
