/// The texts of the doors' pages, the error pages and the development mailbox, by what they are for. `{{name}}` in a text is a value.
/// What account pages say too, such as the button that signs in, is an `AccountText`.
enum ServerText: String, CaseIterable, Sendable {
  // Signing in.
  case userNameLabel, credentialsRefused, expired, waitTitle, wait, busyTitle, signedInTitle, notSignedInTitle
  // Consent. Values: the app, the user, a scope's name.
  case consentTitle, consentWants, consentUser, consentOther, allow, deny
  case scopeData, scopeEverything, scopeIdentity, scopeEmail, scopeAddress, scopePhone, scopeOffline, scopePages
  // A form that the gateway has held back. Values: the path.
  case heldTitle, heldSent, heldKept, sendHeld, dropHeld
  // Devices, and a request of an app that can't be answered.
  case deviceTitle, deviceEnter, deviceCode, deviceUnknown
  case deviceConnectedTitle, deviceConnected, deviceRefusedTitle, deviceRefused
  case badLinkTitle, badLink
  // Pega.
  case logInButton, logOffButton, loggedOffTitle, loggedOff, sessionEnded, notRecognized, accountLocked, attemptsTitle,
    attempts
  case startAgain, accessGroup
  // Error pages. Values: the request's id.
  case refusedTitle, noAccessTitle, notFoundTitle, failedTitle, unavailableTitle
  case requestMalformed, requestCut, requestTooLarge, requestTooSlow, requestInvalid, hostUnknown, methodUnknown
  case formExpected, nothingHere, notAdmitted, tooManyRequests, somethingWrong, upstreamSlow, upstreamGone
  case requestNumber
  // The development mailbox. Values: an address.
  case mailboxTitle, mailboxNote, mailboxEmpty, mailboxRecipient
}
