internal import Foundation

/// The `Basic` scheme: user name and password in one field, readable by every receiver (RFC 7617).
package enum BasicCredentials {
  /// The value of the `Authorization` field, in UTF-8.
  /// - Throws: ``OstiaryError`` `invalidInput` for a user name with a colon, which the scheme cannot carry, and for
  ///   control characters in either (RFC 7617 §2).
  package static func authorization(username: String, password: Secret) throws -> Secret {
    if username.utf8.contains(UInt8(ascii: ":")) {
      throw OstiaryError(
        .invalidInput, "A user name with a colon cannot be sent with HTTP Basic authentication.",
        advice: "Use another way to sign in, or another user name.", requestMayHaveExecuted: false)
    }
    let pair = "\(username):\(password.reveal())"
    if pair.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
      throw OstiaryError(
        .invalidInput, "User name and password must not contain control characters.",
        advice: "Check the user name and password for stray line breaks or tabs.", requestMayHaveExecuted: false)
    }
    return Secret("Basic " + Data(pair.utf8).base64EncodedString())
  }
}
