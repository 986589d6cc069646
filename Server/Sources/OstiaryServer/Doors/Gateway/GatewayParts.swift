import Foundation
import Logging
import OstiaryCore

/// The parts of the server that the door uses, for the lifetime of the server.
struct GatewayParts: Sendable {
  let configuration: GatewayDoorConfiguration
  let sessions: ServerSessions
  let clock: any SessionClock
  let seal: PageSeal
  /// The login forms that were sent.
  let used: OneTimeNumbers
  let held: HeldRequests
  let heldPerAddress: Int
  let names: GatewayNames
  let cookies: GatewayCookies
  let identity: GatewayIdentity
  let upstreams: GatewayUpstreams?

  /// - Parameters:
  ///   - isSecure: Whether clients use https.
  ///   - serverCookies: The cookies of every door that is open.
  init(
    _ configuration: GatewayDoorConfiguration, storage: ServerStorage, isSecure: Bool,
    serverCookies: ServerCookieNames, clock: any SessionClock, logger: Logger
  ) throws {
    self.configuration = configuration
    self.clock = clock
    seal = PageSeal(storage.key, of: "gateway")
    sessions = ServerSessions(
      storage: storage, limits: configuration.sessionLimits, clock: clock, purpose: "gateway")
    // Room for a few of the longest; a sealed form is a third longer.
    heldPerAddress = max(configuration.heldTotalSize / 16, configuration.heldBodySize * 2)
    used = OneTimeNumbers(storage, of: "gateway form")
    held = HeldRequests(storage, capacity: configuration.heldTotalSize, addressCapacity: heldPerAddress, seal: seal)
    names = GatewayNames(configuration.style, isSecure: isSecure)
    cookies = GatewayCookies(names, isSecure: isSecure)
    identity = GatewayIdentity(configuration.identityHeaders, style: configuration.style)
    upstreams =
      configuration.junctions.isEmpty
      ? nil : try GatewayUpstreams(configuration, cookies: serverCookies, identity: identity, logger: logger)
  }

  /// The door, once its address is known.
  /// - Parameter admitsSelfMade: Whether accounts that people make themselves may pass; see `GatewayAdmission`.
  func door(at origin: Origin, identity: IdentityService, admitsSelfMade: Bool) -> GatewayDoor {
    GatewayDoor(self, origin: origin, identity: identity, admitsSelfMade: admitsSelfMade)
  }

  func close() async { await upstreams?.close() }
}

/// The sender of a request, according to its cookies.
enum GatewayVisitor: Sendable {
  /// A user, and the session's proof.
  case user(User, proof: Secret)
  /// The request has no session.
  case nobody
  /// The request names an ended or unknown session.
  case stale

  var user: User? { if case .user(let user, _) = self { user } else { nil } }
  var isStale: Bool { if case .stale = self { true } else { false } }
}
