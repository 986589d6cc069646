/// How much of a client's bytes and time the server accepts, and how many connections.
///
/// What is `nil` is computed when the server starts, from what the machine lets the process have; ``OstiaryApplication``
/// writes the result to its log.
public struct HTTPLimits: Sendable {
  /// The longest request body, in bytes; beyond it the answer is 413. 1 MiB by default.
  public var bodySize = 1 << 20
  /// The longest header section, in bytes; beyond it the answer is 400. 32 KiB by default.
  public var headerSize = 32 << 10
  /// The most header fields. 100 by default.
  public var headerCount = 100
  /// How long a connection may stay silent, or take to send a header section, before it is closed. 60 s by default.
  public var idleTime: Duration = .seconds(60)
  /// How long a request body may take to arrive as a whole; beyond it the answer is 408. 20 s by default.
  public var bodyTime: Duration = .seconds(20)
  /// How long a client may take to read 16 KiB of an answer, or the rest of it; then the connection is closed. 30 s by default.
  public var writeTime: Duration = .seconds(30)
  /// The most connections at a time. One more takes the place of the one that has been silent for longest; where none is silent
  /// it is answered with 503. By default 4096, or fewer where the process may not open so many files.
  public var connections: Int?
  /// The most connections from one address (of IPv6: from one /64), trusted proxies and this machine aside. By default a
  /// quarter of ``connections``, but 8 at least.
  public var connectionsPerAddress: Int?
  /// The most requests under way for one client, also behind a trusted proxy; beyond it the answer is 429. By default as many
  /// as ``connectionsPerAddress``.
  public var requestsPerClient: Int?

  /// The defaults.
  public init() {}
}
