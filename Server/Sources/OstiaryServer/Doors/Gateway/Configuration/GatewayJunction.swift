public import Foundation
import OstiaryCore

/// A server behind the gateway, and the path under which it appears.
public struct GatewayJunction: Sendable, Hashable {
  /// The path in the gateway: `/app`, or `/` for all paths without a junction of their own.
  package var path: String
  /// The upstream's address: `http` or `https`, with or without a path that precedes every request's path.
  package var upstream: URL
  /// Whether the upstream gets the host that the client asked for, instead of its own.
  public var preservesHost = false

  /// Makes a junction.
  public init(path: String = "/", upstream: URL) {
    self.path = path
    self.upstream = upstream
  }

  /// The path's segments.
  var segments: [String] { path.byteParts(at: "/").filter { !$0.isEmpty }.map(String.init) }

  var problem: String? {
    // The address is not shown: it may have a password.
    guard upstream.user == nil else { return "A gateway's upstream takes no user name and password in its address." }
    guard Origin(upstream) != nil, upstream.query == nil, upstream.fragment == nil else {
      return "A gateway's upstream must look like http://127.0.0.1:9000, not “\(upstream.absoluteString)”."
    }
    guard path.hasBytePrefix("/"), path == "/" || !path.byteParts(at: "/").dropFirst().contains(where: \.isEmpty),
      segments.allSatisfy({ ![".", ".."].contains($0) }),
      path.utf8.allSatisfy({ byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
          || "-._~/".utf8.contains(byte)
      })
    else { return "A gateway's path must look like /app, not “\(path)”." }
    return nil
  }
}
