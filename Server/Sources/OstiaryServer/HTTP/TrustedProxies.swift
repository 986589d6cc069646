import HTTPTypes

/// Finds out whose request it is when proxies stand between the client and the server.
///
/// Every proxy adds the address that *it* was asked from to the end of `X-Forwarded-For`; what stands before that is the
/// client's own invention. So the field is read from its end, and only as far as trusted proxies have written it.
struct TrustedProxies: Sendable {
  private static let field = HTTPField.Name("X-Forwarded-For")
  private let addresses: Set<[UInt8]>

  /// - Parameter texts: Numeric addresses; anything else is trusted by nobody.
  init(_ texts: [String]) {
    addresses = Set(texts.compactMap { ClientAddress($0)?.bytes })
  }

  /// Whether the connection's other end is one of the proxies.
  func trust(_ peer: String) -> Bool {
    !addresses.isEmpty && ClientAddress(peer).map { addresses.contains($0.bytes) } == true
  }

  /// The address that limits are counted by.
  /// - Parameter peer: The address of the connection's other end.
  func client(peer: String, headers: HTTPFields) -> String {
    guard !addresses.isEmpty, let field = Self.field else { return peer }
    let hops = headers[values: field].flatMap { $0.byteParts(at: ",") }
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
