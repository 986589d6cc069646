public import Foundation

/// Everything that can be said about a server before it starts.
///
/// The defaults are safe: loopback, no development switches, limits on. A configuration that isn't is refused as a
/// whole, with the list of everything that is wrong with it.
@dynamicMemberLookup
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
  package var http = HTTPLimits()
  /// How many wrong passwords are looked at.
  package var loginLimits = LoginLimits.standard
  /// How long the server remembers what happened.
  package var audit = AuditSettings()
  /// How long a stop waits for requests in flight. 10 s by default.
  public var stopTime: Duration = .seconds(10)
  /// The switches of development mode, or nil, the default, for none.
  public var development: DevelopmentMode?
  /// What the doors are told, each under its own name: `configuration.pega`. Nil leaves a door closed.
  public var doors: DoorSettings
  /// How mail is sent; nil sends none, and then nobody can sign up or recover a password (in development mode it goes to
  /// a mailbox that the server shows).
  public var mail: MailConfiguration?

  /// The defaults: every door is open.
  public init() {
    doors = DoorSettings(opening: houseDoors)
  }

  /// The settings of a door.
  public subscript<Value>(dynamicMember member: WritableKeyPath<DoorSettings, Value>) -> Value {
    get { doors[keyPath: member] }
    set { doors[keyPath: member] = newValue }
  }
}
