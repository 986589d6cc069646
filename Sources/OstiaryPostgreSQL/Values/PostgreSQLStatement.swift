#if PostgreSQL
  /// A statement with its values, of several that are run in one round trip.
  public struct PostgreSQLStatement: Sendable {
    /// The statement, with `$1` and so on for its values.
    public let text: String
    /// The values of its parameters.
    public let values: [PostgreSQLValue]
    /// Whether it is prepared under a name, once a session, for a statement that comes again.
    public let keepsPrepared: Bool

    /// Makes a statement.
    public init(_ text: String, _ values: [PostgreSQLValue] = [], keepsPrepared: Bool = true) {
      self.text = text
      self.values = values
      self.keepsPrepared = keepsPrepared
    }
  }
#endif
