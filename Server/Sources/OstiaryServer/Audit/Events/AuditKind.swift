/// The events of an authentication, an authorization or an account. The database stores the raw values: none is ever changed.
package enum AuditKind: String, CaseIterable, Sendable {
  // Authentication.
  /// A password was right.
  case passwordAccepted = "password_accepted"
  /// A password was wrong, or was not verified.
  case passwordRefused = "password_refused"
  /// A user who has been authenticated is not admitted here.
  case admissionRefused = "admission_refused"
  /// A form did not come from a page that this browser was shown.
  case formRefused = "form_refused"

  // Mailed codes.
  /// A code was asked for, and mailed if an account has the address.
  case codeAsked = "code_asked"
  /// A code was asked for, and not mailed.
  case mailRefused = "mail_refused"
  /// A code was right.
  case codeAccepted = "code_accepted"
  /// A code was wrong or came too late.
  case codeRefused = "code_refused"

  // Accounts.
  /// An account was made.
  case accountMade = "account_made"
  /// An account was refused.
  case accountRefused = "account_refused"
  /// A user's display name was changed.
  case accountChanged = "account_changed"
  /// A user was disabled.
  case accountDisabled = "account_disabled"
  /// A user was enabled again.
  case accountEnabled = "account_enabled"
  /// A user who made the account themselves was admitted.
  case accountAdmitted = "account_admitted"
  /// The count of wrong passwords was reset.
  case accountUnlocked = "account_unlocked"
  /// A user has a new password.
  case passwordChanged = "password_changed"

  // Sessions.
  /// A user's session began.
  case sessionBegun = "session_begun"
  /// A user's session ended.
  case sessionEnded = "session_ended"
  /// A user with a right password got no session.
  case sessionRefused = "session_refused"

  // Clients: programs that ask for tokens, and apps with a key.
  /// A client was registered.
  case clientMade = "client_made"
  /// A client's registration or secrets were changed.
  case clientChanged = "client_changed"
  /// A client was disabled.
  case clientDisabled = "client_disabled"
  /// A client was enabled again.
  case clientEnabled = "client_enabled"
  /// A client was removed with all its tokens.
  case clientRemoved = "client_removed"
  /// A client could not be authenticated.
  case clientRefused = "client_refused"
  /// A client may not do what it asked for.
  case permissionRefused = "permission_refused"

  // Authorizations.
  /// A user approved a client.
  case consentGiven = "consent_given"
  /// A user refused a client.
  case consentRefused = "consent_refused"
  /// An authorization code was issued.
  case authorizationIssued = "authorization_issued"
  /// A device has a code and waits for a user.
  case deviceAsked = "device_asked"
  /// Tokens were issued for a new grant.
  case grantBegun = "grant_begun"
  /// A code, an assertion or a token was refused.
  case grantRefused = "grant_refused"
  /// The answer to a refresh was given again.
  case refreshReplayed = "refresh_replayed"
  /// A client went on from a refresh that the database had lost, in a failover or in a restored back-up.
  case refreshRecovered = "refresh_recovered"
  /// A spent code or token was used again.
  case tokenReused = "token_reused"
  /// A grant ended with all its tokens.
  case grantEnded = "grant_ended"
  /// An access token ended, and its grant did not.
  case accessTokenEnded = "access_token_ended"

  // Administrators.
  /// An administrator has a token.
  case administratorMade = "administrator_made"
  /// An administrator's token counts no more.
  case administratorRemoved = "administrator_removed"
  /// An administrator was refused.
  case administratorRefused = "administrator_refused"
  /// An administrator was told what had happened.
  case trailRead = "trail_read"

  // The database. Its time is that of the event, not that of the row.
  /// The last commit that is known to have survived: later ones may be lost.
  case timelineEnded = "timeline_ended"
  /// The first commit after that.
  case timelineBegun = "timeline_begun"
}

extension AuditKind {
  /// The kind as part of a sentence.
  package var words: String {
    switch self {
    case .passwordAccepted: "the password was right"
    case .passwordRefused: "the password was refused"
    case .admissionRefused: "the user was not let in"
    case .formRefused: "a form was refused"
    case .codeAsked: "a code was asked for"
    case .mailRefused: "no code was mailed"
    case .codeAccepted: "the code was right"
    case .codeRefused: "the code was refused"
    case .accountMade: "the account was made"
    case .accountRefused: "no account was made"
    case .accountChanged: "the account was changed"
    case .accountDisabled: "the user was disabled"
    case .accountEnabled: "the user was enabled"
    case .accountAdmitted: "the user was let in as others are"
    case .accountUnlocked: "the count of wrong passwords began anew"
    case .passwordChanged: "the password was changed"
    // The words of the SDK's events.
    case .sessionBegun: "signed in"
    case .sessionEnded: "signed out"
    case .sessionRefused: "signing in did not succeed"
    case .clientMade: "the client was registered"
    case .clientChanged: "the client was changed"
    case .clientDisabled: "the client was disabled"
    case .clientEnabled: "the client was enabled"
    case .clientRemoved: "the client was removed"
    case .clientRefused: "the client was refused"
    case .permissionRefused: "the client was not allowed to"
    case .consentGiven: "the user let the client in"
    case .consentRefused: "the user did not let the client in"
    case .authorizationIssued: "an authorization code was issued"
    case .deviceAsked: "a device asked to be let in"
    case .grantBegun: "tokens were issued"
    case .grantRefused: "no tokens were issued"
    case .refreshReplayed: "the answer to a refresh was given again"
    case .refreshRecovered: "a client went on from a refresh that the database had lost"
    case .tokenReused: "a spent token was used again"
    case .grantEnded: "the tokens ended"
    case .accessTokenEnded: "the access token ended"
    case .administratorMade: "an administrator was given a token"
    case .administratorRemoved: "an administrator's token was removed"
    case .administratorRefused: "an administrator was refused"
    case .trailRead: "an administrator was told what had happened"
    case .timelineEnded: "changes after this may be lost"
    case .timelineBegun: "the database went on from an earlier state"
    }
  }

  /// Whether it is the end of a session, or of tokens that an app uses as a session.
  package var isEnd: Bool { self == .sessionEnded || self == .grantEnded || self == .tokenReused }

  /// Whether it is about administrators, and no part of a user's story.
  var isOfAdministration: Bool {
    switch self {
    case .administratorMade, .administratorRemoved, .administratorRefused, .trailRead: true
    default: false
    }
  }
}
