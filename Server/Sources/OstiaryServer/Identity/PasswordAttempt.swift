import Foundation
internal import OstiaryCore

/// A name and a password, as a door received them.
struct PasswordAttempt: Sendable {
  /// The name of the user to compare the password with.
  let username: String
  var tenant: String?
  /// The typed text, if that is not the name: guesses are counted by it.
  var typed: String?
  let password: Secret
  let source: GuessSource
  let pathway: Pathway
  var requestID: String?
  /// Keeps the refusal of an attempt that may be sent twice, in the transaction that records it.
  /// - Returns: whether this is the first of them. Any other is neither recorded nor counted.
  var keepRefusal: (@Sendable (StorageConnection) throws -> Bool)?

  /// The key that finds the user.
  var key: NameKey { NameKey(username, tenant: tenant) }

  /// Guesses are counted by the typed text. A count by the account found would tell which address belongs to which
  /// name, and a count by tenant would give each guess once more to each door.
  var subject: Data { NameKey(typed ?? username).data }
}

extension User {
  /// The text by which a known device names the user's account. Ending all sessions changes it.
  var deviceAccount: String { "\(id)/\(generation)" }
}

extension IdentityService {
  /// The line of `Set-Cookie` that makes a browser a known device of a user who has just signed in with it.
  func deviceCookie(for user: User, _ request: DoorRequest, isSecure: Bool) -> String {
    guesses.deviceCookie(KnownDevice(request), account: user.deviceAccount, isSecure: isSecure)
  }

  /// Resets the counts of wrong passwords, for a name or address with or without a user.
  func forgetGuesses(at name: String, in db: StorageConnection) throws {
    try guesses.forget(PasswordGuess.self, NameKey(name).data, in: db)
  }
}

/// The result of checking a user name and a password.
package enum LoginDecision: Sendable {
  /// Right: the user.
  case accepted(User)
  /// Wrong, unknown user, disabled, or without a password: the answer never says which.
  case refused
  /// Not verified, because of too many wrong ones; the same whether the user exists or not. Answer 429 with
  /// `Retry-After`.
  case wait(retryAfter: Duration)
  /// Not verified, because too many are being verified at once. Answer 503 with `Retry-After`.
  case overloaded(retryAfter: Duration)
  /// Not known, because the storage or the hash function failed. Answer 503, never 401.
  case unavailable(ServerError)
}
