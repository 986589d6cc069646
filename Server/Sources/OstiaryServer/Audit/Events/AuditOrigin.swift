import HTTPTypes

/// The actor: a request that is being answered, a command on the server's machine, or the server by itself.
///
/// It is a value of the task: callers need not pass it to each service. Code on the storage's threads has no task: an
/// `AuditTrail` is made before.
package struct AuditOrigin: Sendable {
  /// The kind of actor.
  enum Actor: String, Sendable {
    case request
    case command
    case server
  }

  let actor: Actor
  /// The client's address, if it is a valid one: a proxy can send any text.
  var address: ClientAddress? {
    client.flatMap { ClientAddress($0) }
  }
  /// The request's id in the log.
  let requestID: String?
  /// The door of the request, in metrics.
  let door: MetricValue
  /// The place is composed when an event is written: most requests write none.
  private let method: HTTPRequest.Method?
  private let name: String?
  private let client: String?

  /// The route's method and pattern, or the command's name.
  var place: String? {
    guard let method, let name else { return name }
    return method.rawValue + " " + name
  }

  /// A request.
  init(request: DoorRequest, route: String, door: MetricValue = "server") {
    actor = .request
    self.door = door
    method = request.method
    name = route
    client = request.clientAddress
    requestID = request.id
  }

  private init(actor: Actor, name: String? = nil) {
    self.actor = actor
    self.name = name
    door = "server"
    (method, client, requestID) = (nil, nil, nil)
  }

  /// The origin of the running task.
  @TaskLocal package static var current = AuditOrigin(actor: .server)

  /// A command on the server's machine.
  package static func command(_ name: String) -> AuditOrigin { AuditOrigin(actor: .command, name: name) }
}

/// The way of a password into the server: a door, a form, a command. It is logged; the limits don't depend on it.
package struct Pathway: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  package var rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }
  package init(stringLiteral value: String) { rawValue = value }
  package var description: String { rawValue }
}
