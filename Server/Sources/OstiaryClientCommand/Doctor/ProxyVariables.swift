internal import Foundation
internal import OstiaryCore

/// What the environment's variables say of proxies. The command's transport takes no notice of them (it makes every connection
/// itself), which is worth saying where a network has no other way out.
struct ProxyVariables: Sendable, Equatable {
  /// The variables that name a proxy for the server, as they are spelt.
  let names: [String]
  /// The proxy's host and port, without user and password, if they can be told.
  let proxy: String?
  /// Whether `NO_PROXY` excepts the server, or the server is on this machine.
  let isExcepted: Bool

  /// - Parameter server: the server's origin; `nil` to look at the variables for any.
  init(_ variables: [String: String], for server: Origin?) {
    func given(_ name: String) -> [String] { [name, name.lowercased()].filter { variables[$0]?.isEmpty == false } }
    let kinds = server.map { $0.isSecure ? ["HTTPS_PROXY", "ALL_PROXY"] : ["HTTP_PROXY", "ALL_PROXY"] }
    names = (kinds ?? ["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY"]).flatMap(given)
    proxy = names.first.flatMap { variables[$0] }.flatMap(Self.authority)
    let exceptions = given("NO_PROXY").flatMap { variables[$0]?.split(whereSeparator: { ", ".contains($0) }) ?? [] }
    isExcepted =
      server.map { server in
        server.isLoopback || exceptions.contains { Self.excepts(String($0).lowercased(), server.host.lowercased()) }
      } ?? false
  }

  private static func authority(of value: String) -> String? {
    let address = value.contains("://") ? value : "http://\(value)"
    guard let url = URL(string: address), let host = url.host(), !host.isEmpty else { return nil }
    return url.port.map { "\(host):\($0)" } ?? host
  }

  private static func excepts(_ exception: String, _ host: String) -> Bool {
    let name = exception.split(separator: ":").first.map(String.init) ?? exception
    if name == "*" { return true }
    let domain =
      name.hasPrefix("*.") ? String(name.dropFirst(2)) : name.hasPrefix(".") ? String(name.dropFirst()) : name
    return !domain.isEmpty && (host == domain || host.hasSuffix(".\(domain)"))
  }
}
