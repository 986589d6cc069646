public import OstiaryCore

extension OstiaryError.Code {
  /// The server refused a call with an answer to which the dialect's document gives no meaning. It says nothing of the user or the
  /// session; the document is to be mended.
  public static let dialectRefused = Self("dialect_refused")
  /// The server gave a token that no request can carry: it is empty, longer than 16 KiB, or has characters that tokens have not.
  public static let unusableToken = Self("unusable_token")
  /// The server said, by a mark that the dialect's document names, that the session can't be renewed any more.
  public static let renewalRefused = Self("renewal_refused")
  /// The server wants the user to choose a new password before it lets them in.
  public static let passwordChangeNeeded = Self("password_change_needed")
  /// The server asks a question in the middle of a sign-in that the dialect's document or the app does not answer.
  public static let questionNotAnswered = Self("question_not_answered")
}

extension AuthenticatorKind {
  /// An API that a dialect describes.
  public static func dialect(_ name: String) -> AuthenticatorKind { AuthenticatorKind("dialect:\(name)") }
}

/// The two places that an error is about: the one in the dialect's document, and the one in the server's answer. It is the
/// ``/OstiaryCore/OstiaryError/underlying`` error of the ``/OstiaryCore/OstiaryError``s that are about an answer. No value is in it.
public struct DialectPlace: Error, Sendable, Hashable, CustomStringConvertible {
  /// The place in the document, as a JSON Pointer (RFC 6901).
  public let inDocument: String
  /// The place in the answer, in words; `nil` where it is the answer as a whole.
  public let inAnswer: String?
  /// The answer's status.
  public let status: Int?

  /// Names the places.
  public init(inDocument: String, inAnswer: String? = nil, status: Int? = nil) {
    self.inDocument = inDocument
    self.inAnswer = inAnswer
    self.status = status
  }

  public var description: String {
    var text = "“\(inDocument)” of the dialect"
    if let inAnswer { text += ", \(inAnswer) of the answer" }
    if let status { text += " (status \(status))" }
    return text
  }
}
