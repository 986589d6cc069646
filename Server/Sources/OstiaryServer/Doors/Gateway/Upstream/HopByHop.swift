import HTTPTypes

/// Fields that are about one connection and never travel on (RFC 9110 §7.6.1).
enum HopByHop {
  private static let always: Set<String> = [
    "connection", "keep-alive", "proxy-connection", "proxy-authenticate", "proxy-authorization", "te", "trailer",
    "transfer-encoding", "upgrade", "http2-settings",
  ]

  /// The names, in lower case, that must not travel on with these fields: the usual ones and those that `Connection` lists.
  static func names(connection: [String]) -> Set<String> {
    guard !connection.isEmpty else { return always }
    return always.union(connection.flatMap { $0.split(separator: ",") }.map { $0.trimmingBlanks.lowercased() })
  }
}
