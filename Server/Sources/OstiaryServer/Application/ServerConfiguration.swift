public import CoreMetrics
public import Foundation
public import Tracing

/// The configuration of a server before it starts.
///
/// The defaults are safe: loopback, no development switches, limits on. An invalid configuration is refused as a whole,
/// with the list of all its problems.
@dynamicMemberLookup
public struct ServerConfiguration: Sendable {
  /// Where users and sessions are stored.
  public enum Storage: Sendable, Hashable {
    /// In memory, which ends with the server.
    case memory
    /// In a folder, which is made if it does not exist.
    case folder(URL)
    /// In a database of PostgreSQL.
    case postgreSQL(PostgreSQLDatabase)
  }

  /// The address to listen on: a numeric address or a name. Loopback by default.
  public var host = "127.0.0.1"
  /// The port to listen on; 0 takes a free one.
  public var port = 8080
  /// The origin under which clients reach the server, such as `https://id.example.org`.
  ///
  /// It is never derived from a request. Nil means the address on which the server listens, with `https` if ``tls`` is
  /// set; behind a proxy it must be given.
  public var publicOrigin: String?
  /// The numeric addresses of proxies whose report of the client's address (`X-Forwarded-For`) is trusted. None by default.
  ///
  /// Behind a proxy that isn't named here every client has the proxy's address, and all share its limit of wrong passwords.
  public var trustedProxies: [String] = []
  /// Where users and sessions are stored.
  public var storage = Storage.memory
  /// The places that may have the key of a server with a folder; the folder alone by default.
  package var keys = ServerKeySources()
  /// The server's certificate; nil speaks plain HTTP, which is refused off loopback unless ``publicOrigin`` is
  /// `https`, as behind a proxy that ends TLS.
  public var tls: TLSSource?
  /// The limits of a client's bytes and time.
  package var http = HTTPLimits()
  /// How many wrong passwords are verified.
  package var loginLimits = LoginLimits.standard
  /// How long the server keeps events.
  package var audit = AuditSettings()
  /// What the server says of itself to others that share its database.
  package var node = NodeName()
  /// How long a stop waits for requests in flight. 10 s by default.
  public var stopTime: Duration = .seconds(10)
  /// Where `/healthz`, `/readyz` and `/metrics` are answered for those who watch the server. Nowhere by default: clients never
  /// reach them.
  public var operations = OperationsAddress.off
  /// Lets other machines reach ``operations``. They see how the server is used, and what ails it.
  public var dangerouslyOffersOperationsBeyondLoopback = false
  /// Gets the metrics as well, in a program that has a system of its own for them. Values that only `/metrics` asks for are those of
  /// the last time that it was read.
  public var metrics: (any MetricsFactory)?
  /// Where spans of requests are sent. Nowhere by default.
  package var tracing: TraceSettings?
  /// Gets the spans instead of a collector, in a program that has a system of its own for them.
  public var tracer: (any Tracer)?
  /// The switches of development mode; nil, the default, for none.
  public var development: DevelopmentMode?
  /// The options of the doors, each under its own name: `configuration.pega`. Nil turns a door off.
  public var doors: DoorSettings
  /// How mail is sent; nil sends none, and then no user can sign up or recover a password (in development mode the mail
  /// goes to a mailbox that the server shows).
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
