#if PostgreSQL
  import OstiaryCore

  /// Beneath an error: the connection is gone, and another may do.
  struct PostgreSQLConnectionLost: Error {
    /// Whether what was under way may have been done.
    let mayBeDone: Bool
  }

  extension OstiaryError {
    /// No connection could be made.
    static func postgreSQL(cannotConnect message: String, password: Secret?) -> OstiaryError {
      // The first line says what happened. The other lines, and a password, must not reach an error message.
      var line = message.split(separator: "\n").first.map(String.init) ?? "no reason is known"
      if let password, !password.isEmpty, line.contains(password.reveal()) { line = "the reason names the password" }
      return OstiaryError(
        .storeUnavailable, "Cannot connect to PostgreSQL: \(line).",
        advice: "Check that the server runs, its address, the user and the password; the user stays signed in.")
    }

    /// The connection broke while it was used. What was under way may have been done or not.
    static func postgreSQLLost(_ message: String) -> OstiaryError {
      let line = message.split(separator: "\n").first.map { " (\($0))" } ?? ""
      return OstiaryError(
        .storeUnavailable, "The connection to PostgreSQL broke\(line).",
        advice: "Try again; the user stays signed in.", underlying: PostgreSQLConnectionLost(mayBeDone: true))
    }

    /// Exclusive access ended before the work under it did, because its connection is gone.
    static var postgreSQLAccessLost: OstiaryError {
      OstiaryError(
        .storeUnavailable, "The connection to PostgreSQL broke, and with it the exclusive access to the session.",
        advice: "Try again: read first, another process may have changed it.",
        underlying: PostgreSQLConnectionLost(mayBeDone: false))
    }

    /// A statement failed.
    /// - Parameters:
    ///   - state: the SQLSTATE (PostgreSQL, Appendix A).
    ///   - message: PostgreSQL's own sentence, which quotes no data.
    static func postgreSQL(state: String, message: String) -> OstiaryError {
      let advice: String
      switch state {
      case "25006": advice = "Connect to the primary server (target_session_attrs=read-write)."
      case "42501": advice = "Grant SELECT, INSERT, UPDATE and DELETE on the table, or CREATE on the schema."
      case "42P01": advice = "The table has been dropped. Start the program again to create it."
      case "53100": advice = "Free some space on the database server; the user stays signed in."
      case "53300": advice = "Allow the server more connections, or this store fewer."
      case "57014": advice = "The database is too slow or something holds a lock on the table."
      default: advice = "Check the database server, then try again; the user stays signed in."
      }
      return OstiaryError(.storeUnavailable, "PostgreSQL refused (\(state)): \(message).", advice: advice)
    }
  }
#endif
