extension BuiltInTexts {
  /// The texts in German.
  static let german = Experience.TextForms.table(
    """
    required: Bitte ausfüllen.
    must_be_on: Bitte zustimmen, um fortzufahren.
    too_short: Mindestens {{limit}} Zeichen verwenden.
    too_long: Höchstens {{limit}} Zeichen verwenden.
    pattern: Das hat nicht die erwartete Form.
    email: Eine E-Mail-Adresse eingeben, etwa name@example.com.
    phone: Eine Telefonnummer eingeben, etwa +49 30 901820.
    number: Eine Zahl eingeben.
    ambiguous_number: Das kann zweierlei heißen. Tausender bitte ohne Trennzeichen schreiben, etwa {{limit}}.
    date: Ein Datum eingeben, etwa 2026-11-22.
    choice: Eine der Möglichkeiten auswählen.
    too_small: Das darf nicht kleiner sein als {{limit}}.
    too_large: Das darf nicht größer sein als {{limit}}.
    mismatch: Die beiden Eingaben sind nicht gleich.
    invalid: Bitte prüfen.
    refused: Das wurde nicht angenommen. Bitte die Eingaben prüfen.
    failed: Etwas ist schiefgegangen. Bitte noch einmal versuchen.
    unanswered: Die App antwortet nicht, daher wurde nichts angenommen. Bitte schließen und neu öffnen.
    waiting: Einen Moment …
    next: Weiter
    submit: Weiter
    back: Zurück
    skip: Nicht jetzt
    dismiss: Schließen
    more: Mehr
    provider: Weiter mit {{provider}}
    permission: Weiter
    problem: Es gibt ein Problem
    optional: freiwillig
    choose: Bitte auswählen
    clear: Leeren
    others: Etwas anderes
    yes: ja
    no: nein
    field_characters: Bitte Steuerzeichen weglassen.
    email_taken: Zu dieser E-Mail-Adresse gibt es schon ein Konto.
    password_too_common: Dieses Passwort gehört zu denen, die zuerst probiert werden. Mehrere Wörter verwenden, die \
    nicht zusammengehören.
    password_wrong: Das ist nicht das aktuelle Passwort.
    credentials_wrong: Der Name oder das Passwort ist falsch.
    code_wrong: Dieser Code stimmt nicht. Die neueste E-Mail ansehen oder einen anderen Code senden lassen.
    code_expired: Dieser Code ist zu alt. Einen anderen senden lassen.
    code_exhausted: Das wurde zu oft versucht. Einen anderen Code senden lassen.
    code_sent:
      one: Wenn diese Adresse hier verwendet werden kann, ist ein Code dorthin unterwegs. Er gilt {{limit}} Minute.
      other: Wenn diese Adresse hier verwendet werden kann, ist ein Code dorthin unterwegs. Er gilt {{limit}} Minuten.
    resend_too_soon:
      one: Eben wurde ein Code gesendet. Bitte {{limit}} Sekunde warten.
      other: Eben wurde ein Code gesendet. Bitte {{limit}} Sekunden warten.
    resend_exhausted: Dafür werden keine Codes mehr gesendet. Bitte von vorn beginnen.
    account_exists: Hier gibt es schon ein Konto. Bitte anmelden.
    wait:
      one: Bitte {{limit}} Sekunde warten und dann noch einmal versuchen.
      other: Bitte {{limit}} Sekunden warten und dann noch einmal versuchen.
    overloaded: Gerade melden sich zu viele Menschen an. Bitte gleich noch einmal versuchen.
    unavailable: Der Dienst ist gerade nicht verfügbar. Bitte gleich noch einmal versuchen.
    flow_expired: Diese Seite war zu lange offen. Bitte noch einmal versuchen.
    flow_disabled: Das bietet dieser Server nicht an.
    session_required: Bitte zuerst anmelden.
    """)
}
