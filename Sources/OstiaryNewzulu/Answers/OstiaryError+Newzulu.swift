public import OstiaryCore

extension OstiaryError.Code {
  /// The server understood a Newzulu call and did not carry it out. The underlying error is a ``NewzuluRefusal``.
  public static let newzuluRefused = Self("newzulu_refused")
  /// What should be uploaded can't be read, is empty, or has changed.
  public static let unusableUpload = Self("unusable_upload")
  /// Another upload of the same file, of this process or another, is under way with the same journal.
  public static let uploadUnderWay = Self("upload_under_way")
}

extension AuthenticatorKind {
  /// A Newzulu platform.
  public static let newzulu = AuthenticatorKind("newzulu")
}

extension OstiaryError {
  static var uploadUnderWay: OstiaryError {
    OstiaryError(
      .uploadUnderWay, "Another upload of this file is under way with the same journal, here or in another process.",
      advice: "Wait until it has ended, then try again.", disposition: .transient(retryAfter: nil),
      requestMayHaveExecuted: false)
  }

  static func unusableUpload(_ message: String, underlying: (any Error)? = nil) -> OstiaryError {
    OstiaryError(
      .unusableUpload, message, advice: "Choose a file that can be read and stays as it is.", disposition: .misuse,
      requestMayHaveExecuted: false, underlying: underlying)
  }
}
