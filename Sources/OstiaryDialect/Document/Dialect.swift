/// What one API calls things: its calls, what they answer, and what its refusals mean. A document, or a value that is built in Swift.
///
/// A document names paths of the app's origins only, never a host; ``check()`` finds what contradicts itself.
public struct Dialect: Sendable, Hashable {
  /// The version of the format that this library reads and writes.
  public static let version = 1

  /// A short name in lower case, such as `simplejwt`.
  public var name: String
  /// The API's name for people; the name where the document has none.
  public var title: String
  /// The pages that the document was written from.
  public var sources: [String]
  /// The server's roles; the first is the main one. The app gives an origin for each.
  public var servers: [DialectServer]
  /// What the app has to know of its project: keys, names of tenants.
  public var settings: [DialectSetting]
  /// The calls before signing in, in their order.
  public var prepare: [DialectCall]
  /// The calls that sign in, in their order.
  public var signIn: [DialectCall]
  /// The calls of a second step, by the kind of question: `continue` in the document.
  public var continuations: [DialectContinuation]
  /// The call that renews the session.
  public var renew: DialectCall?
  /// The call that tells whether the session is good.
  public var verify: DialectCall?
  /// The call that tells who the user is.
  public var who: DialectCall?
  /// The call that ends the session at the server.
  public var end: DialectCall?
  /// What the session's requests carry.
  public var proof: DialectProof
  /// What refusals mean, for every call; a call's own come first.
  public var meanings: [DialectMeaning]
  /// How the session is renewed.
  public var renewal: DialectRenewal

  /// Makes a dialect. Nothing is checked here: an authenticator checks the dialect that it is made with.
  public init(
    name: String, title: String? = nil, sources: [String] = [], servers: [DialectServer] = [DialectServer("server")],
    settings: [DialectSetting] = [], prepare: [DialectCall] = [], signIn: [DialectCall],
    continuations: [DialectContinuation] = [], renew: DialectCall? = nil, verify: DialectCall? = nil,
    who: DialectCall? = nil, end: DialectCall? = nil, proof: DialectProof = .bearer, meanings: [DialectMeaning] = [],
    renewal: DialectRenewal = .none
  ) {
    self.name = name
    self.title = title ?? name
    self.sources = sources
    self.servers = servers
    self.settings = settings
    self.prepare = prepare
    self.signIn = signIn
    self.continuations = continuations
    self.renew = renew
    self.verify = verify
    self.who = who
    self.end = end
    self.proof = proof
    self.meanings = meanings
    self.renewal = renewal
  }

  /// The name of the main server's role.
  public var mainServer: String { servers.first?.name ?? "server" }
}
