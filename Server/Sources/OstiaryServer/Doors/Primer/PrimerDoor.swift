import Foundation
import HTTPTypes
import OstiaryCore

/// The door for apps with Primer's SDK. It delivers experiences, takes events and identities and, like the app's own
/// backend, validates the users' input.
///
/// The vendor never published its protocol; this one is Ostiary's, which the drop-in module `Primer` uses. The backend
/// tells whether an e-mail address is taken, as the backends of such apps do; the server's own pages hide it.
public struct PrimerDoor: Door {
  package let name = "primer"
  package let title = "Primer (onboarding)"

  /// The path below which all routes of this door are.
  static let path = "/primer"

  /// An app, as the door finds it.
  struct Client: Sendable {
    let token: String
    /// Those that it had before.
    let formerTokens: [String]
    /// The key under which its events and identities are stored.
    let key: Data
    let experiences: [PrimerExperience]
  }

  let configuration: PrimerDoorConfiguration
  let origin: Origin
  let identity: IdentityService
  let records: PrimerRecords
  /// The flows that a recovery uses; nil on a server without accounts of its own.
  let flows: FlowService?
  let offersSignUp: Bool
  /// Whether the app's backend is open to every client that can reach the server.
  let hasBackend: Bool
  let clients: [Client]
  /// Counts, for each address, the requests that tell whether an account exists or that make one.
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
        token: token, formerTokens: app.formerTokens, key: PrimerRecords.key(ofToken: app.formerTokens.first ?? token),
        experiences: app.experiences.compactMap { PrimerExperience($0) })
    }
    askers = AddressThrottle(identity.guesses, of: "primer", GuessRules.Bucket(burst: 60, interval: 5))
  }

  package var address: String { origin.description + Self.path }

  /// The address of the first app's experiences.
  package var experienceAddress: String { address + configuration.experiencePath }

  /// Whether the first app's experience is the starter.
  package var isStarter: Bool { clients.first?.experiences.map(\.body) == [Array(StarterExperience.document)] }

  /// The address of the app's backend: `/login`, `/signup`, `/recover` and `/validate` below it. Nil if it is off.
  package var backendAddress: String? { hasBackend ? address : nil }

  /// The first app's token (`X-Primer-Token`). Every copy of an app has it, so it is not secret.
  package var token: String { clients.first?.token ?? "" }

  package func signIn(as username: String) -> String {
    let type = "-H 'Content-Type: application/json'"
    guard hasBackend,
      let body = try? DoorResponse.json(.object(["email": .string(username), "password": "PASSWORD"])).body
    else { return "curl -H \("\(configuration.tokenField): \(token)".shellWord) '\(experienceAddress)?type=login'" }
    return "curl \(type) -d \(String(decoding: body, as: UTF8.self).shellWord) \(address)/login"
  }

  package var routes: [Route] {
    var routes = [
      Route(Self.path + configuration.experiencePath, [.get: answering(deliver)]),
      Route(Self.path + configuration.eventsPath, [.post: answering(takeEvents)]),
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
  /// - Throws: `PrimerRefusal` if the token is of no app of this server.
  func client(of request: DoorRequest) throws(PrimerRefusal) -> Client {
    let given = Array((request.headers[configuration.tokenField] ?? "").utf8)
    // All tokens are compared: the time says nothing about which one is similar.
    let known = clients.filter { client in
      ([client.token] + client.formerTokens).count { ConstantTime.isEqual($0.utf8, given) } > 0
    }
    guard let client = known.first else {
      throw PrimerRefusal(.unauthorized, "This is no token of an app that this server knows.")
        .telling(AuditEvent(.clientRefused, .unknown))
    }
    return client
  }

  /// The members of a JSON body. Another site's page can send every other media type without a preflight request (OWASP
  /// ASVS 5.0 §3.5.2).
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
