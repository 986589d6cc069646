internal import Foundation
package import OstiaryCore

extension SalesforceAccounts {
  /// Signs an account out: unregisters the device for push notifications, forgets the session, revokes the tokens, in
  /// this order. The org is given some time for the first and the last, and the sign-out is finished without it then.
  /// - Returns: what came of it; `nil` when the account is signed out, or is being signed out, already.
  @discardableResult
  nonisolated(nonsending) public func signOut(
    _ account: SalesforceAccount, reason: SalesforceRevocationReason = .userLogout
  ) async -> SalesforceSignOutReport? { await beginSignOut(account, reason)?.result() }

  /// Signs the current account out: the one that is current when this is called, after every change that was begun before.
  /// While the store is unread it is the stored one.
  @discardableResult
  nonisolated(nonsending) public func signOutCurrent(reason: SalesforceRevocationReason = .userLogout) async
    -> SalesforceSignOutReport?
  {
    guard let signOut = try? await beginSignOutCurrent(reason).value else { return nil }
    return await signOut.result()
  }

  /// Signs every account out.
  nonisolated(nonsending) public func signOutAll(reason: SalesforceRevocationReason = .userLogout) async {
    for work in (try? await beginSignOutAll(reason).value) ?? [] { _ = await work.result() }
  }

  /// Begins what ``signOut(_:reason:)`` does, before it returns.
  package func beginSignOut(
    _ account: SalesforceAccount, _ reason: SalesforceRevocationReason = .userLogout
  ) -> SalesforceSignOut? {
    guard account.become(.loggingOut) else { return nil }
    // The same user may sign in anew before this has ended; that session is not the one meant.
    let lineage = account.connection.manager.beginSignOut()
    state.withLock { state in
      state.signOuts[account.identity, default: 0] += 1
      if let lineage { state.signedOut.insert(lineage) }
      state.ending.insert(account.identity)
      state.owe(account)
    }
    let work = SharedWork<SalesforceSignOutReport>()
    work.launch { [self] in
      defer { state.withLock { _ = $0.ending.remove(account.identity) } }
      return await finishSignOut(account, reason, isOver: lineage == nil)
    }
    return SalesforceSignOut(work: work)
  }

  /// Begins what ``signOutCurrent(reason:)`` does, before it returns.
  package func beginSignOutCurrent(_ reason: SalesforceRevocationReason = .userLogout) -> CapturedCall<
    SalesforceSignOut?
  > {
    entry.capture { [self] in
      if !state.withLock({ $0.isRead }) { try await restore() }
      return current.flatMap { beginSignOut($0, reason) }
    }
  }

  /// Begins what ``signOutAll(reason:)`` does, before it returns.
  package func beginSignOutAll(_ reason: SalesforceRevocationReason = .userLogout) -> CapturedCall<[SalesforceSignOut]>
  {
    entry.capture { [self] in
      if !state.withLock({ $0.isRead }) { try await restore() }
      return accounts.compactMap { beginSignOut($0, reason) }
    }
  }

  /// - Parameter isOver: Whether the session had ended by itself when the sign-out was called.
  private func finishSignOut(
    _ account: SalesforceAccount, _ reason: SalesforceRevocationReason, isOver: Bool
  ) async -> SalesforceSignOutReport {
    var report = SalesforceSignOutReport()
    let connection = account.connection
    // It takes a token that is still good. What is not gone then is owed until the same user signs in again.
    var known = DeviceRecords()
    var unfinished: OstiaryError?
    for push in account.registering.map(\.push) {
      // What can't be undone with an earlier session can be with the present one.
      push.adopt(known)
      let error = await push.undo(within: configuration.signOutPatience)
      report.owedRegistrationIDs = await push.owe()
      // A registration that has no identifier yet can't be undone with a later session either.
      if report.owedRegistrationIDs.isEmpty { unfinished = unfinished ?? error }
      report.pushError = error ?? unfinished
      known = push.known
    }
    handOver(report.owedRegistrationIDs, of: account.identity)
    await announce(.willSignOut(account, reason))
    reasons.withLock { $0[account.identity] = reason }
    let isLastOfOrg = takeOut(account)
    let ending = SharedWork<SignOutReport?>()
    ending.launch { [reasons] in
      defer { reasons.withLock { $0[account.identity] = nil } }
      return isOver ? nil : await connection.manager.signOut()
    }
    let timer = OneTimer(after: configuration.signOutPatience, clock: clock) {
      ending.finish(
        .failure(OstiaryError(.timedOut, "The server did not confirm in time that the tokens are revoked.")))
    }
    do {
      let ended = try await ending.value()
      report.serverError = ended?.serverError
      report.storeError = ended?.storeError
    } catch {
      report.serverError = error as? OstiaryError
    }
    timer.cancel()
    await forgetCurrent(account)
    _ = account.become(.notLoggedIn)
    tell(.didSignOut(account, reason))
    if isLastOfOrg { tell(.orgDidSignOut(account.identity.orgID)) }
    return report
  }

  /// Takes an account out of the list.
  /// - Returns: Whether it was the last of its org.
  private func takeOut(_ account: SalesforceAccount) -> Bool {
    state.withLock { state in
      if state.current === account { state.current = nil }
      if state.accounts[account.identity] === account { state.accounts[account.identity] = nil }
      return !state.accounts.keys.contains { $0.orgID == account.identity.orgID }
    }
  }

  /// Notes that an account's session has ended by itself. There is nothing to revoke, and what is stored by now may be a
  /// new sign-in of another process: the session manager has removed what it had.
  ///
  /// The org's word also ends what belongs to the account. After any other end, such as a sign-out by another process, the
  /// account is gone here, but nothing that processes share is touched: the other process has seen to that.
  func noteEnd(of account: SalesforceAccount, _ manager: SessionManager, cause: Cause) async {
    let reason = SalesforceRevocationReason(endedBy: cause)
    let isOver = state.withLock { state in
      // A new sign-in may have taken its place since.
      guard account.connection.manager === manager, case .signedOut = manager.status else { return false }
      guard account.become(.loggingOut) else { return false }
      // A call that was made before may still register the device, with the same user's next sign-in; no account would know it.
      for connection in account.registering { connection.push.close() }
      if reason == .refreshTokenExpired { state.owe(account) }
      return true
    }
    guard isOver else { return }
    tell(.willSignOut(account, reason))
    let isLastOfOrg = takeOut(account)
    if reason == .refreshTokenExpired {
      await forgetCurrent(account)
      // There is no token any more with which the org could be told.
      for push in account.registering.map(\.push) { handOver(await push.owe(), of: account.identity) }
    }
    _ = account.become(.notLoggedIn)
    tell(.didSignOut(account, reason))
    if isLastOfOrg { tell(.orgDidSignOut(account.identity.orgID)) }
  }
}

/// A sign-out that has begun. Cancelling a caller must not leave the account between two states.
package struct SalesforceSignOut: Sendable {
  let work: SharedWork<SalesforceSignOutReport>

  /// What came of it, once it has ended.
  package func result() async -> SalesforceSignOutReport? { try? await work.outcome.get() }
}

extension SalesforceRevocationReason {
  /// Why a session is over that the app has not ended.
  init(endedBy cause: Cause) {
    switch cause {
    case .rejectedByServer, .credentialRefused: self = .refreshTokenExpired
    case .storeCorrupt: self = .corruptState
    default: self = .unknown
    }
  }
}
