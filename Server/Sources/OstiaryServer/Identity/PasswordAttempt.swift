import Foundation
internal import OstiaryCore

/// A name and a password, as a door was given them.
struct PasswordAttempt: Sendable {
  /// The name of the user whose password it may be.
  let username: String
  var tenant: String?
  /// What was typed, where that is not the name: it is what guesses are counted by.
  var typed: String?
  let password: Secret
  let source: GuessSource
  let pathway: Pathway
  var requestID: String?

  /// What the user is found by.
  var key: NameKey { NameKey(username, tenant: tenant) }

  /// Guesses are counted by the text that was typed. What is counted by the account that was found tells which
  /// address belongs to which name, and counting by tenant would give each guess to each door once more.
  var subject: Data { NameKey(typed ?? username).data }
}

extension User {
  /// What the user's devices are known to: what ends all sessions makes another of it.
  var deviceAccount: String { "\(id)/\(generation)" }
}

extension IdentityService {
  /// The line of `Set-Cookie` that makes a browser a known device of a user who has just signed in with it.
  func deviceCookie(for user: User, _ request: DoorRequest, isSecure: Bool) -> String {
    guesses.deviceCookie(KnownDevice(request), account: user.deviceAccount, isSecure: isSecure)
  }

  /// Starts the counts of wrong passwords anew, for a name or address with or without a user.
  func forgetGuesses(at name: String, in db: StorageConnection) throws {
    try guesses.forget(PasswordGuess.self, NameKey(name).data, in: db)
  }
}

/// What became of a user name and a password.
package enum LoginDecision: Sendable {
  /// Right: the user they belong to.
  case accepted(User)
  /// Wrong, or no such user, or disabled, or without a password: it is never said which.
  case refused
  /// Not looked at, because of too many wrong ones; the same whether the user exists or not. Answer 429 with
  /// `Retry-After`.
  case wait(retryAfter: Duration)
  /// Not looked at, because too many are being checked at once. Answer 503 with `Retry-After`.
  case overloaded(retryAfter: Duration)
  /// Not known, because the storage or the hash function failed. Answer 503, never 401.
  case unavailable(ServerError)
}
