internal import Foundation
internal import OstiaryCore

extension SalesforceAccounts {
  /// Signs an account out: unregisters the device for push notifications, forgets the session, revokes the tokens, in
  /// this order. The org is given some time for the first and the last, and the sign-out is finished without it then.
  /// - Returns: what came of it; `nil` when the account is signed out, or is being signed out, already.
  @discardableResult
  public func signOut(
    _ account: SalesforceAccount, reason: SalesforceRevocationReason = .userLogout
  ) async -> SalesforceSignOutReport? {
    guard account.become(.loggingOut) else { return nil }
    // Cancelling whoever asked must not leave the account between two states.
    let work = Task.detached { [self] in await finishSignOut(account, reason) }
    return await work.value
  }

  /// Signs the current account out.
  @discardableResult
  public func signOutCurrent(reason: SalesforceRevocationReason = .userLogout) async -> SalesforceSignOutReport? {
    guard let current else { return nil }
    return await signOut(current, reason: reason)
  }

  /// Signs every account out.
  public func signOutAll(reason: SalesforceRevocationReason = .userLogout) async {
    await withTaskGroup(of: Void.self) { group in
      for account in accounts { group.addTask { await self.signOut(account, reason: reason) } }
    }
  }

  private func finishSignOut(
    _ account: SalesforceAccount, _ reason: SalesforceRevocationReason
  ) async -> SalesforceSignOutReport {
    var report = SalesforceSignOutReport()
    let connection = account.connection
    // It takes a token that is still good.
    report.pushError = await connection.push.undo(within: configuration.farewellPatience)
    tell(.willSignOut(account, reason))
    reasons.withLock { $0[account.identity] = reason }
    let (wasCurrent, isLastOfOrg) = state.withLock { state -> (Bool, Bool) in
      let wasCurrent = state.current === account
      if wasCurrent { state.current = nil }
      if state.accounts[account.identity] === account { state.accounts[account.identity] = nil }
      return (wasCurrent, !state.accounts.keys.contains { $0.orgID == account.identity.orgID })
    }
    let ending = SharedWork<SignOutReport>()
    ending.launch { [reasons] in
      defer { reasons.withLock { $0[account.identity] = nil } }
      return await connection.manager.signOut()
    }
    let timer = Task { [clock, patience = configuration.farewellPatience] in
      try await clock.sleep(for: patience)
      ending.finish(
        .failure(OstiaryError(.timedOut, "The server did not confirm in time that the tokens are revoked.")))
    }
    do {
      let ended = try await ending.value()
      report.serverError = ended.serverError
      report.storeError = ended.storeError
    } catch {
      report.serverError = error as? OstiaryError
    }
    timer.cancel()
    if wasCurrent { await rememberCurrent() }
    // Also one that the org could not be told of: there is no token for it any more.
    await rememberDevice(nil, of: account.identity)
    _ = account.become(.notLoggedIn)
    tell(.didSignOut(account, reason))
    if isLastOfOrg { tell(.orgDidSignOut(account.identity.orgID)) }
    return report
  }
}
