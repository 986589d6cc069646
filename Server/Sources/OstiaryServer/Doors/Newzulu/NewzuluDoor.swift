import Foundation
import HTTPTypes
import Logging
package import OstiaryCore

/// The door that speaks Newzulu (Filemobile Media Factory): calls in JSON or as forms with the vendor's envelope, users
/// of tenants, opaque session tokens, media lists and multi-part uploads.
///
/// Sources: the vendor's developer pages on users and media, and requests of public clients. Facts that have not been
/// published are in ``NewzuluDoorConfiguration``.
public struct NewzuluDoor: Door {
  package let name = "newzulu"
  package let title = "Newzulu (Platform SDK)"

  let configuration: NewzuluDoorConfiguration
  let origin: Origin
  let identity: IdentityService
  let sessions: ServerSessions
  let accounts: NewzuluAccounts
  let media: NewzuluMedia
  let uploads: NewzuluUploads
  let addresses: NewzuluPartAddresses
  private let keys: NewzuluKeys

  init(
    configuration: NewzuluDoorConfiguration, keys: NewzuluKeys, origin: Origin, identity: IdentityService,
    sessions: ServerSessions, uploads: NewzuluUploads
  ) {
    self.configuration = configuration
    self.keys = keys
    self.origin = origin
    self.identity = identity
    self.sessions = sessions
    self.uploads = uploads
    accounts = NewzuluAccounts(storage: identity.storage)
    media = NewzuluMedia(storage: identity.storage)
    // Where several servers share the database, an address is good at each of them.
    addresses = NewzuluPartAddresses(origin: origin, ring: identity.storage.isShared ? identity.storage.key : nil)
  }

  var names: NewzuluDoorNames { configuration.names }

  package var address: String { origin.description }

  /// The first tenant, to which the users without a tenant belong.
  package var vhost: String { configuration.vhosts.first ?? "" }

  /// An API key without permissions, for an app of the first tenant, if there is one.
  package var apiKey: Secret? { keys.example(for: vhost)?.key }

  package func signIn(as username: String) -> String {
    let key = apiKey?.reveal() ?? "KEY"
    return "ostiary login newzulu --server \(address) --option vhost=\(vhost) --option api-key=\(key)"
      + " --user \(username.shellWord)"
  }

  package var routes: [Route] {
    [
      Route(names.servicesPath, [.post: { try await answer($0) }]),
      Route(
        NewzuluPartAddresses.pattern,
        receivers: [.put: .streamed(time: configuration.partTime) { try await takePart($0, $1) }]),
    ]
  }

  private func answer(_ request: DoorRequest) async throws -> DoorResponse {
    let call: NewzuluReceivedCall
    switch NewzuluReceivedCall.read(request, names, subject: { Self.methods[$0]?.subject }) {
    case .call(let read): call = read
    case .malformed: return try NewzuluFailure.malformed.response(names)
    case .otherType:
      return DoorResponse(
        status: .unsupportedMediaType, headers: [.contentType: "text/plain; charset=utf-8"],
        body: Array("Calls are application/json or application/x-www-form-urlencoded.\n".utf8))
    }
    return try await withFailures {
      try .json(names.envelope(["status": true, "result": try await result(of: call)]))
    }
  }

  /// Turns thrown errors into the envelope of a failure.
  func withFailures(_ body: () async throws -> DoorResponse) async throws -> DoorResponse {
    do {
      return try await body()
    } catch let failure as NewzuluFailure {
      if let event = failure.event { try await identity.storage.noteRefusal(event, at: identity.clock.now) }
      return try failure.response(names)
    } catch let error as ServerError where error.code == .storageFull {
      log(error)
      return try NewzuluFailure.diskFull.response(names)
    } catch let error as ServerError where error.isStorageFault || error.retryAfter != nil {
      log(error)
      return try NewzuluFailure.overloaded(error.retryAfter ?? .seconds(5)).response(names)
    }
  }

  private func log(_ error: ServerError) {
    identity.audit.logger.error("request failed", metadata: ["error": "\(error.code)"])
  }

  private func result(of call: NewzuluReceivedCall) async throws -> JSONValue {
    guard let method = Self.methods[call.method] else { throw NewzuluFailure.unknownMethod }
    let caller = try await caller(of: call)
    guard caller.key != nil || caller.session != nil || method.isForAnybody else { throw NewzuluFailure.invalidKey }
    return names.result(try await method.run(self, call, caller), about: method.subject)
  }

  /// Authenticates the caller: the key, the session and the tenant. Each is checked if it is given.
  private func caller(of call: NewzuluReceivedCall) async throws -> NewzuluCaller {
    var key: NewzuluKey?
    if let text = try call.arguments.text("APIKEY"), !text.isEmpty {
      guard let known = keys[text] else { throw NewzuluFailure.invalidKey }
      key = known
    }
    var session: NewzuluCaller.Session?
    if call.arguments["sessiontoken"] != nil {
      let text = try call.arguments.text("sessiontoken") ?? ""
      guard let token = NewzuluToken(text), let found = try await sessions.find(token.sessionID),
        let user = found.user, let vhost = found.attributes["vhost"]?.string
      else { throw NewzuluFailure.invalidSession }
      session = NewzuluCaller.Session(user: user, vhost: vhost)
    }
    let vhost = try call.arguments.text("vhost") ?? key?.vhost ?? session?.vhost
    if let vhost {
      guard try await isKnown(vhost: vhost) else { throw NewzuluFailure.unknownVhost }
      guard key?.vhost == nil || key?.vhost == vhost else { throw NewzuluFailure.invalidKey }
    }
    return NewzuluCaller(key: key, session: session, vhost: vhost)
  }

  private func isKnown(vhost: String) async throws(ServerError) -> Bool {
    guard TenantName.isValid(vhost) else { return false }
    if configuration.vhosts.contains(vhost) { return true }
    return try await identity.hasUsers(tenant: vhost)
  }

  /// The tenants in which the users of a vhost are stored.
  func tenants(of vhost: String) -> [String?] {
    vhost == self.vhost ? [vhost, nil] : [vhost]
  }
}
