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
}
