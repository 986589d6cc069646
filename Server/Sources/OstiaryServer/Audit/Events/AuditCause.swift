/// Why an event happened. The database stores the raw values: none is ever changed.
package enum AuditCause: String, CaseIterable, Sendable {
  // Words that the SDK's causes also have.
  /// The user or their app asked for it.
  case requestedByApp = "requested_by_app"
  /// The time limit was reached.
  case expired
  /// The user name or password was wrong.
  case credentialRefused = "credential_refused"
  /// Another change came first.
  case superseded

  // Words of the server.
  case administrator
  case signedInAgain = "signed_in_again"
  case tooManySessions = "too_many_sessions"
  case userDisabled = "user_disabled"
  case passwordChanged = "password_changed"
  case userChanged = "user_changed"
  case unknownUser = "unknown_user"
  case tooManyAttempts = "too_many_attempts"
  case tooManyMails = "too_many_mails"
  case overloaded
  case notOnTheList = "not_on_the_list"
  case forged
  case wrong
  case unknown
  case reused
  case alreadyTaken = "already_taken"
  case clientDisabled = "client_disabled"
  case clientRemoved = "client_removed"
  case otherClient = "other_client"
  case otherAddress = "other_address"
  case wrongVerifier = "wrong_verifier"
  case scopeTooWide = "scope_too_wide"
  case denied
  case notEncrypted = "not_encrypted"
  case failover
  case restored
}

extension AuditCause {
  /// The cause as part of a sentence.
  package var words: String {
    switch self {
    case .requestedByApp: "the app asked for it"
    case .expired: "its time was up"
    case .credentialRefused: "the server refused the user name or password"
    case .superseded: "the session had changed in the meantime"
    case .administrator: "an administrator asked for it"
    case .signedInAgain: "the same client signed in again"
    case .tooManySessions: "the user had too many sessions"
    case .userDisabled: "the user was disabled"
    case .passwordChanged: "the password was changed"
    case .userChanged: "the user was disabled or given a new password meanwhile"
    case .unknownUser: "there is no such user"
    case .tooManyAttempts: "there had been too many attempts"
    case .tooManyMails: "there had been too many mails"
    case .overloaded: "the server had too much to do"
    case .notOnTheList: "the user is on no list of those who may come in"
    case .forged: "it came from no page that this browser was shown"
    case .wrong: "it was wrong"
    case .unknown: "it was unknown"
    case .reused: "it had been used before"
    case .alreadyTaken: "the name or address was taken"
    case .clientDisabled: "the client was disabled"
    case .clientRemoved: "the client was removed"
    case .otherClient: "it was another client's"
    case .otherAddress: "it was for another address"
    case .wrongVerifier: "the proof of the request was missing or wrong"
    case .scopeTooWide: "it asked for more than was granted"
    case .denied: "the user said no"
    case .notEncrypted: "it came over plain HTTP"
    case .failover: "another database server has taken over"
    case .restored: "a back-up was restored"
    }
  }
}
