internal import Foundation
public import OstiaryCore
public import OstiaryJOSE

extension OAuthClient {
  /// Verifies the logout token of a back-channel logout request (OpenID Connect Back-Channel Logout 1.0 §2.6).
  ///
  /// The token is used up by that, also if the sessions can't be ended then: ``logOut(by:onceBy:in:ending:)`` ends them with it.
  /// - Parameters:
  ///   - token: the parameter.
  ///   - used: remembers the tokens that have come.
  /// - Throws: ``/OstiaryCore/OstiaryError``: `logoutRefused`, terminal, with the rule that refused; a transient error where the keys, or
  ///   what remembers the tokens, can't be had now.
  public func logoutToken(
    _ token: Secret, onceBy used: any UsedIDs, in context: AuthenticationContext
  ) async throws -> LogoutToken {
    guard let policy = idTokens else {
      throw OstiaryError.invalidOAuthInput(
        "The client has no policy by which it could verify tokens.", "Give it a policy for ID tokens.")
    }
    let now = serverTime(at: Origin(endpoints.token), in: context)
    let verdict = try await policy.judge(
      token, by: Self.logoutVerifier(policy, id), secret: authentication.secret, at: now, in: context)
    let verified: LogoutToken
    do {
      verified = try LogoutToken(verdict.get())
    } catch {
      throw OstiaryError.logoutRefused("The logout token is not to be believed: \(error)", error)
    }
    // By the time at which none of its copies is accepted any more.
    let end = verified.expiresAt.addingTimeInterval(policy.skew.seconds)
    guard try await used.use(verified.useName, until: end, at: now) else {
      throw OstiaryError.logoutRefused(
        "The logout token has come before.",
        JOSEError(.usedBefore, "The token has come before.", source: LogoutRules.step(7)))
    }
    return verified
  }

  /// Ends what a back-channel logout request is about (OpenID Connect Back-Channel Logout 1.0 §2.6 and §2.7).
  ///
  /// The request is a POST with a form, whose parameter `logout_token` is the token. Answer with 200 afterwards; with 400 to what is refused here,
  /// and 503 where the issuer's keys can't be had now or the sessions could not be ended: the token is not used up then, as the server may
  /// send it again. None of the answers may be kept by a cache.
  /// - Parameters:
  ///   - token: the parameter.
  ///   - used: remembers the tokens that have come.
  ///   - end: ends each session that it is about (``LogoutToken/ends(_:)``). It may be called again for the same token after it has thrown.
  /// - Throws: as ``logoutToken(_:onceBy:in:)``, and what `end` throws.
  @discardableResult
  public func logOut(
    by token: Secret, onceBy used: any UsedIDs, in context: AuthenticationContext,
    ending end: (LogoutToken) async throws -> Void
  ) async throws -> LogoutToken {
    let logout = try await logoutToken(token, onceBy: used, in: context)
    do {
      try await end(logout)
    } catch {
      await used.giveBack(logout.useName)
      throw error
    }
    return logout
  }

  private static func logoutVerifier(_ policy: IDTokenPolicy, _ client: String) -> TokenVerifier {
    TokenVerifier(
      algorithms: policy.algorithms, type: .anyOf(["logout+jwt", "JWT"], orAbsent: true),
      rules: [
        .madeBy(policy.issuer, orNamed: policy.otherIssuerNames).citing(LogoutRules.step(3)),
        .audience(client).citing(LogoutRules.step(3)),
        .issuedAtAll(within: nil, skew: policy.skew).citing(LogoutRules.step(3)),
        .unexpired(skew: policy.skew).citing(LogoutRules.step(3)),
        .expires(within: LogoutRules.longest, skew: policy.skew),
        LogoutRules.names, LogoutRules.event,
        .absent("nonce").citing(LogoutRules.step(6)),
        .present("jti").citing("OpenID Connect Back-Channel Logout 1.0 §2.4"),
      ])
  }
}

/// The rules for logout tokens (OpenID Connect Back-Channel Logout 1.0 §2.6).
enum LogoutRules {
  static func step(_ number: Int) -> String { "OpenID Connect Back-Channel Logout 1.0 §2.6 (\(number))" }

  /// A token is remembered for as long as it can be used; servers give them two minutes.
  static let longest = Duration.seconds(86_400)

  /// (4): it says whose session, or which, has ended.
  static let names = TokenRule { token, _ throws(JOSEError) in
    let (subject, session) = (token["sub"], token["sid"])
    guard [subject, session].allSatisfy({ $0 == nil || $0?.word != nil }), subject != nil || session != nil else {
      throw JOSEError(
        .claimMissing, "The logout token names neither a user nor a session.", source: LogoutRules.step(4))
    }
    guard (subject?.string?.utf8.count ?? 0) <= 255 else {
      throw JOSEError(
        .wrongSubject, "The subject of the logout token is longer than 255 characters.",
        source: LogoutRules.step(4))
    }
  }

  /// (5): it is about a logout.
  static let event = TokenRule { token, _ throws(JOSEError) in
    guard token["events"]?[IDTokenRules.logoutEvent]?.object != nil else {
      throw JOSEError(.wrongClaim, "The token is not about a logout.", source: LogoutRules.step(5))
    }
  }
}

extension JOSEError.Code {
  /// A token that may be used once has come before.
  public static let usedBefore = Self("used_before")
}

extension OstiaryError {
  static func logoutRefused(_ message: String, _ underlying: JOSEError? = nil) -> OstiaryError {
    OstiaryError(
      .logoutRefused, message, advice: "Answer the request with the status 400; no session has ended.",
      disposition: .terminal, requestMayHaveExecuted: false, underlying: underlying)
  }
}
