/// The limits of connections and requests, computed once when the server starts.
struct ConnectionLimits: Sendable, Hashable {
  /// The default where the machine allows it.
  static let standardConnections = 4096
  private static let fewestPerAddress = 8

  /// The most connections at a time.
  let connections: Int
  /// The most connections from one address.
  let perAddress: Int
  /// The most requests under way for one client.
  let requestsPerClient: Int

  init(_ limits: HTTPLimits, descriptors: DescriptorLimit) {
    connections = max(1, min(limits.connections ?? Self.standardConnections, descriptors.connections))
    perAddress = limits.connectionsPerAddress ?? max(Self.fewestPerAddress, connections / 4)
    requestsPerClient = limits.requestsPerClient ?? perAddress
  }
}
