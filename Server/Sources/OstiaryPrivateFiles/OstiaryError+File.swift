package import OstiaryCore

extension OstiaryError.Code {
  /// A file named on the command line, or one of the program's own, can't be read or written.
  package static let fileFailed = Self("file_failed")
}

extension OstiaryError {
  /// A file that can't be used.
  package static func file(
    _ message: String, advice: String = "Check the path and its permissions."
  ) -> OstiaryError {
    OstiaryError(.fileFailed, message, advice: advice, disposition: .misuse, requestMayHaveExecuted: false)
  }
}
