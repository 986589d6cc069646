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

  /// A 401 (RFC 6750 §3.1), but for one that says that the scope does not suffice, and one that asks for nothing but
  /// Basic, Digest or a desktop's sign-in: that is a proxy's. A server refuses before it acts, so any request can be sent
  /// again. One that wants the user to sign in more strongly or more recently (RFC 9470) is `Verdict.insufficient(reason:)`.
  public static let bearer = TokenJudge { response, _ in
    guard response.status == .unauthorized else { return .accepted }
    let challenges = response.head.authenticationChallenges
    let others: Set = ["basic", "digest", "negotiate", "ntlm", "kerberos"]
    if !challenges.isEmpty, challenges.allSatisfy({ others.contains($0.scheme) }) { return .accepted }
    let error = challenges.lazy.filter { !others.contains($0.scheme) }.compactMap { $0.parameters["error"] }.first
    if error == "insufficient_scope" { return .accepted }
    if error == "insufficient_user_authentication" {
      return .insufficient(reason: "The server wants the user to sign in more strongly or more recently.")
    }
    return .rejected(
      reason: error == "invalid_token"
        ? "The server says that the access token is not valid." : "The server answered 401 to the access token.",
      mayHaveExecuted: false)
  }
}
