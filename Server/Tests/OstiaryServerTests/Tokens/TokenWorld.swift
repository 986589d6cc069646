import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

/// A client of the token core; the tests have another type of the short name.
typealias ServerClient = OstiaryServer.Client

/// A token core with a client and a user, and a clock that stands still.
struct TokenWorld: Sendable {
  let identity: IdentityWorld
  let clients: ServerClients
  let tokens: ServerTokens
  let client: ServerClient
  let user: User

  var clock: TestClock { identity.clock }
  var storage: ServerStorage { identity.storage }
  var log: LogRecorder { identity.log }

  static let scopes = ["api", "id", "refresh_token"]

  init(
    storage: ServerStorage? = nil, clock: TestClock = TestClock(), _ change: (inout TokenPolicy) -> Void = { _ in }
  ) async throws {
    identity = try IdentityWorld(storage: storage, clock: clock)
    clients = ServerClients(storage: identity.storage, clock: clock)
    tokens = ServerTokens(storage: identity.storage, clock: clock, logger: identity.log.logger)
    var policy = TokenPolicy()
    change(&policy)
    if let known = try await clients.client(id: "app"), let user = try await identity.identity.user(named: "ada") {
      (client, self.user) = (known, user)
    } else {
      client = try await clients.register(
        ClientRegistration(
          id: "app", name: "An app", redirectURIs: ["app:/done"], scopes: Self.scopes, policy: policy,
          authentication: .none)
      ).client
      user = try await identity.identity.addUser(name: "ada", password: IdentityWorld.password)
    }
  }

  /// The device that waits under a code which the user has typed.
  func device(_ code: String) async throws -> DeviceRequest? {
    if case .right(let device) = try await tokens.device(userCode: code, typedBy: user, from: .unknown) {
      device
    } else {
      nil
    }
  }

  /// The user decides about a device. Returns whether it was still waiting.
  func decide(_ code: String, isAllowed: Bool = true) async throws -> Bool {
    let outcome = try await tokens.decideDevice(userCode: code, isAllowed: isAllowed, by: user, from: .unknown)
    if case .right = outcome { return true } else { return false }
  }

  func request(
    client: ServerClient? = nil, user: User? = nil, refresh: Bool = true, scopes: [String] = scopes
  ) -> GrantRequest {
    GrantRequest(
      client: client ?? self.client, user: user ?? self.user, scopes: scopes, includesRefreshToken: refresh)
  }

  func issue(refresh: Bool = true) async throws -> IssuedTokens {
    try #require(try await tokens.issue(request(refresh: refresh)).tokens)
  }

  /// A grant's refresh token.
  func family() async throws -> Secret { try #require(try await issue().refreshToken) }

  func refresh(_ token: Secret, scopes: [String]? = nil) async throws -> TokenDecision {
    try await tokens.refresh(token, client: client, scopes: scopes)
  }

  /// The successor of a token that must have one.
  func rotate(_ token: Secret) async throws -> Secret {
    try #require(try await refresh(token).tokens?.refreshToken)
  }

  func isAlive(_ access: Secret) async throws -> Bool { try await tokens.find(access) != nil }

  func otherClient(_ id: String = "other", policy: TokenPolicy = .standard) async throws -> ServerClient {
    try await clients.register(ClientRegistration(id: id, name: id, policy: policy, authentication: .none)).client
  }

  var securityEvents: [LogRecorder.Record] { log.records.filter { $0.metadata["event"] == "token_reuse" } }
}

extension IssuedTokens {
  /// The refresh token, or a text that is none.
  var renewal: Secret { refreshToken ?? "" }
}
