internal import Foundation
internal import OstiaryCore

extension SalesforceService {
  /// Sets settings before anything needs them.
  ///
  /// The server is asked about a user's tokens first; until it has said yes, what was set before stays. An unanswered
  /// question to the app is over, and its late answer does nothing. `nil` signs the user out, here and at once: the device
  /// is unregistered for push notifications in the background; the app's tokens stay the app's and are not revoked.
  /// - Throws: ``/OstiaryCore/OstiaryError``: `salesforceSessionInvalid`, `salesforceRequestRefused`,
  ///   `salesforceResourceNotFound` as the server's word, `salesforceSettingsUnusable` for a signed-out account's,
  ///   `salesforceSettingsSuperseded` when other settings were set meanwhile; otherwise what prevented asking.
  nonisolated(nonsending) public func set(_ settings: SalesforceSettings?) async throws {
    try await begin(settings).wait()
  }

  /// Begins what ``set(_:)`` does: of several calls one after the other the last counts, and every call that needs the
  /// service from now on waits for it.
  package func begin(_ settings: SalesforceSettings?) -> SalesforceSettingsChange {
    let user: User?
    do { user = try settings.flatMap { try self.user(for: $0) } } catch {
      return SalesforceSettingsChange(.failure(error))
    }
    guard let user else {
      setGuest(settings)
      return SalesforceSettingsChange(.success(nil))
    }
    let change = Change(user)
    let superseded = state.withLock { state -> Change? in
      defer { state.change = change }
      state.change?.replace(by: .settings(change))
      // What the app answered before has been replaced, too.
      state.unverified = nil
      return state.change
    }
    superseded?.work.abandon(with: OstiaryError.salesforceSettingsSuperseded)
    change.work.launch { [self] in
      let session: Session
      do {
        session = try await user.connection.verify()
      } catch {
        state.withLock { if $0.change === change { $0.change = nil } }
        throw error
      }
      return try settle(change, .user(user.verified(by: session)), cause: .requestedByApp)
    }
    return SalesforceSettingsChange(.success(change.work))
  }

  private func setGuest(_ settings: SalesforceSettings?) {
    let (superseded, left) = state.withLock { state -> (Change?, User?) in
      let before = (state.change, Self.user(state.holder))
      state.change?.replace(by: settings.map { .guest($0) } ?? .signOut)
      state.change = nil
      state.holder = settings.map { .guest($0, nil, isSet: true) } ?? .unset
      state.failures = 0
      state.refused = []
      state.unverified = nil
      note(.requestedByApp, state)
      return before
    }
    superseded?.work.abandon(with: OstiaryError.salesforceSettingsSuperseded)
    leave(left)
    events.deliver()
  }

  /// Makes the outcome of a change count, if nothing has replaced it.
  /// - Returns: the holder.
  /// - Throws: ``OstiaryError`` `salesforceSettingsSuperseded` when something has.
  @discardableResult
  func settle(_ change: Change, _ holder: Holder, cause: Cause) throws -> Holder {
    let left = try state.withLock { state throws -> User? in
      guard state.change === change else { throw OstiaryError.salesforceSettingsSuperseded }
      let before = Self.user(state.holder)
      let now = Self.user(holder)
      if let now, now.connection !== before?.connection { now.connection.beginUse() }
      state.change = nil
      state.holder = holder
      state.unverified = nil
      if !change.isQuestion {
        state.failures = 0
        state.refused = []
      }
      note(cause, state)
      return now?.connection === before?.connection ? nil : before
    }
    leave(left)
    if case .user(let user) = holder { takeOverOwed(user) }
    events.deliver()
    return holder
  }

  static func user(_ holder: Holder) -> User? {
    switch holder {
    case .user(let user), .lost(let user, _): user
    case .unset, .guest: nil
    }
  }

  /// What follows the end of a user's use of the service. It makes no caller wait.
  private func leave(_ user: User?) {
    // An account's device stays registered for the account, which unregisters it when it signs out; a session's, as long
    // as another service uses the session.
    guard let user, user.connection.endUse(), user.settings.account == nil else { return }
    _ = user.connection.beginPush { [self, connection = user.connection] push in
      // It comes after a registration that is under way. A user who is back by then stays registered.
      guard !connection.isUsed else { return }
      do {
        try await push.unregister()
      } catch {
        let owed = await push.owe()
        if let identity = Owner(user).identity {
          state.withLock { $0.owedRegistrations[identity, default: []] += owed }
        }
        throw error
      }
    }
  }

  /// Removes what was left at the org when the same user's earlier session was given up. It makes no caller wait.
  private func takeOverOwed(_ user: User) {
    guard let identity = Owner(user).identity,
      let owed = state.withLock({ $0.owedRegistrations.removeValue(forKey: identity) })
    else { return }
    _ = user.connection.beginPush { try await $0.takeOver(owed: owed) }
  }
}

/// Settings that are on their way to a service.
package struct SalesforceSettingsChange: Sendable {
  /// What is under way; `nil` when nothing is any more.
  private let work: Result<SharedWork<SalesforceService.Holder>?, any Error>

  init(_ work: Result<SharedWork<SalesforceService.Holder>?, any Error>) {
    self.work = work
  }

  /// Waits until they hold.
  /// - Throws: what kept them from it.
  package func wait() async throws {
    _ = try await work.get()?.value()
  }
}
