public import Foundation
public import OstiaryCore
public import OstiaryJOSE

/// How a ``ScriptedProvider`` works. Each setting is one that real providers differ in; none of them is a mistake.
public struct ProviderSettings: Sendable {
  /// The issuer. Its endpoints are below it.
  public var issuer = "https://provider.example"
  /// The APIs that take its tokens, as resource indicators (RFC 8707): each address below one belongs to it.
  public var resources = ["https://api.example/"]
  /// The clients that it knows.
  public var clients = [ProviderClient()]
  /// Whether other clients can register themselves (RFC 7591).
  public var registersClients = true
  /// Which documents it has.
  public var documents: Set<ProviderEndpoint> = [.openIDMetadata, .serverMetadata]
  /// How long its metadata and keys may be kept, as `Cache-Control` says it; `nil`: it does not say.
  public var cacheControl: String?

  /// Whether sign-ins give a refresh token.
  public var givesRefreshTokens = true
  /// What becomes of a refresh token that is used.
  public var rotation = RefreshRotation.strict
  /// How long an access token is good; `nil`: until the test says otherwise, and the client is not told.
  public var accessTokenLifetime: Duration? = .seconds(300)
  /// How long an ID token is good.
  public var idTokenLifetime: Duration = .seconds(300)
  /// How long a code is good.
  public var codeLifetime: Duration = .seconds(60)
  /// How long the address of a pushed request is good.
  public var requestURILifetime: Duration = .seconds(60)
  /// How long a device's codes are good.
  public var deviceCodeLifetime: Duration = .seconds(600)
  /// How long a device waits between asking.
  public var deviceInterval: Duration = .seconds(5)

  /// Whether its metadata promise to name the issuer in callbacks, and it does so (RFC 9207).
  public var namesIssuerInCallbacks = true
  /// Whether authorization requests have to be pushed (RFC 9126 §5).
  public var requiresPushedRequests = false
  /// Whether tokens are given for proofs of possession only (RFC 9449).
  public var requiresProofs = false
  /// Which nonces proofs need.
  public var nonces = NonceMode.none
  /// Whether userinfo answers are signed (OpenID Connect Core §5.3.2).
  public var signsUserInfo = false
  /// How strongly users sign in when a client asks for nothing (`acr`).
  public var usualStrength = "1"
  /// What its APIs want of the user's sign-in (RFC 9470).
  public var demand: StepUpDemand?
  /// Whether an API's refusals name its document (RFC 9728 §5.1).
  public var namesResourceMetadata = true

  /// How long a late answer takes (``ProviderFault/lateAnswer``).
  public var lateness: Duration = .seconds(90)
  /// How far the provider's clock is ahead, in seconds.
  public var clockOffset: TimeInterval = 0

  /// The usual settings.
  public init() {}
}

/// What becomes of a refresh token that is used.
public enum RefreshRotation: Sendable, Hashable {
  /// It stays, and the answer has none.
  case none
  /// It is good once. Presented again it is taken for stolen, and its sign-in is over (RFC 9700 §4.14.2).
  case strict
  /// It is good for the same answer again, as long as nothing of that was used. Then as ``strict``.
  case repeatsSuccessor
  /// It is good for so long after its first use, each time for other tokens. Then as ``strict``.
  case grace(Duration)
  /// It is good until an access token that was given for it is used, each time for other tokens. Then it is refused, and
  /// its sign-in goes on (Doorkeeper does so).
  case onFirstUse
}

/// Which nonces a provider and its APIs want in proofs (RFC 9449 §8 and §9). The provider and each API have their own.
public enum NonceMode: Sendable, Hashable {
  /// None.
  case none
  /// Always the same.
  case fixed
  /// Each answer brings a new one, and all are good.
  case eachAnswer
  /// Each answer brings a new one, and only the newest is good.
  case onlyNewest
}

/// What an API wants of a user's sign-in (RFC 9470 §3).
public struct StepUpDemand: Sendable, Hashable {
  /// How strong it has to be: one of these (`acr`); empty: each will do.
  public var strengths: [String]
  /// How long ago it may be, in seconds.
  public var maximumAge: Int?

  /// Makes a demand.
  public init(strengths: [String] = [], maximumAge: Int? = nil) {
    self.strengths = strengths
    self.maximumAge = maximumAge
  }
}

/// A client as a provider knows it. It proves itself in one of the ways that its members allow: by its secret, with its
/// key, and by its identifier alone only where it has neither.
public struct ProviderClient: Sendable {
  /// Its identifier.
  public var id: String
  /// Its secret: for `client_secret_basic`, `client_secret_post` and `client_secret_jwt`.
  public var secret: Secret?
  /// Its public key: for `private_key_jwt`.
  public var key: PublicJWK?
  /// Where its users are sent, ports of loopback addresses aside; empty: each address.
  public var redirectURIs: [String]

  /// Makes a client.
  public init(
    id: String = "app", secret: Secret? = nil, key: PublicJWK? = nil, redirectURIs: [String] = []
  ) {
    self.id = id
    self.secret = secret
    self.key = key
    self.redirectURIs = redirectURIs
  }
}

/// A user of a provider.
public struct ProviderUser: Sendable, Hashable {
  /// `sub`.
  public var id: String
  /// `name`.
  public var name: String

  /// Makes a user.
  public init(id: String, name: String? = nil) {
    self.id = id
    self.name = name ?? id
  }
}

/// What a provider has done.
public struct ProviderCounts: Sendable, Equatable {
  /// How many requests there were at each endpoint, those that were refused included.
  public internal(set) var requests: [ProviderEndpoint: Int] = [:]
  /// Codes that became tokens.
  public internal(set) var signIns = 0
  /// Renewals that succeeded.
  public internal(set) var renewals = 0
  /// Renewals that were answered a second time, because the first answer may have been lost.
  public internal(set) var repeatedRenewals = 0
  /// Refresh tokens that were presented after their time, and ended their sign-in.
  public internal(set) var reusedRefreshTokens = 0
  /// Proofs that were refused for their nonce (`use_dpop_nonce`).
  public internal(set) var demandedNonces = 0
  /// Requests that an API refused for the user's sign-in (RFC 9470).
  public internal(set) var demandedStepUps = 0
  /// Requests that an API has executed.
  public internal(set) var executed = 0

  /// How many requests there were at an endpoint.
  public subscript(endpoint: ProviderEndpoint) -> Int { requests[endpoint] ?? 0 }

  /// How many requests there were in all, pages included.
  public var total: Int { requests.values.reduce(0, +) }
}
