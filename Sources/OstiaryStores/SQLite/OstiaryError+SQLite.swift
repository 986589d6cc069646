#if SQLite
  import Foundation
  import GRDB
  import OstiaryCore

  extension OstiaryError {
    /// Whether SQLite has failed for lack of room. Some file systems say so only as a failure to write.
    var isSQLiteFull: Bool {
      guard let code = (underlying as? DatabaseError)?.resultCode else { return false }
      return code == .SQLITE_FULL || code == .SQLITE_IOERR
    }

    /// What a failure of SQLite means. Statements and their arguments are left out: they may hold sessions.
    static func sqlite(_ error: any Error, _ path: String) -> OstiaryError {
      if let error = error as? OstiaryError { return error }
      guard let error = error as? DatabaseError else {
        return OstiaryError(.storeUnavailable, "The database \(path) failed.", underlying: error)
      }
      let reason: String
      let advice: String
      switch error.resultCode {
      case .SQLITE_BUSY, .SQLITE_LOCKED:
        (reason, advice) = (
          "another program keeps it locked", "Try again; if it stays so, see which program uses the folder."
        )
      case .SQLITE_FULL:
        (reason, advice) = ("the disk is full", "Free some space; the user stays signed in.")
      case .SQLITE_READONLY:
        (reason, advice) = ("it is read-only", "Check who owns the folder and whether its disk can be written.")
      case .SQLITE_PERM, .SQLITE_CANTOPEN, .SQLITE_AUTH:
        (reason, advice) = ("it can't be opened", "Check who owns the folder and the files in it.")
      case .SQLITE_IOERR:
        (reason, advice) = ("the disk failed or is full", "Check the disk, then try again; the user stays signed in.")
      case .SQLITE_MISUSE:
        (reason, advice) = ("it has just been closed", "Try again.")
      case .SQLITE_TOOBIG:
        (reason, advice) = ("the session is too large", "Keep less in the session's attributes.")
      default:
        (reason, advice) = ("error \(error.extendedResultCode.rawValue)", "Look at the underlying error.")
      }
      return OstiaryError(
        .storeUnavailable, "Cannot use the database \(path): \(reason).", advice: advice,
        underlying: DatabaseError(resultCode: error.extendedResultCode, message: error.message))
    }
  }
#endif
