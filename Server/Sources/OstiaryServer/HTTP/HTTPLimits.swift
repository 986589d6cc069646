/// The limits of a client's bytes and time, and of connections.
///
/// A limit that is `nil` is computed when the server starts, from the limits of the process; ``OstiaryApplication``
/// writes the result to its log.
package struct HTTPLimits: Sendable {
  /// The longest request body, in bytes; beyond it the answer is 413. 1 MiB by default.
  package var bodySize = 1 << 20
  /// The longest header section, in bytes; beyond it the answer is 400. 32 KiB by default.
  package var headerSize = 32 << 10
  /// The most header fields. 100 by default.
  package var headerCount = 100
  /// How long a connection may stay silent, or take to send a header section, before it is closed. 60 s by default.
  package var idleTime: Duration = .seconds(60)
  /// How long a request body may take to arrive as a whole; beyond it the answer is 408. 20 s by default.
  package var bodyTime: Duration = .seconds(20)
  /// How long a client may take to read 16 KiB of an answer, or the rest of it; then the connection is closed. 30 s by default.
  package var writeTime: Duration = .seconds(30)
  /// The most connections at a time. One more takes the place of the one that has been silent for longest; where none is silent
  /// it is answered with 503. By default 4096. Fewer where the process may not open so many files, or half of the machine's memory
  /// does not hold what clients may send by them.
  package var connections: Int?
  /// The most connections from one address (of IPv6: from one /64), except trusted proxies and this machine. By default
  /// a quarter of ``connections``, but 8 at least.
  package var connectionsPerAddress: Int?
  /// The most requests under way for one client, also behind a trusted proxy; above it the answer is 429. By default as many as
  /// ``connectionsPerAddress``.
  package var requestsPerClient: Int?

  /// What a connection may hold of its client's bytes.
  var connectionSize: Int { headerSize + bodySize }

  /// The defaults.
  package init() {}
}
