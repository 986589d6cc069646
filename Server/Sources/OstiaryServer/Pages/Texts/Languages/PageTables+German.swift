internal import OstiaryExperiences

extension PageTables {
  /// The texts in German.
  static let german = Experience.TextForms.table(
    """
    userNameLabel: Benutzername
    credentialsRefused: Der Benutzername oder das Passwort ist falsch.
    expired: Diese Seite ist abgelaufen. Bitte noch einmal versuchen.
    waitTitle: Bitte warten
    wait: Bitte einen Moment warten und es dann noch einmal versuchen.
    busyTitle: Überlastet
    signedInTitle: Angemeldet
    notSignedInTitle: Nicht angemeldet
    consentTitle: Zugriff erlauben?
    consentWants: {{app}} möchte:
    consentUser: Sie sind {{user}}.
    consentOther: Jemand anderes?
    allow: Erlauben
    deny: Ablehnen
    scopeData: Ihre Daten lesen und ändern
    scopeEverything: Alles tun, was Sie tun können
    scopeIdentity: Wissen, wer Sie sind
    scopeEmail: Ihre E-Mail-Adresse kennen
    scopeAddress: Ihre Postanschrift kennen
    scopePhone: Ihre Telefonnummer kennen
    scopeOffline: Auch ohne Sie weiterarbeiten, bis Sie sich abmelden oder es widerrufen
    scopePages: Seiten in Ihrem Namen öffnen ({{scope}})
    heldTitle: Jetzt senden?
    heldSent: Sie hatten ein Formular an {{path}} gesendet, als Sie nicht angemeldet waren.
    heldKept: Es wurde aufbewahrt, und es ist nichts damit geschehen.
    sendHeld: Senden
    dropHeld: Verwerfen
    deviceTitle: Ein Gerät verbinden
    deviceEnter: Geben Sie den Code ein, den das Gerät oder das Programm zeigt.
    deviceCode: Gerätecode
    deviceUnknown: Es gibt kein Gerät mit diesem Code. Bitte noch einmal nachsehen.
    deviceConnectedTitle: Verbunden
    deviceConnected: Das Gerät ist verbunden. Sie können diese Seite schließen.
    deviceRefusedTitle: Nicht verbunden
    deviceRefused: Das Gerät wurde abgelehnt. Sie können diese Seite schließen.
    badLinkTitle: Dieser Link funktioniert nicht
    badLink: Das Programm, von dem Sie kommen, will etwas, das es nicht bekommen kann. Sagen Sie es seinem Entwickler.
    logInButton: Anmelden
    logOffButton: Abmelden
    loggedOffTitle: Sitzung geschlossen
    loggedOff: Sie haben sich abgemeldet.
    sessionEnded: Ihre Sitzung ist beendet.
    notRecognized: Ihre Angaben wurden nicht erkannt.
    accountLocked: Dieses Konto ist gesperrt. Bitte fragen Sie Ihre Administration.
    attemptsTitle: Zu viele Versuche
    attempts: Es gab zu viele Anmeldeversuche.
    startAgain: Neu beginnen
    accessGroup: Zugriffsgruppe
    refusedTitle: Diese Anfrage kann nicht beantwortet werden
    noAccessTitle: Kein Zugriff
    notFoundTitle: Nicht gefunden
    failedTitle: Etwas ist schiefgegangen
    unavailableTitle: Gerade nicht verfügbar
    requestMalformed: Die Anfrage ist fehlerhaft.
    requestCut: Die Anfrage ist fehlerhaft oder endete zu früh.
    requestTooLarge: Die Anfrage ist größer, als dieser Server annimmt.
    requestTooSlow: Die Anfrage brauchte zu lange.
    requestInvalid: Die Anfrage ist ungültig.
    hostUnknown: Dieser Server läuft für die Entwicklung und antwortet nicht für diesen Host.
    methodUnknown: Diese Adresse unterstützt die Methode der Anfrage nicht.
    formExpected: Bitte das Formular der Seite als Formular senden.
    nothingHere: Unter dieser Adresse gibt es nichts.
    notAdmitted: Sie sind angemeldet, haben aber keinen Zugriff hierauf. Bitte fragen Sie Ihre Administration.
    tooManyRequests: Für diesen Client laufen gerade zu viele Anfragen.
    somethingWrong: Hier ist etwas schiefgegangen. Es wurde festgehalten.
    upstreamSlow: Der Server hinter diesem Gateway hat nicht rechtzeitig geantwortet.
    upstreamGone: Der Server hinter diesem Gateway ist nicht erreichbar.
    requestNumber: Anfrage {{id}}
    mailboxTitle: Postfach für die Entwicklung
    mailboxNote: Keine dieser Nachrichten wurde gesendet. Alle, die diesen Rechner benutzen, können sie lesen.
    mailboxEmpty: Es gibt keine Nachricht.
    mailboxRecipient: An {{address}}
    """)
}
