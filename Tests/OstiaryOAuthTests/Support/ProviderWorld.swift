import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiaryTesting
import Testing

/// A client at the provider in memory, with a user who does what a page asks for at once.
struct ProviderWorld: Sendable {
  let clock = ManualClock()
  let provider: ScriptedProvider
  let transport: ScriptedTransport
  /// The pages that the user saw.
  let pages = Locked<[URL]>([])

  init(_ settings: ProviderSettings = ProviderSettings()) throws {
    provider = try ScriptedProvider(settings, clock: clock)
    transport = provider.transport()
  }

  var context: AuthenticationContext { AuthenticationContext(transport: transport, clock: clock) }

  /// The provider's endpoints, given by hand.
  func endpoints(pushing: Bool = true) -> OAuthEndpoints {
    OAuthEndpoints(
      token: provider.address(of: .token), authorization: provider.address(of: .authorization),
      deviceAuthorization: provider.address(of: .deviceAuthorization), revocation: provider.address(of: .revocation),
      pushedAuthorization: pushing ? provider.address(of: .pushedAuthorization) : nil,
      endSession: provider.address(of: .endSession), issuer: provider.settings.issuer)
  }

  func client(
    _ authentication: ClientAuthentication = .none, id: String = "app", pushing: Bool = true
  ) throws -> OAuthClient {
    try OAuthClient(id: id, authentication: authentication, endpoints: endpoints(pushing: pushing))
  }

  /// A client that knows what the provider says of itself.
  /// - Parameter leavingOut: members that the document does not have.
  func clientOfMetadata(leavingOut names: [String] = []) async throws -> OAuthClient {
    let answer = try await transport.get(provider.address(of: .serverMetadata))
    var members = try #require(JSONValue(json: answer.body)?.object)
    for name in names { members[name] = nil }
    return try OAuthClient(
      id: "app", metadata: ServerMetadata(members: members, issuer: provider.settings.issuer))
  }

  static let redirectURI = URL(string: "https://app.example/callback") ?? URL(filePath: "/")

  var browser: ClosureUserAgent {
    ClosureUserAgent { [provider, pages] request in
      pages.withLock { $0.append(request.url) }
      return try provider.visit(request.url)
    }
  }

  func authenticator(_ client: OAuthClient, scope: String? = "offline_access") throws -> OAuthAuthenticator {
    try OAuthAuthenticator(
      server: provider.address(of: .resource), client: client,
      flow: .authorizationCode(in: browser, redirectURI: Self.redirectURI, scope: scope))
  }

  @discardableResult
  func signIn(_ client: OAuthClient) async throws -> SessionGrant {
    try await authenticator(client).signIn(with: .byHandler, in: context)
  }

  /// The forms that were sent to an endpoint.
  func forms(_ endpoint: ProviderEndpoint) -> [OAuthParameters] {
    let path = provider.address(of: endpoint).path()
    return transport.requests.filter { $0.head.path == path }.map(\.form)
  }
}

extension OAuthParameters {
  /// All values of a name.
  func values(_ name: String) -> [String] { all.filter { $0.name == name }.map(\.value) }

  /// The parameters of an address.
  init(of url: URL) {
    self.init(FormEncoding.parse(url.query(percentEncoded: true) ?? "").map { .init($0.name, $0.value) })
  }
}
