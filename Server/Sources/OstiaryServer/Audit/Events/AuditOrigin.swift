import HTTPTypes

/// Who acts: a request that is being answered, a command on the server's machine, or the server by itself.
///
/// It travels with the task, so that a service need not be told by each of its callers. What runs on the storage's threads has no
/// task: an `AuditTrail` is made before.
package struct AuditOrigin: Sendable {
  /// The kind of actor.
  enum Actor: String, Sendable {
    case request
    case command
    case server
  }

  let actor: Actor
  /// The client's address, as far as it is one: what a proxy tells may be anything.
  var address: ClientAddress? {
    client.flatMap { ClientAddress($0) }
  }
  /// What the log knows the request by.
  let requestID: String?
  /// Put together when an event is written: most requests write none.
  private let method: HTTPRequest.Method?
  private let name: String?
  private let client: String?

  /// The route's method and pattern, or the command's name.
  var place: String? {
    guard let method, let name else { return name }
    return method.rawValue + " " + name
  }

  /// A request.
  init(request: DoorRequest, route: String) {
    actor = .request
    method = request.method
    name = route
    client = request.clientAddress
    requestID = request.id
  }

  private init(actor: Actor, name: String? = nil) {
    self.actor = actor
    self.name = name
    (method, client, requestID) = (nil, nil, nil)
  }

  /// Of the task that is running.
  @TaskLocal package static var current = AuditOrigin(actor: .server)

  /// A command on the server's machine.
  package static func command(_ name: String) -> AuditOrigin { AuditOrigin(actor: .command, name: name) }
}

/// The way a password came in: a door, a form, a command. It is logged; the limits don't depend on it.
package struct Pathway: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  package var rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }
  package init(stringLiteral value: String) { rawValue = value }
  package var description: String { rawValue }
}
