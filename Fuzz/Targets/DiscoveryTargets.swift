import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiaryTesting

extension FuzzTarget {
  /// What a server says of itself: one byte for the status and the media type, and the body.
  static let serverMetadata = FuzzTarget(name: "server-metadata") { bytes in
    let issuer = "https://as.example/a"
    let network = ScriptedTransport(handler: { [response = DiscoveryFuzzing.response(bytes)] _ in response })
    let directory = ServerDirectory(transport: network)
    do {
      let metadata = try await directory.metadata(of: issuer)
      try require(
        metadata.issuer == issuer && metadata.members["issuer"]?.string == issuer, "the issuer is the one asked")
      try require(directory.knownMetadata(of: issuer) == metadata, "what was found is held")
      for address in DiscoveryFuzzing.addresses(metadata) {
        try require(
          address.scheme?.lowercased() == "https" && address.host()?.isEmpty == false, "an address is encrypted")
        try require(address.user() == nil && address.fragment() == nil, "an address is an endpoint's")
      }
      let client = try? OAuthClient(id: "fuzz", metadata: metadata)
      try require((client == nil) == (metadata.endpoints == nil), "a server with a token endpoint is one for a client")
      try require(network.count <= 2, "there are two addresses")
    } catch let error as OstiaryError {
      try require(error.disposition != .terminal, "no document ends a session")
      try require(network.count >= 1 && network.count <= 2, "nothing is followed and nothing repeated")
    }
  }

  /// What an API says of itself, as ``serverMetadata``.
  static let resourceMetadata = FuzzTarget(name: "resource-metadata") { bytes in
    guard let api = URL(string: "https://api.example/v1") else { return }
    let network = ScriptedTransport(handler: { [response = DiscoveryFuzzing.response(bytes)] _ in response })
    let resources = try ResourceDirectory(
      api: api, issuers: .named(["https://as.example"]), in: ServerDirectory(transport: network))
    do {
      let found = try await resources.find()
      try require(found.issuer == "https://as.example", "an API does not choose")
      try require(found.metadata.resource == api.absoluteString, "a document is about the API that was asked")
    } catch let error as OstiaryError {
      try require(error.disposition != .terminal, "no document ends a session")
    }
    try require(network.count == 1, "each request is sent once, and nothing is followed")
  }

  /// A server's answers about registrations, as ``serverMetadata``.
  static let registrationAnswer = FuzzTarget(name: "registration-answer") { bytes in
    let issuer = "https://as.example"
    let response = DiscoveryFuzzing.response(bytes)
    let network = ScriptedTransport(handler: { request in
      guard request.head.method != .get else {
        return .json(["issuer": .string(issuer), "registration_endpoint": "https://as.example/register"])
      }
      return response
    })
    let directory = ServerDirectory(transport: network)
    do {
      let registration = try await directory.register(
        .native(name: "Fuzz", redirectURIs: []), at: issuer, initialAccessToken: "fuzzing-secret")
      try require(!registration.clientID.isEmpty && response.status == .ok, "only a success is one")
      try require(
        registration.managementAddress.map { $0.scheme?.lowercased() == "https" } ?? true, "a token stays secret")
      if let secret = registration.secret?.reveal(), secret.count > 8 {
        try require(!"\(registration)".contains(secret), "a registration shows no secret")
      }
      let kept = try JSONDecoder().decode(OAuthRegistration.self, from: JSONEncoder().encode(registration))
      try require(kept.clientID == registration.clientID && kept.secret == registration.secret, "it can be kept")
      if registration.managementToken != nil, registration.managementAddress != nil {
        do { _ = try await directory.update(registration, to: ClientDescription()) } catch is OstiaryError {}
      }
    } catch let error as OstiaryError {
      try require(error.disposition != .terminal, "no answer ends a session")
      try require(!"\(error) \(error.underlying as Any)".contains("fuzzing-secret"), "an error holds no secret")
    }
  }
}

/// What the targets have in common.
private enum DiscoveryFuzzing {
  static func response(_ bytes: [UInt8]) -> TransportResponse {
    let statuses: [HTTPResponse.Status] = [.ok, .ok, .badRequest, .notFound, .found, .tooManyRequests, .notModified]
    let types = ["application/json", "text/plain", "text/html"]
    let first = Int(bytes.first ?? 0)
    let head = HTTPResponse(
      status: statuses[first % statuses.count],
      headerFields: [
        .contentType: types[first / statuses.count % types.count], .location: "https://elsewhere.example/",
      ])
    return TransportResponse(head, body: Data(bytes.dropFirst()))
  }

  static func addresses(_ metadata: ServerMetadata) -> [URL] {
    let endpoints = metadata.endpoints
    return [
      endpoints?.token, endpoints?.authorization, endpoints?.deviceAuthorization, endpoints?.revocation,
      endpoints?.introspection, endpoints?.userInfo, endpoints?.pushedAuthorization, endpoints?.endSession,
      metadata.keySetAddress, metadata.registrationAddress,
    ].compactMap { $0 }
  }
}
