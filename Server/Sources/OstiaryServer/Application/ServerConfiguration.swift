public import Foundation
import OstiaryCore

/// Everything that can be said about a server before it starts.
///
/// The defaults are safe: loopback, no development switches, limits on. A configuration that isn't is refused as a
/// whole, with the list of everything that is wrong with it.
public struct ServerConfiguration: Sendable {
  /// Where users and sessions rest.
  public enum Storage: Sendable, Hashable {
    /// In memory, gone with the server.
    case memory
    /// In a folder, made if need be.
    case folder(URL)
  }

  /// The address to listen on: a numeric address or a name. Loopback by default.
  public var host = "127.0.0.1"
  /// The port to listen on; 0 takes a free one.
  public var port = 8080
  /// The origin under which clients reach the server, such as `https://id.example.org`.
  ///
  /// It is never derived from a request. Nil means the address that is listened on, with `https` where ``tls`` is set;
  /// behind a proxy it must be given.
  public var publicOrigin: String?
  /// The numeric addresses of proxies whose word on the client's address (`X-Forwarded-For`) is taken. None by default.
  ///
  /// Behind a proxy that isn't named here everybody has the proxy's address, and shares its limit of wrong passwords.
  public var trustedProxies: [String] = []
  /// Where users and sessions rest.
  public var storage = Storage.memory
  /// The server's certificate; nil speaks plain HTTP, which is refused off loopback unless ``publicOrigin`` is
  /// `https`, as behind a proxy that ends TLS.
  public var tls: TLSSource?
  /// How much of a client's bytes and time is accepted.
  public var http = HTTPLimits()
  /// How many wrong passwords are looked at.
  public var loginLimits = LoginLimits.standard
  /// How long a stop waits for requests in flight. 10 s by default.
  public var stopTime: Duration = .seconds(10)
  /// The switches of development mode, or nil, the default, for none.
  public var development: DevelopmentMode?
  /// The Pega door; nil leaves it closed.
  public var pega: PegaDoorConfiguration? = PegaDoorConfiguration()
  /// The Newzulu door; nil leaves it closed.
  public var newzulu: NewzuluDoorConfiguration? = NewzuluDoorConfiguration()
  /// The gateway door; nil leaves it closed.
  public var gateway: GatewayDoorConfiguration? = GatewayDoorConfiguration()
  /// The Salesforce door; nil leaves it closed.
  public var salesforce: SalesforceDoorConfiguration? = SalesforceDoorConfiguration()
  /// The Primer door; nil leaves it closed.
  public var primer: PrimerDoorConfiguration? = PrimerDoorConfiguration()
  /// The server's own pages for accounts; nil leaves them out.
  public var accounts: AccountConfiguration? = AccountConfiguration()
  /// How mail is sent; nil sends none, and then nobody can sign up or recover a password (in development mode it goes to
  /// a mailbox that the server shows).
  public var mail: MailConfiguration?

  /// The defaults.
  public init() {}

  /// Whether ``host`` is this machine only.
  var isLoopback: Bool {
    Origin(scheme: "http", host: bareHost, port: nil)?.isLoopback ?? false
  }

  /// Whether nobody on another machine can reach the server, as far as it is told.
  var isForThisMachineOnly: Bool {
    isLoopback && publicOrigin.flatMap(Self.origin)?.isLoopback ?? true
  }

  /// Whether a proxy ends TLS, and nobody said which.
  var hasUnknownProxy: Bool {
    tls == nil && trustedProxies.isEmpty && publicOrigin.flatMap(Self.origin)?.isSecure == true
  }

  /// ``host`` without the brackets that an IPv6 address may have been written with.
  var bareHost: String {
    host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
  }

  /// The origin that clients use, once the port is known.
  func origin(boundPort: Int) -> Origin? {
    if let publicOrigin { return Self.origin(publicOrigin) }
    return Origin(scheme: tls == nil ? "http" : "https", host: bareHost, port: boundPort)
  }

  /// Reads an origin and nothing more: no user, path, query or fragment.
  static func origin(_ text: String) -> Origin? {
    guard let url = URL(string: text), url.user == nil, url.password == nil, url.query == nil, url.fragment == nil,
      url.path.isEmpty || url.path == "/"
    else { return nil }
    return Origin(url)
  }
}
