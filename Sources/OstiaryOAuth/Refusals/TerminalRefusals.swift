/// The refusals that are an authorization server's definite word, each with the reason why it is one. Nothing else ends a
/// session or makes an app ask its user again.
///
/// They count only in an answer with a 4xx status other than 407, 408, 425 and 429 (or 200, which some servers send with
/// errors) and a body that is one. Never terminal are: a network that is down, a time-out, a redirect, a page, JSON of
/// an unknown form, a 429, a 5xx with any body, `temporarily_unavailable`, `server_error`, and every code that is not
/// listed. What is wrong with the client alone (`invalid_client`, `invalid_request`, `invalid_scope`, `invalid_target`,
/// `unsupported_grant_type`) ends no session either: it is the same for every user, asking them again can't help, and
/// mending the registration makes their sessions good again.
///
/// A server that has more to say gets a list of its own:
///
/// ```swift
/// client.terminalRefusals[.init("inactive_user")] = "The server says that the account is not active."
/// ```
public struct TerminalRefusals: Sendable, Hashable {
  private var reasons: [OAuthRefusal.Code: String]
  /// Parts of the server's words, compared without regard to case, with which a refusal says nothing for good: the
  /// server names the right code for a passing trouble.
  public var passingExplanations: [String] = []

  /// Further words beside the code with which a refusal says nothing for good (`suberror`).
  public var passingSuberrors: Set<String> = []

  /// Makes a list.
  public init(_ reasons: [OAuthRefusal.Code: String]) {
    self.reasons = reasons
  }

  /// The reason why a code is terminal, or `nil` when it is not.
  public subscript(code: OAuthRefusal.Code) -> String? {
    get { reasons[code] }
    set { reasons[code] = newValue }
  }

  /// The codes on the list.
  public var codes: Set<OAuthRefusal.Code> { Set(reasons.keys) }

  /// What RFC 6749, RFC 8628 and OpenID Connect define.
  public static let standard = TerminalRefusals([
    // The one that says what it is about: the grant itself is invalid, expired, revoked or another client's.
    .invalidGrant: "The server says that the grant is invalid, expired or revoked.",
    // The client is known and may not do this any more; the grant is of no use to it.
    .unauthorizedClient: "The server says that this client may not use such a grant any more.",
    // A person, or a policy, has looked at it and said no.
    .accessDenied: "Access was denied.",
    // A device code's time is up; a new one is needed.
    .expiredToken: "The code has expired.",
    // The server names the user as the only one who can go on.
    .interactionRequired: "The server needs the user before it goes on.",
    .loginRequired: "The server wants the user to sign in again.",
    .consentRequired: "The server wants the user's consent.",
    .accountSelectionRequired: "The server wants the user to choose an account.",
  ])

  /// Why a refusal is terminal, or `nil` when it isn't.
  func reason(for refusal: OAuthRefusal) -> String? {
    guard let reason = reasons[refusal.code] else { return nil }
    if let suberror = refusal.suberror, passingSuberrors.contains(suberror) { return nil }
    if let words = refusal.explanation?.lowercased(),
      passingExplanations.contains(where: { words.contains($0.lowercased()) })
    {
      return nil
    }
    return reason
  }
}
