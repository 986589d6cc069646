#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif
internal import Foundation

extension OstiaryError {
  /// The store's folder or a file in it can't be used: what a failed system call means, in words.
  /// - Parameters:
  ///   - code: the call's `errno`.
  ///   - action: what was tried, to follow "cannot": `read`.
  package static func file(_ code: CInt, cannot action: String, _ path: String) -> OstiaryError {
    let reason: String
    let advice: String
    switch code {
    case EACCES, EPERM:
      (reason, advice) = ("permission is denied", "Check who owns it and what it allows.")
    case ENOSPC, EDQUOT:
      (reason, advice) = ("the disk is full", "Free some space; the user stays signed in.")
    case EFBIG:
      (reason, advice) = ("the file may not grow that large", "Raise the limit on the size of files.")
    case EROFS:
      (reason, advice) = ("the file system is read-only", "Choose a folder that can be written.")
    case EIO, ESTALE:
      (reason, advice) = ("the disk or the file server failed", "Check it, then try again.")
    case ELOOP:
      (reason, advice) = (
        "it is a symbolic link", "Use a real folder or file; links are refused because others may redirect them."
      )
    case EISDIR:
      (reason, advice) = ("it is a folder, not an ordinary file", "Remove it or choose another folder.")
    case ENOTDIR:
      (reason, advice) = ("something that is not a folder is in the way", "Choose another folder.")
    case EMFILE, ENFILE:
      (reason, advice) = ("too many files are open", "Close some, then try again.")
    case ENAMETOOLONG:
      (reason, advice) = ("the path is too long", "Choose a folder with a shorter path.")
    case ENOLCK, EOPNOTSUPP, ENOTSUP, ENOSYS:
      (reason, advice) = ("the file system can't do that", "Choose a folder on a local disk.")
    default:
      (reason, advice) = (String(cString: strerror(code)), "Check the folder, then try again.")
    }
    let underlying = POSIXErrorCode(rawValue: code).map { POSIXError($0) }
    return OstiaryError(
      .storeUnavailable, "Cannot \(action) \(path): \(reason).", advice: advice, underlying: underlying)
  }

  /// The store's folder or a file in it isn't what it has to be.
  package static func refusedFile(_ path: String, _ reason: String) -> OstiaryError {
    OstiaryError(
      .storeUnavailable, "Refusing to use \(path): \(reason).",
      advice: "Remove it or choose another folder.")
  }

  /// Another task or process holds the lock of what is stored.
  package static var storeBusy: OstiaryError {
    OstiaryError(
      .storeUnavailable, "Another process is working on the stored session and did not finish in time.",
      advice: "Try again; the user stays signed in.")
  }
}
