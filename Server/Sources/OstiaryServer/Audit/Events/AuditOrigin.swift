import HTTPTypes

/// Who acts: a request that is being answered, a command on the server's machine, or the server by itself.
///
/// It travels with the task, so that a service need not be told by each of its callers. What runs on the storage's threads has no
/// task: an ``AuditTrail`` is made before.
package struct AuditOrigin: Sendable {
  /// The kind of actor.
  enum Actor: String, Sendable {
    case request
    case command
    case server
  }

  let actor: Actor
  /// The route's method and pattern, or the command's name.
  var place: String?
  /// The client's address.
  var address: String?
  /// What the log knows the request by.
  var requestID: String?

  /// A request.
  init(request: DoorRequest, route: String) {
    actor = .request
    place = "\(request.method.rawValue) \(route)"
    // What a proxy tells that is no address is anything.
    address = ClientAddress(request.clientAddress)?.description
    requestID = request.id
  }

  private init(actor: Actor, place: String? = nil) {
    self.actor = actor
    self.place = place
  }

  /// Of the task that is running.
  @TaskLocal package static var current = AuditOrigin(actor: .server)

  /// A command on the server's machine.
  package static func command(_ name: String) -> AuditOrigin { AuditOrigin(actor: .command, place: name) }
}
