public import OstiaryCore

/// Sessions one behind the other: gateways outside, what stands behind them inside, each with a life of its own.
///
/// ```swift
/// let stack = try GatewayStack(over: network, [
///   { SessionManager(authenticator: gateway, transport: $0, credentials: …) },
///   { SessionManager(authenticator: api, transport: $0, credentials: …) },
/// ])
/// let response = try await stack.transport.send(request)
/// await stack.signOut()
/// ```
public struct GatewayStack: Sendable {
  /// The sessions, the outermost first.
  public let layers: [SessionManager]
  /// Sends requests through all layers.
  public let transport: any Transport

  /// Stacks sessions.
  /// - Parameters:
  ///   - network: the way to the outermost gateway.
  ///   - makers: make the sessions, the outermost first, each with the transport that it has to use.
  /// - Throws: what they throw.
  public init(over network: any Transport, _ makers: [(any Transport) throws -> SessionManager]) throws {
    var layers: [SessionManager] = []
    var transport = network
    for make in makers {
      let manager = try make(transport)
      layers.append(manager)
      transport = AuthenticatedTransport(manager, over: transport)
    }
    self.layers = layers
    self.transport = transport
  }

  /// Signs out of all layers from the inside out: the way to an inner server leads through the gateways, which have to
  /// let the sign-out pass.
  /// - Returns: the report of each layer, the outermost first. The user is signed out here in any case.
  @discardableResult
  public func signOut() async -> [SignOutReport] {
    var reports: [SignOutReport] = []
    for layer in layers.reversed() { reports.append(await layer.signOut()) }
    return reports.reversed()
  }

  /// Ends every sign-in under way. See ``/OstiaryCore/SessionManager/cancelSignIn()``.
  public func cancelSignIns() {
    for layer in layers { layer.cancelSignIn() }
  }
}
