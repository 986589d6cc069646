import Foundation
import HTTPTypes
import OstiaryCore

/// The door that an app with Primer's SDK talks to: it delivers experiences, takes events and identities and, as the app's
/// own backend would, judges what users enter.
///
/// The vendor never published its protocol; this one is Ostiary's, as the drop-in module `Primer` speaks it. The backend
/// says whether an e-mail address is taken, as the backends of such apps do; the server's own pages hide it.
public struct PrimerDoor: Door {
  package let name = "primer"
  package let title = "Primer (onboarding)"

  /// Where everything of this door begins.
  static let path = "/primer"

  /// An app, as the door looks for it.
  struct Client: Sendable {
    let token: String
    /// What its events and identities are kept under.
    let key: Data
    let experiences: [PrimerExperience]
  }

  let configuration: PrimerDoorConfiguration
  let origin: Origin
  let identity: IdentityService
  let records: PrimerRecords
  /// What a recovery goes by; nothing on a server without accounts of its own.
  let flows: FlowService?
  let offersSignUp: Bool
  /// Whether the app's backend is there for whoever can reach the server.
  let hasBackend: Bool
  let clients: [Client]
  /// Counts, for each address, what tells whether an account exists and what makes one.
  let askers: AddressThrottle

  init(
    configuration: PrimerDoorConfiguration, origin: Origin, identity: IdentityService, flows: FlowService?,
    offersSignUp: Bool, isForThisMachineOnly: Bool
  ) {
    self.configuration = configuration
    self.origin = origin
    self.identity = identity
    self.flows = flows
    self.offersSignUp = offersSignUp
    records = PrimerRecords(storage: identity.storage, configuration: configuration)
    hasBackend =
      switch configuration.backend {
      case .none: false
      case .onThisMachine: isForThisMachineOnly
      case .everywhere: true
      }
    clients = configuration.apps.map { app in
      let token = app.token ?? PrimerApp.madeToken(identity.storage.key)
      return Client(
        token: token, key: PrimerRecords.key(ofToken: token),
        experiences: app.experiences.compactMap { PrimerExperience($0) })
    }
    var limits = LoginLimits.standard
    limits.addressBurst = 60
    limits.addressInterval = .seconds(5)
    askers = AddressThrottle(limits: limits)
  }

  package var address: String { origin.description + Self.path }

  /// Where the first app's experiences are.
  package var experienceAddress: String { address + "/v1/experience" }

  /// Whether the first app's experience is the one that comes with the server.
  package var isStarter: Bool { clients.first?.experiences.map(\.body) == [Array(StarterExperience.document)] }

  /// Where the app's backend is: `/login`, `/signup`, `/recover` and `/validate` below it. Nil where it is closed.
  package var backendAddress: String? { hasBackend ? address : nil }

  /// What the first app shows (`X-Primer-Token`). Every copy of an app has it, so it is no secret.
  package var token: String { clients.first?.token ?? "" }

  package func signIn(as username: String) -> String {
    let type = "-H 'Content-Type: application/json'"
    guard hasBackend,
      let body = try? DoorResponse.json(.object(["email": .string(username), "password": "PASSWORD"])).body
    else { return "curl -H \("X-Primer-Token: \(token)".shellWord) '\(address)/v1/experience?type=login'" }
    return "curl \(type) -d \(String(decoding: body, as: UTF8.self).shellWord) \(address)/login"
  }

  package var routes: [Route] {
    var routes = [
      Route(Self.path + "/v1/experience", [.get: answering(deliver)]),
      Route(Self.path + "/v1/events", [.post: answering(takeEvents)]),
      Route(Self.path + "/v1/users/:anonymous/identify", [.post: answering(identify)]),
    ]
    guard hasBackend else { return routes }
    routes += [
      Route(Self.path + "/login", [.post: answering(logIn)]),
      Route(Self.path + "/signup", [.post: answering(signUp)]),
      Route(Self.path + "/recover", [.post: answering(recover)]),
      Route(Self.path + "/validate", [.post: answering(validate)]),
    ]
    return routes
  }

  /// Turns a refusal into its answer.
  private func answering(_ handler: @escaping Route.Handler) -> Route.Handler {
    { request in
      do {
        return try await handler(request)
      } catch let refusal as PrimerRefusal {
        if let event = refusal.event { try await identity.storage.noteRefusal(event, at: now) }
        return try refusal.response
      }
    }
  }

  var now: Date { identity.clock.now }

  /// The app that asks.
  /// - Throws: `PrimerRefusal` where it is none of this server's.
  func client(of request: DoorRequest) throws(PrimerRefusal) -> Client {
    let given = Array((request.headers["X-Primer-Token"] ?? "").utf8)
    // All are looked at, so that the time says nothing about which is like it.
    let known = clients.filter { ConstantTime.isEqual($0.token.utf8, given) }
    guard let client = known.first else {
      throw PrimerRefusal(.unauthorized, "This is no token of an app that this server knows.")
        .telling(AuditEvent(.clientRefused, .unknown))
    }
    return client
  }

  /// The members of a JSON body. A page of another site can send every other type without being asked back (OWASP ASVS 5.0
  /// §3.5.2).
  func members(of request: DoorRequest) throws(PrimerRefusal) -> [String: JSONValue] {
    guard !request.isFromOtherSite(than: [origin]) else {
      throw PrimerRefusal(.forbidden, FlowIssue(.requestForged)).telling(AuditEvent(.formRefused, .forged))
    }
    let type = request.mediaType
    guard type == "application/json" else { throw PrimerRefusal(.unsupportedMediaType, FlowIssue(.requestType)) }
    guard let members = JSONValue(json: Data(request.body))?.object else {
      throw PrimerRefusal(.badRequest, FlowIssue(.requestMalformed))
    }
    return members
  }
}
