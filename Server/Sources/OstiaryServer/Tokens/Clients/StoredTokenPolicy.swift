import Foundation

/// A policy as it is stored: a value that an older server has not written has its default.
struct StoredTokenPolicy: Codable, Sendable {
  private var accessSeconds: Double?
  private var accessIsSliding: Bool?
  private var accessAbsoluteSeconds: Double?
  private var rotates: Bool?
  private var replaySeconds: Double?
  private var replaysUntilSuccessorIsUsed: Bool?
  /// A negative number is "never".
  private var refreshIdleSeconds: Double?
  private var refreshAbsoluteSeconds: Double?
  private var codeSeconds: Double?
  private var requiresCodeChallenge: Bool?
  private var longestCodeVerifier: Int?
  private var endsWithPassword: Bool?
  private var mostApprovals: Int?
  private var mostAccessOnlyGrants: Int?
  private var mostAccessTokens: Int?

  init(_ policy: TokenPolicy) {
    accessSeconds = policy.accessLifetime.idle.timeInterval
    accessIsSliding = policy.accessLifetime.isSliding
    if case .sliding(let idle, let absolute) = policy.accessLifetime {
      accessSeconds = idle.timeInterval
      accessAbsoluteSeconds = absolute?.timeInterval
    }
    rotates = policy.rotatesRefreshTokens
    replaySeconds = policy.replayWindow.timeInterval
    replaysUntilSuccessorIsUsed = policy.replaysUntilSuccessorIsUsed
    refreshIdleSeconds = policy.refreshIdle?.timeInterval ?? -1
    refreshAbsoluteSeconds = policy.refreshAbsolute?.timeInterval ?? -1
    codeSeconds = policy.codeLifetime.timeInterval
    requiresCodeChallenge = policy.requiresCodeChallenge
    longestCodeVerifier = policy.longestCodeVerifier
    endsWithPassword = policy.endsWithPassword
    mostApprovals = policy.mostApprovalsPerUser
    mostAccessOnlyGrants = policy.mostAccessOnlyGrantsPerUser
    mostAccessTokens = policy.mostAccessTokensPerGrant
  }

  var policy: TokenPolicy {
    var policy = TokenPolicy()
    if let accessSeconds {
      policy.accessLifetime =
        accessIsSliding == true
        ? .sliding(idle: .seconds(accessSeconds), absolute: accessAbsoluteSeconds.map { .seconds($0) })
        : .fixed(.seconds(accessSeconds))
    }
    policy.rotatesRefreshTokens = rotates ?? policy.rotatesRefreshTokens
    policy.replayWindow = replaySeconds.map { .seconds($0) } ?? policy.replayWindow
    policy.replaysUntilSuccessorIsUsed = replaysUntilSuccessorIsUsed ?? policy.replaysUntilSuccessorIsUsed
    if let refreshIdleSeconds { policy.refreshIdle = refreshIdleSeconds < 0 ? nil : .seconds(refreshIdleSeconds) }
    if let refreshAbsoluteSeconds {
      policy.refreshAbsolute = refreshAbsoluteSeconds < 0 ? nil : .seconds(refreshAbsoluteSeconds)
    }
    policy.codeLifetime = codeSeconds.map { .seconds($0) } ?? policy.codeLifetime
    policy.requiresCodeChallenge = requiresCodeChallenge ?? policy.requiresCodeChallenge
    policy.longestCodeVerifier = longestCodeVerifier ?? policy.longestCodeVerifier
    policy.endsWithPassword = endsWithPassword ?? policy.endsWithPassword
    policy.mostApprovalsPerUser = mostApprovals ?? policy.mostApprovalsPerUser
    policy.mostAccessOnlyGrantsPerUser = mostAccessOnlyGrants ?? policy.mostAccessOnlyGrantsPerUser
    policy.mostAccessTokensPerGrant = mostAccessTokens ?? policy.mostAccessTokensPerGrant
    return policy
  }
}
