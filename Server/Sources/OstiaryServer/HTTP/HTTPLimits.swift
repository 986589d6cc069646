/// How much of a client's bytes and time the server accepts.
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
  /// The most connections at a time; further ones wait to be accepted. 4096 by default.
  public var connections = 4096

  /// The defaults.
  public init() {}
}
