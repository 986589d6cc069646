import OstiaryCore

/// Where a server answers those who watch it: `/healthz`, `/readyz` and `/metrics`.
///
/// Clients never see it: it has a socket of its own, for this machine only.
public enum OperationsAddress: Sendable, Hashable {
  /// Nowhere.
  case off
  /// A port of an address of this machine; 0 takes a free one.
  case address(host: String, port: Int)
  /// A socket in the file system, which only the server's user may use.
  case socket(path: String)

  /// The longest path that every system takes for a socket.
  private static let longestPath = 103

  /// The address of a text such as `127.0.0.1:9400`, `unix:/run/ostiary/operations` or `off`; nil for another text.
  package init?(_ text: String) {
    if text == "off" {
      self = .off
    } else if text.hasPrefix("unix:") {
      let path = String(text.dropFirst(5))
      guard !path.isEmpty else { return nil }
      self = .socket(path: path)
    } else {
      guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
        colon > text.startIndex
      else { return nil }
      self = .address(host: String(text[..<colon]), port: port)
    }
  }

  /// The host without the brackets of an IPv6 address.
  static func bare(_ host: String) -> String {
    host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
  }

  /// - Parameters:
  ///   - isAllowedAnywhere: Whether other machines may reach it.
  ///   - clients: The address of the server's clients.
  func problems(isAllowedAnywhere: Bool, clients: (host: String, port: Int)) -> [String] {
    switch self {
    case .off: return []
    case .socket(let path):
      return path.utf8.count > Self.longestPath || path.utf8.contains(0)
        ? ["The path of the socket for operations must have \(Self.longestPath) bytes at most."] : []
    case .address(let host, let port):
      guard (0...65535).contains(port) else { return ["\(port) is not a port for operations: use 0 to 65535."] }
      let bare = Self.bare(host)
      guard let origin = Origin(scheme: "http", host: bare, port: nil) else {
        return ["“\(host)” is no address to listen on for operations."]
      }
      if port == clients.port, port != 0, bare == Self.bare(clients.host) {
        return ["The listener for operations needs a port of its own: clients must not reach it."]
      }
      if !origin.isLoopback, !isAllowedAnywhere {
        return ["The listener for operations is for this machine only: use 127.0.0.1 or a socket, not \(host)."]
      }
      return []
    }
  }
}
