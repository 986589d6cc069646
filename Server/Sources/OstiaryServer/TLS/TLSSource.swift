/// Where the server's certificate comes from.
public enum TLSSource: Sendable, Hashable {
  /// PEM files: the certificate, followed by the intermediate ones, and its private key.
  case files(certificate: String, key: String)
  /// A certificate for `localhost`, `127.0.0.1` and `::1` from an authority that the server makes for itself and stores
  /// in its data folder. For development: a client must be configured to trust the authority.
  case developmentAuthority
}
