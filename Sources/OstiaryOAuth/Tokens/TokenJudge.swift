internal import HTTPTypes
public import OstiaryCore

/// Says which of a server's answers refuse the access token. An open set: servers have their own ways.
///
/// It must be quick, and must say yes only to what is clearly about the token: a permission that is missing, a limit
/// that is reached or a server that fails is not mended by newer tokens.
public struct TokenJudge: Sendable {
  /// What an answer means.
  public let judge: @Sendable (TransportResponse, TransportRequest) -> Verdict
  /// How much of a streamed answer's body it has to see, in bytes.
  public let bodyNeeded: @Sendable (StreamingResponse, TransportRequest) -> Int

  /// Makes a judge.
  /// - Parameters:
  ///   - bodyNeeded: how much of a streamed answer's body it has to see, in bytes.
  ///   - judge: what an answer means.
  public init(
    bodyNeeded: @escaping @Sendable (StreamingResponse, TransportRequest) -> Int = { _, _ in 0 },
    judge: @escaping @Sendable (TransportResponse, TransportRequest) -> Verdict
  ) {
    self.bodyNeeded = bodyNeeded
    self.judge = judge
  }

  /// A 401 whose challenge says that it is about the token: `error="invalid_token"`, or the schemes of tokens themselves, `Bearer`
  /// (RFC 6750 §3) and `DPoP` (RFC 9449 §7.1), but for one that says that the scope does not suffice. A server refuses before it acts,
  /// so any request can be sent again. One that wants the user to sign in more strongly or more recently (RFC 9470) is
  /// `Verdict.insufficient(reason:)`.
  ///
  /// A 401 without such a challenge may be a portal's, though a server that breaks the rule (RFC 9110 §11.6.1) sends it too: it is
  /// `Verdict.doubtful(reason:mayHaveExecuted:)`, and the server is asked. One that asks for nothing but Basic, Digest or a
  /// desktop's sign-in is a proxy's.
  public static let bearer = TokenJudge { response, _ in Self.judge(response.head, unmarked: Verdict.doubtful) }

  /// The same, for servers whose every 401 is about the token, marked or not. Its price: a portal's 401 counts as the server's, and
  /// ends a session that has no refresh token.
  public static let anyUnauthorized = TokenJudge { response, _ in Self.judge(response.head, unmarked: Verdict.rejected)
  }

  private static func judge(
    _ response: HTTPResponse, unmarked: (_ reason: String, _ mayHaveExecuted: Bool) -> Verdict
  ) -> Verdict {
    guard response.status == .unauthorized else { return .accepted }
    let challenges = response.authenticationChallenges
    let others: Set = ["basic", "digest", "negotiate", "ntlm", "kerberos"]
    if !challenges.isEmpty, challenges.allSatisfy({ others.contains($0.scheme) }) { return .accepted }
    let tokens = challenges.filter { !others.contains($0.scheme) }
    switch tokens.lazy.compactMap({ $0.parameters["error"] }).first {
    case "invalid_token":
      return .rejected(reason: "The server says that the access token is not valid.", mayHaveExecuted: false)
    case "insufficient_scope": return .accepted
    // The server wants proof that this session has not. Newer tokens would be refused as well.
    case DPoPRefusal.useNonce.rawValue?, DPoPRefusal.invalidProof.rawValue?:
      return .obstructed(.proofRefused("this session has no key"))
    case "insufficient_user_authentication":
      return .insufficient(reason: "The server wants the user to sign in more strongly or more recently.")
    default:
      let reason = "The server answered 401 to the access token."
      let isMarked = tokens.contains { ["bearer", "dpop"].contains($0.scheme) }
      return isMarked ? .rejected(reason: reason, mayHaveExecuted: false) : unmarked(reason, false)
    }
  }
}
