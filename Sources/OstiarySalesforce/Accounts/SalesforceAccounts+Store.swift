internal import Foundation
internal import Logging
internal import OstiaryCore

extension SalesforceAccounts {
  static let keyPrefix = "salesforce-account "
  static let currentKey = SessionKey("salesforce-current")
  static let devicesKey = SessionKey("salesforce-devices")

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
      let devices = await restoreDevices()
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
            await self.restore(identity, authenticator, device: devices[identity.name], signOuts: before)
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
    _ identity: SalesforceUserIdentity, _ authenticator: SalesforceAuthenticator, device: String?, signOuts: UInt64?
  ) async -> OstiaryError? {
    let manager = makeManager(identity, authenticator, store: store)
    switch await manager.restore() {
    case .unknown(let error): return error
    case .signedIn:
      let account = SalesforceAccount(identity, makeConnection(identity, manager), isLoggedIn: true)
      if let device { account.connection.push.adopt(registrationID: device) }
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
    SalesforceConnection(manager, handedOver: nil, clock: clock) { [weak self] id in
      await self?.rememberDevice(id, of: identity)
    }
  }

  private func restoreDevices() async -> [String: String] {
    guard case .present(let data) = await store.load(Self.devicesKey), let stored = JSONValue(json: data)?.object
    else { return [:] }
    return state.withLock { state in
      // What this run knows is newer.
      state.devices.merge(stored.compactMapValues(\.string)) { known, _ in known }
      return state.devices
    }
  }

  /// Writes down as which record an account's org knows this device, or that it doesn't. Losing it costs a registration
  /// that stays at the org until that notices that nothing gets through.
  func rememberDevice(_ id: String?, of identity: SalesforceUserIdentity) async {
    let isNews = state.withLock { state in
      defer { state.devices[identity.name] = id }
      return state.devices[identity.name] != id
    }
    guard isNews else { return }
    await deviceLane.run { [self] in
      let devices = state.withLock { $0.devices }
      do {
        if devices.isEmpty {
          try await store.remove(Self.devicesKey, ifHolding: .anything)
        } else {
          try await store.save(JSONEncoder().encode(devices), for: Self.devicesKey, replacing: .anything)
        }
      } catch {
        logger.debug("the registrations for push notifications could not be written down")
      }
    }
  }

  /// Writes down that an account's org does not know this device any more, unless the user has signed in anew since and
  /// registered it.
  func forgetDevice(_ id: String?, of identity: SalesforceUserIdentity) async {
    let isSame = state.withLock { $0.devices[identity.name] == id }
    if isSame { await rememberDevice(nil, of: identity) }
  }

  /// Writes down which account is the current one. Losing it costs the user a choice, not a session.
  /// - Parameter previous: The one before, which alone is removed: another process may have chosen another.
  func rememberCurrent(after previous: SalesforceAccount?) async {
    do {
      if let current {
        try await store.save(Self.data(of: current), for: Self.currentKey, replacing: .anything)
      } else if let previous {
        try await store.remove(Self.currentKey, ifHolding: .exactly(Self.data(of: previous)))
      }
    } catch let error as OstiaryError where error.code == .storeConflict {
      // Another process's choice stays.
    } catch {
      logger.debug("the current account could not be written down")
    }
  }

  private static func data(of account: SalesforceAccount) -> Data { Data(account.identity.name.utf8) }
}
