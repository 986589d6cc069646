import HTTPTypes

/// The fields in which a proxy reports the request that it received. They are believed from a trusted proxy alone
/// (``DoorRequest/isFromTrustedProxy``).
///
/// RFC 7239 has one field; the others are older and more usual. A name that is no field's would be one that no proxy sends.
extension HTTPField.Name {
  /// The addresses of the client and of the proxies on the way, the nearest at the end.
  static let xForwardedFor = HTTPField.Name("X-Forwarded-For") ?? .forwarded
  /// `http` or `https`.
  static let xForwardedProto = HTTPField.Name("X-Forwarded-Proto") ?? .forwarded
  /// The host and port that the client asked for.
  static let xForwardedHost = HTTPField.Name("X-Forwarded-Host") ?? .forwarded
  /// The path that the proxy has removed from the front of the target.
  static let xForwardedPrefix = HTTPField.Name("X-Forwarded-Prefix") ?? .forwarded
  /// The target that the client asked for: path and query.
  static let xForwardedURI = HTTPField.Name("X-Forwarded-Uri") ?? .forwarded
  /// The method of the client's request.
  static let xForwardedMethod = HTTPField.Name("X-Forwarded-Method") ?? .forwarded
  /// As ``xForwardedMethod``, from nginx's customary configuration.
  static let xOriginalMethod = HTTPField.Name("X-Original-Method") ?? .forwarded
  /// The whole URL of the client's request, from nginx's customary configuration.
  static let xOriginalURL = HTTPField.Name("X-Original-URL") ?? .forwarded
  /// RFC 7239, section 4.
  static let forwarded = HTTPField.Name("Forwarded") ?? .referer
}
