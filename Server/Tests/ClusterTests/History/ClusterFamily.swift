/// What a history says of one family of refresh tokens: everything since a code was redeemed.
struct ClusterFamily {
  let client: Int
  let code: String
  let began: Double
  /// What was shown of it, in the order in which the requests began.
  var events: [ClusterEvent] = []
  /// The successors that each refresh token has had.
  var successors: [String: Set<String>] = [:]
  /// When each access token was first given.
  var accessTokens: [String: Double] = [:]
  /// When something first asked for its end.
  private(set) var askedToEnd = Double.infinity
  /// When it was known to have ended.
  private(set) var ended = Double.infinity

  init(client: Int, code: String, began: Double) {
    (self.client, self.code, self.began) = (client, code, began)
  }

  /// Notes something that may end the family: a revocation, or a second use of its code.
  mutating func mayEnd(from time: Double) { askedToEnd = min(askedToEnd, time) }

  /// Notes that it has ended by then.
  mutating func hasEnded(by time: Double) { ended = min(ended, time) }

  /// Whether something may have ended it before `time`.
  func mayHaveEnded(by time: Double) -> Bool { askedToEnd < time }

  /// Whether a refresh that began before `time`, and after an access token was given, may have replaced it.
  func mayBeReplaced(_ accessToken: String, by time: Double) -> Bool {
    guard let given = accessTokens[accessToken] else { return true }
    return events.contains { $0.action == .refresh && $0.end > given && $0.begin < time }
  }

  /// Whether the token may have a successor that no client has seen.
  func mayHaveUnseenSuccessor(_ refreshToken: String) -> Bool {
    events.contains { $0.action == .refresh && $0.token == refreshToken && $0.outcome.isUncertain }
  }

  /// Whether a refresh token was given in one of some intervals.
  func wasGiven(_ refreshToken: String, in intervals: [ClosedRange<Double>]) -> Bool {
    events.contains { event in
      guard case .issued(_, let refresh) = event.outcome, refresh == refreshToken else { return false }
      return intervals.contains { $0.contains(event.end) }
    }
  }
}
