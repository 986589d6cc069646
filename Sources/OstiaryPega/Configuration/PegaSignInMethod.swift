/// How a user name and password travel to a Pega server.
public enum PegaSignInMethod: String, Sendable, Hashable, Codable, CaseIterable {
  /// In the `Authorization` field (RFC 7617, UTF-8). It can't carry a user name with a colon.
  case basic
  /// In the address, the password in Base64. Addresses end up in logs of servers and proxies: only for a server that
  /// accepts nothing else.
  case query
  /// As a browser would: in the server's login form.
  case form
}
