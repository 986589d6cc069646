/// The texts of the account pages, their JSON interface and their mail, by what they are for. `{{name}}` in a text is a value.
enum AccountText: String, CaseIterable, Sendable {
  // Titles of pages. Values: the service.
  case signInTitle, signUpTitle, recoverTitle, codeTitle, passwordTitle, profileTitle, signedOutTitle, expiredTitle
  // Fields, and the help of a new password. Values: the smallest number of characters.
  case identifierLabel, emailLabel, displayNameLabel, passwordLabel, newPasswordLabel, currentPasswordLabel, codeLabel
  case newPasswordHelp
  // Buttons and links.
  case signIn, createAccount, makeAccount, sendCode, goOn, resend, setPassword, save, changePassword, forgotPassword
  case changeAccount, signOut, signInAgain
  // Sentences of pages. Values: the user.
  case signedInAs, signedOut, notSignedIn, nothingDone
  // Codes that only the account pages have.
  case accountCreated, profileSaved, passwordChanged, signedIn, flowUnknown, flowFinished, flowOutOfOrder
  case formSent, sessionEnded
  case requestForged
  // Mail. Values: the service, the code, its minutes, an address of a page.
  case codeSubject, confirmationReason, code, validity, link, confirmationOtherwise
  case existsSubject, existsReason, existsSignIn, existsRecover, existsOtherwise
  case recoveryReason, recoveryNever, recoveryOtherwise
  case changedSubject, changedReason, changedOtherwise
}
