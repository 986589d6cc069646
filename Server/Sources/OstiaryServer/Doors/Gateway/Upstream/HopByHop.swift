import HTTPTypes

/// Fields that are about one connection and never travel on (RFC 9110 §7.6.1).
struct HopByHop: Sendable {
  private static let always: Set<String> = [
    "connection", "keep-alive", "proxy-connection", "proxy-authenticate", "proxy-authorization", "te", "trailer",
    "transfer-encoding", "upgrade", "http2-settings",
  ]

  private let names: Set<String>

  /// - Parameter connection: The values of `Connection`, which lists further ones.
  init(connection: [String]) {
    names =
      connection.isEmpty
      ? Self.always : Self.always.union(connection.flatMap(\.listElements).map { FieldNames.normalized($0) })
  }

  /// Whether a field stays behind, by its name as ``FieldNames/normalized(_:)`` makes it.
  func contains(_ normalized: String) -> Bool { names.contains(normalized) }
}
