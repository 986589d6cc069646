public import Foundation

/// How a session at a gateway is ended there.
public enum GatewayLogout: Sendable, Hashable {
  /// The gateway knows no way; its session runs out by itself.
  case none
  /// An address is fetched: WebSEAL's `/pkmslogout`.
  case visit(URL)
  /// A form is fetched and sent as it is, hidden fields included: gateways that guard their logout with a token.
  case submitForm(at: URL)
}
