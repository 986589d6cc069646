import HTTPTypes

/// Finds the client of a request if proxies are between the client and the server.
///
/// Every proxy adds the address of *its* client to the end of `X-Forwarded-For`; the client can forge all text before
/// that. The field is therefore read from its end, and only the entries that trusted proxies have written.
struct TrustedProxies: Sendable {
  private let addresses: Set<[UInt8]>

  /// - Parameter texts: Numeric addresses; any other text is never trusted.
  init(_ texts: [String]) {
    addresses = Set(texts.compactMap { ClientAddress($0)?.bytes })
  }

  /// Whether the connection's peer is one of the proxies.
  func trust(_ peer: String) -> Bool {
    !addresses.isEmpty && ClientAddress(peer).map { addresses.contains($0.bytes) } == true
  }

  /// The address by which limits count.
  /// - Parameter peer: The address of the connection's peer.
  func client(peer: String, headers: HTTPFields) -> String {
    guard !addresses.isEmpty else { return peer }
    let hops = headers[values: .xForwardedFor].flatMap { $0.byteParts(at: ",") }
    var client = peer
    for hop in hops.reversed() {
      guard let address = ClientAddress(client), addresses.contains(address.bytes) else { break }
      let hop = String(hop.trimmingBlanks)
      guard ClientAddress(hop) != nil else { break }
      client = hop
    }
    return client
  }
}
