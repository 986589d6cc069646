public import OstiaryCore
internal import OstiaryJOSE

/// Finds authorization servers by their issuers, and holds what they publish: their metadata and the keys they sign with.
///
/// ```swift
/// let directory = ServerDirectory(transport: PlatformTransport())
/// let client = try OAuthClient(id: "orders-app", issuer: "https://login.example.com", in: directory)
/// ```
///
/// One is enough for a program. A document is fetched once for all who wait for it. It is fresh for 5 minutes at least and 24 hours at
/// most, within them as the server's `Cache-Control` says, and is then asked about with its `ETag`. While a newer one can't be had, the last
/// good one is used for at most 7 days. Requests follow no redirect and carry no secret.
public final class ServerDirectory: Sendable {
  let transport: any Transport
  let clock: any SessionClock
  let allowsPlainHTTP: Bool
  /// How long each request may take: 15 seconds.
  let timeout = Duration.seconds(15)
  private let servers: DocumentShelf<ServerPlace, FoundMetadata>
  let keySets: DocumentShelf<KeySetPlace, KeySet>

  /// Makes a directory that holds nothing yet.
  /// - Parameters:
  ///   - transport: the way to the servers.
  ///   - clock: tells how old a document is.
  ///   - insecurelyAllowsPlainHTTP: lets issuers and their addresses be `http`, where any host on the way can write the documents and
  ///     with them decide who is signed in where. On this machine itself it needs no permission.
  public init(transport: any Transport, clock: any SessionClock = .system, insecurelyAllowsPlainHTTP: Bool = false) {
    self.transport = transport
    self.clock = clock
    allowsPlainHTTP = insecurelyAllowsPlainHTTP
    servers = DocumentShelf(clock: clock)
    keySets = DocumentShelf(clock: clock)
  }

  /// Where an issuer's metadata are looked for first. The other place is asked when there is no document.
  public enum Convention: Sendable, Hashable {
    /// Where OpenID Connect Discovery 1.0 §4 has them: `…/.well-known/openid-configuration`.
    case openID
    /// Where RFC 8414 §3 has them: `/.well-known/oauth-authorization-server…`.
    case oauth
  }

  /// What a server says of itself.
  /// - Parameters:
  ///   - issuer: the server's issuer identifier, byte for byte.
  ///   - convention: where to look first; `openID` where the scope `openid` is asked for.
  /// - Throws: ``/OstiaryCore/OstiaryError``: `metadataMissing` when there is no document; `metadataUnusable` for one that is
  ///   another issuer's or names an address that may not be one; `invalidInput` for an issuer that is none; the network's errors
  ///   and `serverUnavailable`, which are transient.
  public func metadata(of issuer: String, convention: Convention = .openID) async throws -> ServerMetadata {
    try await metadata(of: issuer, convention: convention, .fresh)
  }

  func metadata(
    of issuer: String, convention: Convention = .openID, _ want: DocumentMachine<FoundMetadata>.Want
  ) async throws -> ServerMetadata {
    try await metadata(at: ServerPlace(issuer: issuer, convention: convention), want)
  }

  private func metadata(
    at place: ServerPlace, _ want: DocumentMachine<FoundMetadata>.Want = .fresh
  ) async throws -> ServerMetadata {
    let search = try MetadataSearch(place, self)
    return try await servers.document(at: place, want) { await search.run($0) }.document.metadata
  }

  /// What a server says of itself where RFC 8414 has it, and nowhere else.
  /// - Throws: as ``metadata(of:convention:)``.
  func metadataOfOAuth(of issuer: String) async throws -> ServerMetadata {
    try await metadata(at: ServerPlace(issuer: issuer, convention: .oauth, isAlone: true))
  }

  /// What is held of that, without a request; `nil` for nothing.
  func knownMetadataOfOAuth(of issuer: String) -> ServerMetadata? {
    servers.held(at: ServerPlace(issuer: issuer, convention: .oauth, isAlone: true))?.metadata
  }

  /// What is held of a server, without a request; `nil` for nothing.
  public func knownMetadata(of issuer: String, convention: Convention = .openID) -> ServerMetadata? {
    servers.held(at: ServerPlace(issuer: issuer, convention: convention))?.metadata
  }
}
