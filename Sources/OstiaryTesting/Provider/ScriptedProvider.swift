public import Foundation
internal import HTTPTypes
public import OstiaryCore
public import OstiaryJOSE

/// An OpenID provider and the APIs that take its tokens, in memory: with real keys, without a network, a browser or waiting,
/// and wrong in one named way at a time where a test asks for it.
///
/// ```swift
/// let provider = try ScriptedProvider(clock: clock)
/// let browser = ClosureUserAgent { request in try provider.visit(request.url) }   // the user signs in
/// let transport = provider.transport()
///
/// provider.makeWrong(.wrongAudience)                   // from now on, ID tokens are for another client
/// provider.makeWrong(.lostAnswer, at: .token, times: 1)
/// #expect(provider.counts[.token] == 2)
/// ```
///
/// | It speaks | By |
/// |---|---|
/// | metadata, keys and their rotation | RFC 8414, OpenID Connect Discovery, RFC 7517 |
/// | authorization with code, PKCE and `iss`; pushed requests | RFC 6749, RFC 7636, RFC 9207, RFC 9126 |
/// | refreshing in five ways, device, client credentials, token exchange | RFC 6749, RFC 8628, RFC 8693 |
/// | ID tokens, userinfo (signed too), the end of a sign-in | OpenID Connect Core and RP-Initiated Logout |
/// | revocation, introspection, registration, resource indicators | RFC 7009, RFC 7662, RFC 7591, RFC 8707 |
/// | DPoP with nonces, secrets and signed assertions of clients | RFC 9449, RFC 7523 |
/// | an API with its document, and one that wants a stronger sign-in | RFC 6750, RFC 9728, RFC 9470 |
///
/// The same seed makes the same keys (but for RSA, whose two keys are fixed), tokens and codes in each run. Time is the
/// clock's alone.
public final class ScriptedProvider: Sendable {
  private let state: Locked<ProviderState>
  private let clock: any SessionClock

  /// Makes a provider.
  /// - Parameters:
  ///   - settings: how it works.
  ///   - algorithm: what it signs with: ``/OstiaryJOSE/SignatureAlgorithm/es256``, RSA or Ed25519, for example.
  ///   - clock: tells when tokens expire, and measures late answers.
  ///   - seed: of its keys and of all that can't be guessed.
  /// - Throws: ``/OstiaryJOSE/JOSEError`` for an algorithm with a shared secret.
  public init(
    _ settings: ProviderSettings = ProviderSettings(), signingWith algorithm: SignatureAlgorithm = .es256,
    clock: any SessionClock = .system, seed: UInt64 = 1
  ) throws {
    state = Locked(try ProviderState(settings, algorithm: algorithm, seed: seed))
    self.clock = clock
  }

  /// A transport that leads to the provider and its APIs. Every call makes a new one with counts and faults of its own.
  /// - Parameter checkpoint: as of ``ScriptedTransport``.
  public func transport(checkpoint: Checkpoint? = nil) -> ScriptedTransport {
    ScriptedTransport(clock: clock, handler: { [self] in try await respond(to: $0) }, checkpoint: checkpoint)
  }

  private var now: Date { clock.now.addingTimeInterval(state.withLock { $0.settings.clockOffset }) }

  // MARK: What it is like

  /// How it works; what is changed counts for the next request.
  public var settings: ProviderSettings {
    get { state.withLock { $0.settings } }
    set { state.withLock { $0.settings = newValue } }
  }

  /// The address of an endpoint; of an API and its document, of the first one.
  public func address(of endpoint: ProviderEndpoint) -> URL {
    let text = state.withLock { $0.addresses.address(endpoint) }
    return URL(string: text) ?? URL(filePath: "/")
  }

  /// Makes it wrong in one way, in place of the way in which it was wrong before.
  /// - Parameters:
  ///   - fault: the way.
  ///   - endpoints: where; without any, wherever the fault can show.
  ///   - times: for how many requests to these endpoints; `nil`: until it is made right.
  public func makeWrong(_ fault: ProviderFault, at endpoints: ProviderEndpoint..., times: Int? = nil) {
    let places = endpoints.isEmpty ? fault.endpoints : Set(endpoints)
    state.withLock { $0.set(ActiveFault(fault: fault, endpoints: places, times: times)) }
  }

