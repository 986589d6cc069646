import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryServer

// The door of the article AddingADoor, as it is shown there.

// begin options
/// What a server is told of the door before it starts.
struct WhoAmIOptions: DoorOptions {
  /// The realm that programs show to people who are asked for a password.
  var realm = "Who am I"

  var problems: [String] {
    guard realm.isEmpty || realm.contains("\"") else { return [] }
    return ["The realm of the door “who am I” must be a text without quotes."]
  }
}

extension DoorSettings {
  /// The door that says who one is; nil leaves it closed.
  var whoAmI: WhoAmIOptions? {
    get { self[WhoAmIOptions.self] }
    set { self[WhoAmIOptions.self] = newValue }
  }
}
// end options

// begin module
/// The door that says who one is, as it is plugged in.
struct WhoAmIModule: DoorModule {
  private let options: WhoAmIOptions
  private let identity: IdentityService

  init(_ options: WhoAmIOptions, in house: DoorHouse) {
    self.options = options
    identity = house.identity
  }

  func open(at place: DoorPlace) -> OpenDoor {
    OpenDoor(WhoAmIDoor(realm: options.realm, origin: place.origin, identity: identity))
  }
}
// end module

// begin door
/// Answers a user name and a password (RFC 7617) with the user's names, and keeps nothing.
struct WhoAmIDoor: Door {
  let name = "whoami"
  let title = "Who am I"

  let realm: String
  let origin: Origin
  let identity: IdentityService

  var address: String { origin.description + "/whoami" }

  var routes: [Route] { [Route("/whoami", [.get: { try await answer($0) }])] }

  func signIn(as username: String) -> String { "curl --user \(username.shellWord) \(address)" }

  private func answer(_ request: DoorRequest) async throws -> DoorResponse {
    guard let (name, password) = credentials(of: request) else { return challenge }
    let decision = await identity.verify(
      username: name, password: password, address: ClientAddress(request.clientAddress), pathway: "whoami",
      requestID: request.id)
    switch decision {
    case .accepted(let user):
      return try .json(.object(["name": .string(user.name), "displayName": .string(user.displayName)]))
    case .refused: return challenge
    case .wait(let time): return DoorResponse(status: .tooManyRequests).retrying(after: time)
    case .overloaded(let time): return DoorResponse(status: .serviceUnavailable).retrying(after: time)
    case .unavailable(let error): throw error
    }
  }

  private var challenge: DoorResponse {
    DoorResponse(status: .unauthorized, headers: [.wwwAuthenticate: "Basic realm=\"\(realm)\", charset=\"UTF-8\""])
  }

  /// The name and the password of a request, if it carries them. Protocols are read as bytes, never as characters.
  private func credentials(of request: DoorRequest) -> (name: String, password: Secret)? {
    guard let field = request.headers[.authorization], field.lowercased().hasPrefix("basic "),
      let data = Data(base64Encoded: String(decoding: field.utf8.dropFirst(6), as: UTF8.self))
    else { return nil }
    let parts = data.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let name = String(validating: parts[0], as: UTF8.self),
      let password = String(validating: parts[1], as: UTF8.self)
    else { return nil }
    return (name, Secret(password))
  }
}
// end door
