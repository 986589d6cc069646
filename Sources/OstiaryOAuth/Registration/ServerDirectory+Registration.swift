internal import Foundation
internal import HTTPTypes
public import OstiaryCore
internal import OstiaryJOSE

extension ServerDirectory {
  /// Registers a client (RFC 7591 §3). The request is sent once: repeating one whose answer is lost may register another client.
  /// - Parameters:
  ///   - client: what the client says of itself.
  ///   - issuer: the server.
  ///   - initialAccessToken: what the server's administrator gave for that.
  /// - Returns: what the server gave. Keep it: its secrets are told once.
  /// - Throws: ``/OstiaryCore/OstiaryError``: `registrationRefused` as the server's word; `metadataUnusable` for a server that
  ///   registers no clients; what finding the server throws; `unexpectedResponse` and the network's errors.
  public func register(
    _ client: ClientDescription, at issuer: String, initialAccessToken: Secret? = nil
  ) async throws -> OAuthRegistration {
    let metadata = try await metadata(of: issuer)
    guard let address = metadata.registrationAddress else {
      throw OstiaryError.unusableMetadata(
        "The server registers no clients by itself.", "RFC 7591 §3",
        advice: "Have the client registered by its administrator.",
        disposition: .misuse)
    }
    let call = RegistrationCall(self, issuer, address, token: initialAccessToken)
    return try await call.answer(to: .post, try Self.body(client.members), isSuccess: [200, 201], earlier: nil)
  }

  /// Asks for a registration as it is now (RFC 7592 §2.1).
  /// - Returns: the registration; the server may have given newer secrets, and the older are dead then.
  /// - Throws: as ``register(_:at:initialAccessToken:)``; `invalidInput` for a registration that can't be managed.
  public func registration(of registration: OAuthRegistration) async throws -> OAuthRegistration {
    try await RegistrationCall(self, managing: registration)
      .answer(to: .get, nil, isSuccess: [200], earlier: registration)
  }

  /// Replaces what a client says of itself (RFC 7592 §2.2). What is left out is the server's to choose again.
  /// - Throws: as ``registration(of:)``.
  public func update(
    _ registration: OAuthRegistration, to client: ClientDescription
  ) async throws -> OAuthRegistration {
    var members = client.members
    members["client_id"] = .string(registration.clientID)
    if let secret = registration.secret { members["client_secret"] = .string(secret.reveal()) }
    return try await RegistrationCall(self, managing: registration)
      .answer(to: .put, try Self.body(members), isSuccess: [200], earlier: registration)
  }

  /// Ends a registration (RFC 7592 §2.3): the client's tokens are of no use any more.
  /// - Throws: as ``registration(of:)``.
  public func unregister(_ registration: OAuthRegistration) async throws {
    let call = try RegistrationCall(self, managing: registration)
    let (response, request) = try await call.send(.delete, nil)
    guard response.status == .noContent || response.status == .ok else { throw call.refusal(response, request) }
  }

  private static func body(_ members: [String: JSONValue]) throws -> Data {
    guard let bytes = CompactJSON.object(members) else {
      throw OstiaryError.invalidOAuthInput(
        "The description of the client has a number that JSON can't say.", "Check it.")
    }
    return Data(bytes)
  }
}
