#if PostgreSQL
  /// What the server says besides its answers: a notice or a warning.
  public struct PostgreSQLNotice: Hashable, Sendable {
    /// `WARNING`, `NOTICE`, `INFO`, `LOG` or `DEBUG`, in every language of the server.
    public let severity: String
    /// The SQLSTATE.
    public let state: String
    /// The primary message, in the server's language.
    public let message: String

    /// Makes a notice.
    public init(severity: String, state: String, message: String) {
      self.severity = severity
      self.state = state
      self.message = message
    }
  }

  /// What another session, or this one, has announced by `NOTIFY` on a channel that this one listens to.
  public struct PostgreSQLNotification: Hashable, Sendable {
    /// The channel.
    public let channel: String
    /// The text that came with it, at most 8,000 bytes; often empty.
    public let payload: String
    /// The process of the session that announced it.
    public let backend: Int

    /// Makes a notification.
    public init(channel: String, payload: String, backend: Int) {
      self.channel = channel
      self.payload = payload
      self.backend = backend
    }
  }

  /// Where a session stands with its transaction.
  public enum PostgreSQLTransactionState: Sendable {
    /// In none.
    case idle
    /// A statement is under way.
    case active
    /// In one, between statements.
    case inTransaction
    /// In one of which a statement has failed: only a rollback is possible.
    case failed
    /// The connection is broken.
    case unknown
  }
#endif
