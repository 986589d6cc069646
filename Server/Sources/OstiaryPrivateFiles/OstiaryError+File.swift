#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif
package import OstiaryCore

extension OstiaryError.Code {
  /// A file named on the command line can't be used.
  package static let fileFailed = Self("file_failed")
}

extension OstiaryError {
  /// A file that can't be used.
  static func file(_ message: String, advice: String) -> OstiaryError {
    OstiaryError(.fileFailed, message, advice: advice, disposition: .misuse, requestMayHaveExecuted: false)
  }

  /// A file of the program's own that can't be read or written now: `storeUnavailable`.
  /// - Parameters:
  ///   - number: the failed call's `errno`.
  ///   - action: what was tried, to follow "can't be": `written`.
  static func ownFile(_ path: String, _ action: String, _ number: CInt) -> OstiaryError {
    let advice: String
    switch number {
    case EACCES, EPERM: advice = "Check who owns it and its folder, and what they allow."
    case ENOSPC, EDQUOT: advice = "Free some space on the disk, then try again."
    case EFBIG: advice = "Raise the limit on the size of files, then try again."
    case EROFS: advice = "Choose a folder that can be written: OSTIARY_HOME."
    default: advice = "Check the path and the disk, then try again."
    }
    return OstiaryError(
      .storeUnavailable, "\(path) can't be \(action): \(String(cString: strerror(number))).", advice: advice,
      requestMayHaveExecuted: false)
  }
}
