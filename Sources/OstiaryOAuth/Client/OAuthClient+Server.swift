internal import Foundation
internal import OstiaryCore

extension OAuthClient {
  /// Makes a client of a server whose metadata are known.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `invalidInput` for an empty identifier; `metadataUnusable` when the server names no
  ///   token endpoint.
  public init(id: String, authentication: ClientAuthentication = .none, metadata: ServerMetadata) throws {
    let endpoints = try Self.endpoints(of: metadata)
    // The document's addresses have been looked at by the rule for its issuer.
    try self.init(
      id: id, authentication: authentication, endpoints: endpoints, insecurelyAllowsPlainHTTP: true)
    self.metadata = metadata
    take(ServerPreset.of(metadata.issuer))
  }

  /// Makes a client of an issuer: the server's address is enough.
  ///
  /// What the server says of itself is asked for when it is first needed. A session keeps the endpoints that it was made with:
  /// ``OAuthAuthenticator`` renews and ends it there without asking again, and a document that changes later moves no token to
  /// another host. To use the client by itself, take what ``located()`` returns.
  /// - Parameters:
  ///   - issuer: the server's issuer identifier, byte for byte.
  ///   - directory: finds the server.
  ///   - convention: where the server's metadata are looked for first; `openID` where the scope `openid` is asked for.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `invalidInput` for an empty identifier and for an issuer that is none.
  public init(
    id: String, authentication: ClientAuthentication = .none, issuer: String, in directory: ServerDirectory,
    convention: ServerDirectory.Convention = .openID
  ) throws {
    let address = try IssuerAddress(issuer, allowsPlainHTTP: directory.allowsPlainHTTP)
    try self.init(
      id: id, authentication: authentication, endpoints: OAuthEndpoints(token: address.url, issuer: issuer),
      insecurelyAllowsPlainHTTP: directory.allowsPlainHTTP)
    self.directory = directory
    self.convention = convention
    isLocated = false
    take(ServerPreset.of(issuer))
  }

  /// The same client with its server's endpoints; the client itself, where they are known.
  /// - Throws: ``/OstiaryCore/OstiaryError``; see ``ServerDirectory/metadata(of:convention:)``.
  public func located() async throws -> OAuthClient {
    guard !isLocated else { return self }
    guard let directory, let issuer = endpoints.issuer else {
      throw OstiaryError.invalidOAuthInput("The client has no directory that finds its server.", "Give it one.")
    }
    return try located(at: await directory.metadata(of: issuer, convention: convention))
  }

  /// The same client at a server that says this of itself.
  func located(at metadata: ServerMetadata) throws -> OAuthClient {
    var client = self
    client.endpoints = try Self.endpoints(of: metadata)
    client.metadata = metadata
    client.isLocated = true
    if let directory, client.idTokens == nil { client.idTokens = IDTokenPolicy(metadata, in: directory) }
    return client
  }

  /// Whether there is an endpoint that can be asked about a token, as far as that is known.
  var canAskAboutTokens: Bool {
    guard let endpoints = isLocated ? endpoints : knownEndpoints else { return true }
    return endpoints.userInfo != nil || endpoints.introspection != nil
  }

  private var knownEndpoints: OAuthEndpoints? {
    endpoints.issuer.flatMap { directory?.knownMetadata(of: $0, convention: convention)?.endpoints }
  }

  /// Refuses to send anything to a client's server before it is known where that is.
  func requireLocation() throws {
    guard !isLocated else { return }
    throw OstiaryError.invalidOAuthInput(
      "The client's endpoints have not been looked for.", "Use the client that located() returns.")
  }

  private static func endpoints(of metadata: ServerMetadata) throws -> OAuthEndpoints {
    guard let endpoints = metadata.endpoints else {
      throw OstiaryError.unusableMetadata("The server's metadata name no token endpoint.", "RFC 8414 §2")
    }
    return endpoints
  }
}
