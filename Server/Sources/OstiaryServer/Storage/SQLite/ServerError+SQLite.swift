import Foundation
internal import GRDB

extension ServerError {
  /// The error for a failure of SQLite.
  static func sqlite(_ error: DatabaseError) -> ServerError {
    // SQLite's message is kept, never the statement's arguments: they may contain hashes.
    let cause = DatabaseError(resultCode: error.extendedResultCode, message: error.message)
    switch error.resultCode {
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      return ServerError(
        .storageBusy, "Another program keeps the database locked.",
        advice: "Try again; if it stays so, see which program uses the folder.", retryAfter: .seconds(1),
        underlying: cause
      )
    case .SQLITE_ERROR where error.message?.hasPrefix("no such table") == true: return .tablesGone(cause)
    case .SQLITE_FULL:
      return ServerError(
        .storageFull, "The disk is full.", advice: "Free some space; nothing has been lost.", retryAfter: .seconds(30),
        underlying: cause)
    case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN, .SQLITE_AUTH:
      return ServerError(
        .storageDenied, "The database can't be opened for writing.",
        advice: "Check who owns the folder and its files.", retryAfter: .seconds(30), underlying: cause)
    case .SQLITE_CORRUPT, .SQLITE_NOTADB:
      return ServerError(
        .storageCorrupt, "The file is damaged or is not a database.",
        advice: "Move it aside and restore a backup, or start with an empty folder.", underlying: cause)
    case .SQLITE_MISUSE:
      return ServerError(
        .storageClosed, "The database has been closed.", advice: "Start the server again.", retryAfter: .seconds(5),
        underlying: cause)
    default:
      return ServerError(
        .storageFailed, "The database failed (\(error.resultCode.rawValue)).",
        advice: "Look at the underlying error.", retryAfter: .seconds(5), underlying: cause)
    }
  }
}
