import OstiaryCore

/// Who a request is from, as far as its cookies say.
enum GatewayVisitor: Sendable {
  /// A user, and what the session was proved with.
  case user(User, proof: Secret)
  /// Nobody has signed in.
  case nobody
  /// Somebody whose session is over, or was never one.
  case stale

  var user: User? { if case .user(let user, _) = self { user } else { nil } }
  var isStale: Bool { if case .stale = self { true } else { false } }
}
