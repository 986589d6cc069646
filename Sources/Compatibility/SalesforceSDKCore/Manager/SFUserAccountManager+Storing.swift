internal import Foundation
internal import OstiaryCore
internal import OstiarySalesforce

extension SFUserAccountManager {
  /// Waits until the accounts that rest on this device are known.
  /// - Throws: the error that kept them from being read; no user has been logged out by it.
  public func loadAccounts() async throws {
    if case .failure(let problem) = environment.settings() { throw problem }
    guard !oauthClientId.isEmpty else { return }
    try await accounts.restore()
  }

  /// Begins to read the accounts that rest on this device, as the vendor's synchronous call did. They are there a moment later; the
  /// asynchronous call of this name waits for them.
  /// - Throws: settings that can't be used.
  public func loadAccounts() throws { try beginLoading() }

  /// Begins to read the accounts.
  func beginLoading() throws {
    if case .failure(let problem) = environment.settings() { throw problem }
    _ = accounts
  }

  /// Makes an account for credentials. Nothing is stored, and no user is logged in to it:
  /// `refreshCredentials(_:completion:failure:)` asks the server about them, stores them, and hands over the account.
  public func createUserAccount(_ credentials: SFOAuthCredentials) -> SFUserAccount {
    credentials.signedInAccount.map { SFUserAccount($0) } ?? SFUserAccount(credentials: credentials)
  }

  /// Does nothing for an account that is logged in: it is stored whenever it changes.
  /// - Throws: `OstiaryError` `unsupportedCredential` for an account that an app has made: it is stored once the server has been asked about
  ///   it, by `refreshCredentials(_:completion:failure:)`.
  public func saveAccount(forUser userAccount: SFUserAccount) throws {
    guard let account = userAccount.underlying, account.loginState == .loggedIn else {
      throw OstiaryError(
        .unsupportedCredential, "No user is logged in to this account, so there is no session that could be stored.",
        advice:
          "Pass its credentials to refreshCredentials(_:completion:failure:), which asks the server and stores them.",
        disposition: .misuse, requestMayHaveExecuted: false)
    }
  }

  /// Logs an account out, as ``logoutUser(_:completion:)`` does. Its tokens are revoked, too.
  /// - Throws: nothing; an account that is not logged in counts as deleted.
  public func deleteAccount(forUser user: SFUserAccount) throws { logoutUser(user) }

  /// Reads what is stored anew, in the background. What is known stays known: it is what is stored, and a sign-out that is under way goes on.
  public func clearAllAccountState() { SharedWork<Void>().launch { [self] in try await loadAccounts() } }
}
