/// What a device's poll is answered with (RFC 8628 §3.5).
public enum DeviceDecision: Sendable {
  /// Somebody has let it in. The device code is spent.
  case issued(IssuedTokens)
  /// Nobody has decided yet.
  case pending
  /// The device polls too often; from now on it has to wait this long.
  case slowDown(interval: Duration)
  /// Somebody has said no. The device code is spent.
  case denied
  /// Nobody has decided in time.
  case expired
  /// Anything else: an unknown or spent code, another client's, a user or client kept out meanwhile.
  case refused(TokenRefusal)
}
