internal import OstiaryExperiences

extension PageTables {
  /// The texts in English.
  static let english = Experience.TextForms.table(
    """
    userNameLabel: User name
    credentialsRefused: The user name or the password is wrong.
    expired: This page has expired. Please try again.
    waitTitle: Please wait
    wait: Please wait a moment before you try again.
    busyTitle: Busy
    signedInTitle: Signed in
    notSignedInTitle: Not signed in
    consentTitle: Allow access?
    consentWants: {{app}} wants to:
    consentUser: You are {{user}}.
    consentOther: Somebody else?
    allow: Allow
    deny: Deny
    scopeData: Read and change your data
    scopeEverything: Do everything that you can do
    scopeIdentity: Know who you are
    scopeEmail: Know your e-mail address
    scopeAddress: Know your postal address
    scopePhone: Know your phone number
    scopeOffline: Go on when you are not there, until you sign out or revoke it
    scopePages: Open pages as you ({{scope}})
    heldTitle: Send it now?
    heldSent: You had sent a form to {{path}} when you were not signed in.
    heldKept: It has been kept, and nothing has been done with it.
    sendHeld: Send it
    dropHeld: Forget it
    deviceTitle: Connect a device
    deviceEnter: Enter the code that the device or the program shows.
    deviceCode: Code
    deviceUnknown: There is no device with that code. Look at it again.
    deviceConnectedTitle: Connected
    deviceConnected: The device is connected. You can close this page.
    deviceRefusedTitle: Not connected
    deviceRefused: The device has been refused. You can close this page.
    badLinkTitle: This link doesn’t work
    badLink: The program that sent you here has asked for something that it can’t have. Tell its developer.
    logInButton: Log in
    logOffButton: Log off
    loggedOffTitle: Logged off
    loggedOff: You have logged off.
    sessionEnded: Your session has ended.
    notRecognized: The information you entered was not recognized.
    accountLocked: This account is locked. Please ask your administrator.
    attemptsTitle: Too many attempts
    attempts: There have been too many attempts to sign in.
    startAgain: Start again
    accessGroup: Access group
    refusedTitle: This request can’t be answered
    noAccessTitle: No access
    notFoundTitle: Not found
    failedTitle: Something went wrong
    unavailableTitle: Not available right now
    requestMalformed: The request is malformed.
    requestCut: The request is malformed, or ended too early.
    requestTooLarge: The request is larger than this server accepts.
    requestTooSlow: The request took too long to arrive.
    requestInvalid: The request is not valid.
    hostUnknown: This server runs for development, and does not answer for that host.
    methodUnknown: This address does not support the method of the request.
    formExpected: Send the page’s form as a form.
    nothingHere: There is nothing at this address.
    notAdmitted: You are signed in, but you have no access to this. Ask the administrator.
    tooManyRequests: Too many requests are under way for this client.
    somethingWrong: Something went wrong here. It has been noted.
    upstreamSlow: The server behind this gateway did not answer in time.
    upstreamGone: The server behind this gateway can’t be reached.
    requestNumber: Request {{id}}
    mailboxTitle: Development mailbox
    mailboxNote: None of these messages has been sent. Every user of this machine can read them.
    mailboxEmpty: There is no message.
    mailboxRecipient: To {{address}}
    """)
}
