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

  /// Whether the database reads, and takes no writes for now: its disk is full, or it is a standby, or was set to read only.
  var isAboutWritesAlone: Bool {
    if code == .storageFull { return true }
    return switch underlying {
    case let error as DatabaseError: error.resultCode == .SQLITE_READONLY
    case let error as PostgreSQLFailure: error.kind == .refused && error.state == "25006"
    default: false
    }
  }
}