  /// Makes it right.
  public func makeRight() {
    state.withLock { $0.set(nil) }
  }

  // MARK: What users do

  /// Who sits at the browser, by default Ann. Without a user, the one at the browser declines.
  public var user: ProviderUser? {
    get { state.withLock { $0.user } }
    set { state.withLock { $0.user = newValue } }
  }

  /// Shows a page of the provider to the user, for a `UserAgent`: the page on which one signs in, and the one that ends a
  /// sign-in.
  /// - Returns: the address that the browser is sent to.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `invalidRequest` where the page shows an error and sends the browser nowhere.
  public func visit(_ page: URL) throws -> URL {
    let now = now
    let location: String
    do throws(ProviderRefusal) {
      location = try state.withLock { state throws(ProviderRefusal) in try state.visit(page, now) }
    } catch {
      throw OstiaryError(.invalidRequest, "The provider's page shows an error: \(error.words)")
    }
    guard let url = URL(string: location) else {
      throw OstiaryError(.invalidRequest, "The provider sends the browser to an address that is none.")
    }
    return url
  }

  /// Lets a user enter a device's code (RFC 8628 §3.3); without a user, the code is entered and refused.
  /// - Returns: whether there is such a code.
  @discardableResult
  public func enter(userCode: String, as user: ProviderUser?) -> Bool {
    state.withLock { state in
      guard let code = state.devices.first(where: { $0.value.userCode == userCode })?.key else { return false }
      state.devices[code]?.answer = user.map { DeviceCode.Answer.accepted($0) } ?? .declined
      return true
    }
  }

  // MARK: What happens to it

  /// Signs with a new key from now on.
  /// - Parameter keepingOld: whether the key set goes on to show the earlier keys.
  /// - Throws: ``/OstiaryJOSE/JOSEError``.
  public func rotateKeys(keepingOld: Bool = true) throws {
    try state.withLock { try $0.keys.rotate(keepingOld: keepingOld) }
  }

  /// Makes all access tokens worthless. Refresh tokens stay good.
  public func expireAccessTokens() {
    state.withLock { $0.accessTokens = [:] }
  }

  /// Ends all sign-ins, or those of one user.
  public func endSignIns(of user: String? = nil) {
    state.withLock { state in
      for grant in state.grants.values where user == nil || grant.user?.id == user { state.end(grant.id) }
    }
  }

  /// Ends a user's sign-ins to a client, as another program of the user's does.
  /// - Returns: what the provider then posts to the client's server as `logout_token`, one for each sign-in, in order (OpenID Connect
  ///   Back-Channel Logout 1.0 §2.4).
  /// - Throws: ``/OstiaryJOSE/JOSEError``.
  public func logOut(_ user: String, of client: String = "app") throws -> [Secret] {
    let now = now
    return try state.withLock { try $0.logOut(user, of: client, now) }
  }

  // MARK: What was done

  /// What it has done so far.
  public var counts: ProviderCounts { state.withLock { $0.counts } }

  /// The users who are signed in to clients, one with two sign-ins twice, in order.
  public var signedInUsers: [String] {
    state.withLock { state in state.grants.values.compactMap { $0.user?.id }.sorted() }
  }

  // MARK: What it answers

  /// Answers a request: the handler of a ``ScriptedTransport``.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `connectionLost` for a lost answer and `timedOut` for one that comes too late.
  public func respond(to request: TransportRequest) async throws -> TransportResponse {
    let now = now
    switch state.withLock({ $0.answer(request, at: now) }) {
    case .answer(let response): return response
    case .loseAnswer:
      throw OstiaryError(
        .connectionLost, "The connection broke before the response was complete.", request: request.head)
    case .answerLate(let response, let lateness):
      try await clock.sleep(for: min(lateness, request.timeout))
      guard lateness < request.timeout else {
        throw OstiaryError(.timedOut, "The server did not answer in time.", request: request.head)
      }
      return response
    }
  }
}
