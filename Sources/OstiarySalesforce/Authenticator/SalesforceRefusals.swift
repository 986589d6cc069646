internal import Foundation
internal import HTTPTypes
internal import OstiaryCore
public import OstiaryOAuth

extension TokenJudge {
  /// What Salesforce refuses a session with: a 401 that names `INVALID_SESSION_ID` or `Bad_OAuth_Token` in its body, or
  /// `invalid_token` in its challenge (RFC 6750 §3.1), and a 403 of the identity and OAuth services that says
  /// `Bad_OAuth_Token`. A 401 that says neither what it is about nor that it is a proxy's makes the identity service be asked.
  /// A 403 for a limit that is reached or a permission that is missing is the application's business. Salesforce refuses
  /// before it acts.
  public static let salesforce = TokenJudge { response, request in
    mayRefuse(response.head, request) ? SalesforceFailure.maximumSize : 0
  } judge: { response, request in
    guard mayRefuse(response.head, request) else { return .accepted }
    let codes = SalesforceFailure(response)?.codes ?? []
    if codes.contains(SalesforceFailure.badOAuthToken) {
      return .rejected(reason: "The server says that the access token is not good.", mayHaveExecuted: false)
    }
    guard response.status == .unauthorized else { return .accepted }
    if codes.contains(SalesforceFailure.invalidSessionID) {
      return .rejected(reason: "The server says that the session is expired or invalid.", mayHaveExecuted: false)
    }
    // Another code is another matter.
    guard codes.isEmpty else { return .accepted }
    let verdict = TokenJudge.bearer.judge(response, request)
    guard case .rejected(let reason, let mayHaveExecuted) = verdict,
      !response.head.authenticationChallenges.contains(where: {
        ["bearer", "dpop"].contains($0.scheme) && $0.parameters["error"] == "invalid_token"
      })
    else { return verdict }
    return .doubtful(reason: reason, mayHaveExecuted: mayHaveExecuted)
  }

  private static func mayRefuse(_ response: HTTPResponse, _ request: TransportRequest) -> Bool {
    switch response.status {
    case .unauthorized: true
    case .forbidden:
      // Below a community's path, too.
      request.head.path.map { $0.contains("/services/oauth2/") || $0.contains("/id/") } ?? false
    default: false
    }
  }
}

extension TerminalRefusals {
  /// What is a Salesforce server's definite word: the standard's list, and `inactive_user`, for an account that was frozen
  /// or deactivated and whose tokens are of no use to it. `access_denied` counts in its other spelling, too, which some of
  /// the server's pages use.
  ///
  /// `invalid_grant` says nothing for good when its words are about another renewal of the same token that is still
  /// under way, or about an address or an hour at which the org lets no user in. `inactive_org`, `rate_limit_exceeded`
  /// and the codes for a wrong client are not on the list: they are the same for every user, and asking them again
  /// can't help.
  public static let salesforce: TerminalRefusals = {
    var refusals = TerminalRefusals.standard
    refusals[.accessDeniedWithHyphen] = "Access was denied."
    refusals[.inactiveUser] = "The server says that the account is not active."
    refusals.passingExplanations = ["already being processed", "ip restricted", "invalid login hours"]
    return refusals
  }()
}

extension OAuthRefusal.Code {
  /// The account is frozen or deactivated.
  public static let inactiveUser = Self("inactive_user")
  /// The org is locked, closed or suspended.
  public static let inactiveOrg = Self("inactive_org")
  /// Too many sign-ins.
  public static let rateLimitExceeded = Self("rate_limit_exceeded")
  /// The connected app's consumer key is not known.
  public static let invalidClientID = Self("invalid_client_id")
}
