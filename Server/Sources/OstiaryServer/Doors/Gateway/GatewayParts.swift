import Foundation
import OstiaryCore

/// What the door needs from the server, for as long as the server lives.
struct GatewayParts: Sendable {
  let configuration: GatewayDoorConfiguration
  let sessions: ServerSessions
  let clock: any SessionClock
  let seal = PageSeal()
  let used = OneTimeNumbers()
  let held: HeldRequests
  let names: GatewayNames
  let cookies: GatewayCookies
  let identity: GatewayIdentity
  let upstreams: GatewayUpstreams?

  /// - Parameter isSecure: Whether clients use https.
  init(_ configuration: GatewayDoorConfiguration, storage: ServerStorage, isSecure: Bool, clock: any SessionClock)
    throws
  {
    self.configuration = configuration
    self.clock = clock
    sessions = ServerSessions(storage: storage, limits: configuration.sessionLimits, clock: clock)
    held = HeldRequests(capacity: configuration.heldTotalSize)
    names = GatewayNames(configuration.style, isSecure: isSecure)
    cookies = GatewayCookies(names, isSecure: isSecure)
    identity = GatewayIdentity(configuration.identityHeaders, style: configuration.style)
    upstreams =
      configuration.junctions.isEmpty
      ? nil : try GatewayUpstreams(configuration, cookies: cookies, identity: identity)
  }

  /// The door, once its address is known.
  func door(at origin: Origin, identity: IdentityService) -> GatewayDoor {
    GatewayDoor(self, origin: origin, identity: identity)
  }

  func close() async { await upstreams?.close() }
}
