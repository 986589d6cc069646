internal import OstiaryExperiences

extension AccountTables {
  /// The texts in English.
  static let english = Experience.TextForms.table(
    """
    signInTitle: Sign in to {{service}}
    signUpTitle: Make an account at {{service}}
    recoverTitle: Forgot your password?
    codeTitle: Check your mail
    passwordTitle: Set a new password
    profileTitle: Your account at {{service}}
    signedOutTitle: Signed out
    expiredTitle: This page has expired
    identifierLabel: User name or e-mail address
    emailLabel: E-mail address
    displayNameLabel: Name
    passwordLabel: Password
    newPasswordLabel: New password
    currentPasswordLabel: Current password
    codeLabel: Code from the mail
    newPasswordHelp:
      one: At least {{number}} character.
      other: At least {{number}} characters.
    signIn: Sign in
    createAccount: Create the account
    makeAccount: Create an account
    sendCode: Send a code
    goOn: Continue
    resend: Send another code
    setPassword: Set the password
    save: Save
    changePassword: Change the password
    forgotPassword: Forgot the password?
    changeAccount: Change the account
    signOut: Sign out
    signInAgain: Sign in again
    signedInAs: You are signed in as {{user}}.
    signedOut: You have signed out.
    notSignedIn: You are not signed in.
    nothingDone: Nothing has been done.
    accountCreated: Your account is ready.
    profileSaved: Saved.
    passwordChanged: Your password has been changed, and every other device has been signed out.
    signedIn: You are signed in.
    flowUnknown: This page can’t be used. Here is a fresh one.
    flowFinished: This has been done already.
    flowOutOfOrder: That can’t be done now. Go on from here.
    formSent: This form was sent before. What was sent first counts.
    sessionEnded: You have been signed out since. Please sign in again.
    requestForged: The request comes from another site.
    codeSubject: Your code for {{service}}
    confirmationReason: A person, probably you, wants to make an account at {{service}} with this address.
    code: The code is {{code}}
    validity:
      one: It is good for {{number}} minute, in the window in which it was asked for.
      other: It is good for {{number}} minutes, in the window in which it was asked for.
    link: If that window is gone, open this in the same browser:
    confirmationOtherwise: If it wasn’t you, do nothing: without the code there is no account.
    existsSubject: You have an account at {{service}}
    existsReason: A person, probably you, wanted to make an account at {{service}} with this address. There is one \
    already.
    existsSignIn: Sign in: {{link}}
    existsRecover: Forgot the password? {{link}}
    existsOtherwise: If it wasn’t you, do nothing: nothing has changed.
    recoveryReason: A person, probably you, forgot the password of the account that {{service}} has for this address.
    recoveryNever: Nobody from {{service}} will ever ask you for the code.
    recoveryOtherwise: If it wasn’t you, do nothing: the password stays as it is.
    changedSubject: Your password at {{service}} was changed
    changedReason: The password of your account at {{service}} has been changed, and every device has been signed out.
    changedOtherwise: If it wasn’t you, set another one now: {{link}}
    """)
}
