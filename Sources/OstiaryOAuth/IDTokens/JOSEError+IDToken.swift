internal import OstiaryCore
public import OstiaryJOSE

extension JOSEError.Code {
  /// The ID token is for others besides this client, whom it does not trust.
  public static let untrustedAudience = Self("untrusted_audience")
  /// The ID token was made for another party (`azp`), or does not say for which of several.
  public static let wrongAuthorizedParty = Self("wrong_authorized_party")
  /// The subject of the ID token can't be one.
  public static let wrongSubject = Self("wrong_subject")
  /// The ID token is about another user than the session's.
  public static let anotherSubject = Self("another_subject")
  /// The user signed in at the server longer ago than was asked, or the ID token does not say when.
  public static let authenticationTooOld = Self("authentication_too_old")
  /// The sign-in was in another authentication context than was asked.
  public static let wrongContextClass = Self("wrong_context_class")
  /// The ID token of a renewal does not agree with the one before it.
  public static let differsFromEarlier = Self("differs_from_earlier")
}
