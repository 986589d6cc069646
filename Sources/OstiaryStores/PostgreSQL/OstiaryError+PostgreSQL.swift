#if PostgreSQL
  import OstiaryCore
  import OstiaryPostgreSQL

  /// Beneath an error: the connection is gone, and another may do.
  struct PostgreSQLConnectionLost: Error {
    /// Whether what was under way may have been done.
    let mayBeDone: Bool
  }

  extension OstiaryError {
    /// A failure of a connection. Where it broke, or no answer came, what was under way may have been done or not.
    init(_ failure: PostgreSQLFailure) {
      let message = failure.message
      switch failure.kind {
      case .cannotConnect where failure == .unreadableConnectionString:
        self.init(
          .storeUnavailable, "The connection string for PostgreSQL can't be understood.",
          advice: "Write it as postgresql://user:password@host/database, or as host=… dbname=….", disposition: .misuse)
      case .cannotConnect:
        self.init(
          .storeUnavailable, "Cannot connect to PostgreSQL: \(message).",
          advice: "Check that the server runs, its address, the user and the password; the user stays signed in.")
      case .lost:
        self = .postgreSQLLost(message)
      case .noAnswer:
        self.init(
          .storeUnavailable, "\(message).", advice: "Check the database server and the network, then try again.")
      case .refused:
        self.init(
          .storeUnavailable, "PostgreSQL refused (\(failure.state)): \(message).",
          advice: Self.postgreSQLAdvice(state: failure.state))
      }
    }

    /// The connection broke while it was used. What was under way may have been done or not.
    static func postgreSQLLost(_ reason: String) -> OstiaryError {
      OstiaryError(
        .storeUnavailable, "The connection to PostgreSQL broke (\(reason)).",
        advice: "Try again; the user stays signed in.", underlying: PostgreSQLConnectionLost(mayBeDone: true))
    }

    /// Exclusive access ended before the work under it did, because its connection is gone.
    static var postgreSQLAccessLost: OstiaryError {
      OstiaryError(
        .storeUnavailable, "The connection to PostgreSQL broke, and with it the exclusive access to the session.",
        advice: "Try again: read first, another process may have changed it.",
        underlying: PostgreSQLConnectionLost(mayBeDone: false))
    }

    /// What to do about a statement that was refused.
    /// - Parameter state: the SQLSTATE (PostgreSQL, Appendix A).
    private static func postgreSQLAdvice(state: String) -> String {
      switch state {
      case "25006": "Connect to the primary server (target_session_attrs=read-write)."
      case "42501": "Grant SELECT, INSERT, UPDATE and DELETE on the table, or CREATE on the schema."
      case "42P01": "The table has been dropped. Start the program again to create it."
      case "53100": "Free some space on the database server; the user stays signed in."
      case "53300": "Allow the server more connections, or this store fewer."
      case "57014": "The database is too slow or something holds a lock on the table."
      default: "Check the database server, then try again; the user stays signed in."
      }
    }
  }
#endif
