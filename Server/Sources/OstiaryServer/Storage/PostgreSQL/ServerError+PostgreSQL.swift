internal import OstiaryPostgreSQL

extension ServerError {
  /// The error for a failure of PostgreSQL.
  static func postgreSQL(_ failure: PostgreSQLFailure) -> ServerError {
    let cause = failure.withoutValues
    switch failure.kind {
    case .cannotConnect:
      return ServerError(
        .storageUnavailable, "PostgreSQL can't be reached.",
        advice: "Check that it runs, and its address, user and password.", retryAfter: .seconds(2), underlying: cause)
    case .lost, .noAnswer: return .postgreSQLAway(cause)
    case .refused: break
    }
    switch failure.state.prefix(2) {
    case _ where ["57P01", "57P02", "57P03", "53300"].contains(failure.state): return .postgreSQLAway(cause)
    case _ where failure.state == "42P01": return .tablesGone(cause)
    case "40":
      return ServerError(
        .storageBusy, "Too many transactions changed the same data.", advice: "Try again.", retryAfter: .seconds(1),
        underlying: cause)
    case "57", "55":
      return ServerError(
        .storageBusy, "PostgreSQL did not finish in time.",
        advice: "Try again; if it stays so, see what it is busy with.",
        retryAfter: .seconds(1), underlying: cause)
    case "53":
      return ServerError(
        .storageFull, "PostgreSQL has no more disk space or memory.",
        advice: "Free some; nothing has been lost.", retryAfter: .seconds(30), underlying: cause)
    case "25", "28", "3D", "42":
      return ServerError(
        .storageDenied, "PostgreSQL does not let this server use the database.",
        advice: "Check the user's rights, and that the database takes writes.", retryAfter: .seconds(5),
        underlying: cause)
    case "XX":
      return ServerError(
        .storageCorrupt, "PostgreSQL reports damaged data.", advice: "Look at its log, and restore a backup.",
        underlying: cause)
    default:
      return ServerError(
        .storageFailed, "The database failed (\(failure.state)).", advice: "Look at the underlying error.",
        retryAfter: .seconds(5), underlying: cause)
    }
  }

  /// A COMMIT was sent, and its outcome was not learnt.
  static func outcomeUnknown(_ failure: PostgreSQLFailure?) -> ServerError {
    ServerError(
      .storageUnavailable, "PostgreSQL did not confirm a change.",
      advice: "Try again: the change may have been made.", retryAfter: .seconds(2), underlying: failure?.withoutValues)
  }

  /// What was read may be what a primary knew before another one took its place.
  static var primaryUnproven: ServerError {
    ServerError(
      .storageUnavailable, "PostgreSQL did not confirm in time that it is the primary.", advice: "Try again.",
      retryAfter: .seconds(2))
  }

  private static func postgreSQLAway(_ cause: PostgreSQLFailure) -> ServerError {
    ServerError(
      .storageUnavailable, "The connection to PostgreSQL broke, or it did not answer.", advice: "Try again.",
      retryAfter: .seconds(2), underlying: cause)
  }
}

extension PostgreSQLFailure {
  /// Whether the server has no room on its disk. That it has too little memory, or too many connections, is something else.
  var isAboutDisk: Bool { kind == .refused && state == "53100" }

  /// The same failure, without a message that may quote a value: those of the classes "data exception" and "integrity
  /// constraint violation", and any that is unknown.
  fileprivate var withoutValues: PostgreSQLFailure {
    let isSafe =
      kind != .refused
      || ["08", "25", "26", "28", "3D", "40", "42", "53", "55", "57", "58", "XX"].contains(state.prefix(2))
    return isSafe ? self : PostgreSQLFailure(kind, state: state, message: "")
  }
}
