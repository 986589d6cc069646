internal import OstiaryExperiences

extension AccountTables {
  /// The texts in German.
  static let german = Experience.TextForms.table(
    """
    signInTitle: Bei {{service}} anmelden
    signUpTitle: Ein Konto bei {{service}} anlegen
    recoverTitle: Passwort vergessen?
    codeTitle: Sehen Sie in Ihre E-Mails
    passwordTitle: Ein neues Passwort festlegen
    profileTitle: Ihr Konto bei {{service}}
    signedOutTitle: Abgemeldet
    expiredTitle: Diese Seite ist abgelaufen
    identifierLabel: Benutzername oder E-Mail-Adresse
    emailLabel: E-Mail-Adresse
    displayNameLabel: Name
    passwordLabel: Passwort
    newPasswordLabel: Neues Passwort
    currentPasswordLabel: Aktuelles Passwort
    codeLabel: Code aus der E-Mail
    newPasswordHelp:
      one: Mindestens {{number}} Zeichen.
      other: Mindestens {{number}} Zeichen.
    signIn: Anmelden
    createAccount: Das Konto anlegen
    makeAccount: Ein Konto anlegen
    sendCode: Einen Code senden
    goOn: Weiter
    resend: Einen anderen Code senden
    setPassword: Das Passwort festlegen
    save: Speichern
    changePassword: Das Passwort ändern
    forgotPassword: Passwort vergessen?
    changeAccount: Das Konto ändern
    signOut: Abmelden
    signInAgain: Wieder anmelden
    signedInAs: Sie sind angemeldet als {{user}}.
    signedOut: Sie haben sich abgemeldet.
    notSignedIn: Sie sind nicht angemeldet.
    nothingDone: Es ist nichts geschehen.
    accountCreated: Ihr Konto ist bereit.
    profileSaved: Gespeichert.
    passwordChanged: Ihr Passwort wurde geändert, und alle anderen Geräte wurden abgemeldet.
    signedIn: Sie sind angemeldet.
    flowUnknown: Diese Seite kann nicht verwendet werden. Hier ist eine neue.
    flowFinished: Das ist schon geschehen.
    flowOutOfOrder: Das geht jetzt nicht. Bitte hier weitermachen.
    formSent: Dieses Formular wurde schon gesendet. Es gilt, was zuerst gesendet wurde.
    sessionEnded: Sie wurden inzwischen abgemeldet. Bitte melden Sie sich wieder an.
    requestForged: Die Anfrage kommt von einer anderen Website.
    codeSubject: Ihr Code für {{service}}
    confirmationReason: Jemand, wahrscheinlich Sie, möchte mit dieser Adresse ein Konto bei {{service}} anlegen.
    code: Der Code ist {{code}}
    validity:
      one: Er gilt {{number}} Minute, in dem Fenster, in dem er angefordert wurde.
      other: Er gilt {{number}} Minuten, in dem Fenster, in dem er angefordert wurde.
    link: Wenn es dieses Fenster nicht mehr gibt, diese Adresse im selben Browser öffnen:
    confirmationOtherwise: Wenn Sie das nicht waren, ist nichts zu tun: Ohne den Code gibt es kein Konto.
    existsSubject: Sie haben ein Konto bei {{service}}
    existsReason: Jemand, wahrscheinlich Sie, wollte mit dieser Adresse ein Konto bei {{service}} anlegen. Es gibt \
    schon eines.
    existsSignIn: Anmelden: {{link}}
    existsRecover: Passwort vergessen? {{link}}
    existsOtherwise: Wenn Sie das nicht waren, ist nichts zu tun: Es hat sich nichts geändert.
    recoveryReason: Jemand, wahrscheinlich Sie, hat das Passwort des Kontos vergessen, das {{service}} für diese \
    Adresse hat.
    recoveryNever: Niemand von {{service}} wird Sie je nach dem Code fragen.
    recoveryOtherwise: Wenn Sie das nicht waren, ist nichts zu tun: Das Passwort bleibt, wie es ist.
    changedSubject: Ihr Passwort bei {{service}} wurde geändert
    changedReason: Das Passwort Ihres Kontos bei {{service}} wurde geändert, und alle Geräte wurden abgemeldet.
    changedOtherwise: Wenn Sie das nicht waren, jetzt ein anderes festlegen: {{link}}
    """)
}
