internal import GRDB
internal import OstiaryPostgreSQL

extension ServerError {
  /// The error for a failure of the database.
  static func storage(_ error: any Error) -> ServerError {
    switch error {
    case let error as ServerError: error
    case let error as DatabaseError: .sqlite(error)
    case let error as PostgreSQLFailure: .postgreSQL(error)
    case let error as PostgreSQLTransaction.UnknownOutcome: .outcomeUnknown(error.cause)
    default:
      ServerError(.storageFailed, "The database failed.", advice: "Look at the underlying error.", underlying: error)
    }
  }

  /// The database's content was copied to another place, where it is used now.
  static func storageMoved(_ place: String) -> ServerError {
    ServerError(
      .storageMoved, "The data of this database was moved to \(place).", advice: "Start the server with that one.")
  }

  /// A server finds its tables gone.
  static func tablesGone(_ cause: any Error) -> ServerError {
    ServerError(
      .storageMoved, "The database has its tables no more: its data was moved, perhaps.",
      advice: "Start the server again; it says where the data is.", retryAfter: .seconds(5), underlying: cause)
  }

  /// The database was written by a newer server.
  static var storageTooNew: ServerError {
    ServerError(
      .storageTooNew, "The database was written by a newer Ostiary.", advice: "Update this one, or use another folder.")
  }
}
