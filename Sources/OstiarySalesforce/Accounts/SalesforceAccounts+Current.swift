package import OstiaryCore

extension SalesforceAccounts {
  /// Sets the current account, or none, without the announcements of ``switchTo(_:)``. Where no earlier call is still waiting, it is the
  /// current one when this returns; otherwise when its turn has come.
  /// - Returns: the call, which ends when the choice is written down. It fails with `invalidInput` for an account that is not one of
  ///   these or is signed out; then nothing has changed.
  package func beginSettingCurrent(_ account: SalesforceAccount?) -> CapturedCall<SalesforceCurrentChange> {
    entry.capture(now: { try replaceCurrent(by: account) }, later: { [self] in try replaceCurrent(by: account) })
  }

  /// Tells of a change, and writes it down.
  package func finish(_ change: SalesforceCurrentChange) async {
    guard change.before !== change.now else { return }
    tell(.didSetCurrent(from: change.before, to: change.now))
    await rememberCurrent(after: change.before)
  }

  private func replaceCurrent(by account: SalesforceAccount?) throws -> SalesforceCurrentChange {
    try state.withLock { state throws -> SalesforceCurrentChange in
      if let account, !state.isSignedIn(account) {
        throw OstiaryError(
          .invalidInput, "\(account.identity) is not signed in.", advice: "Sign in first.",
          requestMayHaveExecuted: false)
      }
      defer { state.current = account }
      return SalesforceCurrentChange(before: state.current, now: account)
    }
  }
}

/// A change of the current account that has been made.
package struct SalesforceCurrentChange: Sendable {
  let before: SalesforceAccount?
  let now: SalesforceAccount?
}
