public import Foundation
public import OstiaryCore

extension SessionManager {
  /// Signs out here, gives the tokens back, and then lets the user end the sign-in at the server itself, on its page (OpenID Connect
  /// RP-Initiated Logout 1.0): otherwise the next sign-in in that browser asks for no password.
  ///
  /// The session is over here before the page is shown, also if the rest fails.
  /// - Parameters:
  ///   - userAgent: shows the page.
  ///   - returnURI: as registered for the time after a logout (`post_logout_redirect_uris`); a loopback address without a port gets one.
  ///   - parameters: extras of the page.
  ///   - confirming: whether to ask the server, before the page, if it still takes the session.
  /// - Returns: what was done, and why what was not.
  @discardableResult
  public func signOut(
    in userAgent: any UserAgent, returnURI: URL, parameters: OAuthParameters = [:], confirming: Bool = false
  ) async -> LogoutReport {
    let known = if let current { current } else { await stored() }
    let report = await signOut(confirming: confirming)
    guard let known else { return LogoutReport(signOut: report, didVisitPage: false) }
    let shown = Locked<LogoutRequest?>(nil)
    do {
      guard let authenticator = authenticator as? OAuthAuthenticator else {
        throw OstiaryError.invalidOAuthInput(
          "The session is no OAuth session; its server has no such page.", "Sign out without a user agent.")
      }
      let client = try await authenticator.located(by: known.proof)?.client ?? authenticator.client
      let idToken = known.proof.tokens[OAuthAuthenticator.idToken]
      let visit = try await userAgent.visit(returnURI) { uri in
        let request = try LogoutRequest(client, idToken: idToken, returnURI: uri, parameters: parameters)
        shown.withLock { $0 = request }
        guard let page = request.page else { throw OstiaryError.callbackRefused("There is no address to go back to.") }
        return page
      }
      try shown.withLock { $0 }?.check(visit.callback)
      return LogoutReport(signOut: report, didVisitPage: true)
    } catch {
      let reason =
        (error as? OstiaryError)?.aboutSignOut
        ?? OstiaryError(
          .interactionCancelled, "The server's page was given up.", requestMayHaveExecuted: true, underlying: error)
      return LogoutReport(signOut: report, didVisitPage: shown.withLock { $0 != nil }, pageError: reason)
    }
  }

  /// The session that the store has, where none has been read yet.
  private func stored() async -> Session? {
    _ = await restore()
    return current
  }
}

extension OstiaryError {
  /// A user agent's error, whose words are about a sign-in, in words about a sign-out.
  fileprivate var aboutSignOut: OstiaryError {
    var error = self
    switch code {
    case .signInTimedOut:
      error.message = "The server's page did not lead back in time."
      error.advice =
        "Look at the page: it may wait for an answer, or the address to go back to is not registered for a sign-out."
      // The page was there for the user all the time.
      error.requestMayHaveExecuted = true
    case .browserUnavailable, .callbackRefused:
      error.advice = "End the sign-in on a page of the server, in the browser that it was made in."
    default: break
    }
    return error
  }
}
