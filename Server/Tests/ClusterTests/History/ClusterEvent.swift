/// One request of a client of a cluster, as it was seen on the wire.
struct ClusterEvent: Sendable, Codable, Equatable {
  enum Action: String, Sendable, Codable {
    /// A name and a password for a code.
    case authorize
    /// A code for tokens.
    case redeem
    /// A refresh token for newer tokens.
    case refresh
    /// An access token, shown to the server's API.
    case call
    /// A question about a token.
    case introspect
    /// The same at the end, when the cluster has recovered.
    case probe
    case revoke
  }

  enum Outcome: Sendable, Codable, Equatable {
    case coded(String)
    case issued(access: String, refresh: String)
    /// 200; of a question: the token is active.
    case accepted
    /// The server's definite word: 400, 401 or 403; of a question: the token is not active.
    case refused(status: Int)
    /// 503. Whether something has happened is not known.
    case unavailable(saysWhen: Bool)
    /// No answer, or not the whole of it.
    case lost
    /// Any other status.
    case fault(status: Int)

    /// Whether the server may have done what it was asked to, or not.
    var isUncertain: Bool {
      switch self {
      case .unavailable, .lost, .fault: true
      case .coded, .issued, .accepted, .refused: false
      }
    }
  }

  var client: Int
  /// The node that was asked.
  var node: Int
  var action: Action
  /// What was shown: a name, a code, a refresh token or an access token.
  var token: String
  /// Seconds since the history began.
  var begin: Double
  var end: Double
  var outcome: Outcome
}

extension ClusterEvent: CustomStringConvertible {
  var description: String {
    let words =
      switch outcome {
      case .coded: "code"
      case .issued(let access, let refresh): "issued \(Self.short(access)), \(Self.short(refresh))"
      case .accepted: "accepted"
      case .refused(let status): "refused (\(status))"
      case .unavailable(let saysWhen): saysWhen ? "unavailable" : "unavailable, without Retry-After"
      case .lost: "lost"
      case .fault(let status): "fault \(status)"
      }
    let span = "\(Self.time(begin))…\(Self.time(end))"
    return "[\(span)] client \(client), node \(node): \(action.rawValue) \(Self.short(token)) → \(words)"
  }

  /// Enough of a token to tell it from others.
  private static func short(_ token: String) -> String { String(token.suffix(14)) }

  private static func time(_ seconds: Double) -> String { "\((seconds * 1000).rounded() / 1000)" }
}

/// A session of the SDK that has ended other than by the client's own wish.
struct ClusterSignOut: Sendable, Codable, Equatable {
  var client: Int
  var time: Double
  var cause: String
}

/// Everything that the clients of a cluster have seen.
struct ClusterHistory: Sendable, Codable, Equatable {
  var events: [ClusterEvent] = []
  var signOuts: [ClusterSignOut] = []
}
