/// Something that a test waited for did not happen in time.
public struct WaitTimedOut: Error, Sendable, CustomStringConvertible {
  /// What was waited for.
  public let awaited: String
  /// How long.
  public let limit: Duration

  public var description: String { "Waited \(limit) in vain for \(awaited)." }
}
