internal import OstiaryExperiences

extension AccountTables {
  /// The texts in Polish.
  static let polish = Experience.TextForms.table(
    """
    signInTitle: Logowanie do {{service}}
    signUpTitle: Nowe konto w {{service}}
    recoverTitle: Nie pamiętasz hasła?
    codeTitle: Sprawdź pocztę
    passwordTitle: Ustaw nowe hasło
    profileTitle: Twoje konto w {{service}}
    signedOutTitle: Wylogowano
    expiredTitle: Ta strona wygasła
    identifierLabel: Nazwa użytkownika lub adres e-mail
    emailLabel: Adres e-mail
    displayNameLabel: Imię i nazwisko
    passwordLabel: Hasło
    newPasswordLabel: Nowe hasło
    currentPasswordLabel: Obecne hasło
    codeLabel: Kod z wiadomości
    newPasswordHelp:
      one: Co najmniej {{number}} znak.
      few: Co najmniej {{number}} znaki.
      many: Co najmniej {{number}} znaków.
      other: Co najmniej {{number}} znaku.
    signIn: Zaloguj się
    createAccount: Załóż to konto
    makeAccount: Załóż konto
    sendCode: Wyślij kod
    goOn: Dalej
    resend: Wyślij nowy kod
    setPassword: Ustaw hasło
    save: Zapisz
    changePassword: Zmień hasło
    forgotPassword: Nie pamiętasz hasła?
    changeAccount: Zmień dane konta
    signOut: Wyloguj się
    signInAgain: Zaloguj się ponownie
    signedInAs: Zalogowano jako {{user}}.
    signedOut: Wylogowano Cię.
    notSignedIn: Nie jesteś zalogowany(-a).
    nothingDone: Nic nie zostało zrobione.
    accountCreated: Twoje konto jest gotowe.
    profileSaved: Zapisano.
    passwordChanged: Twoje hasło zostało zmienione, a wszystkie inne urządzenia wylogowano.
    signedIn: Zalogowano Cię.
    flowUnknown: Tej strony nie można użyć. Oto nowa.
    flowFinished: To już zostało zrobione.
    flowOutOfOrder: Tego nie można teraz zrobić. Kontynuuj od tego miejsca.
    formSent: Ten formularz został już wysłany. Liczy się to, co wysłano najpierw.
    sessionEnded: W międzyczasie Cię wylogowano. Zaloguj się ponownie.
    requestForged: Żądanie pochodzi z innej witryny.
    codeSubject: Twój kod do {{service}}
    confirmationReason: Ktoś, prawdopodobnie Ty, chce założyć konto w {{service}} z tym adresem.
    code: Kod to {{code}}
    validity:
      one: Jest ważny {{number}} minutę, w oknie, w którym o niego poproszono.
      few: Jest ważny {{number}} minuty, w oknie, w którym o niego poproszono.
      many: Jest ważny {{number}} minut, w oknie, w którym o niego poproszono.
      other: Jest ważny {{number}} minuty, w oknie, w którym o niego poproszono.
    link: Jeśli tego okna już nie ma, otwórz ten adres w tej samej przeglądarce:
    confirmationOtherwise: Jeśli to nie Ty, nic nie rób: bez kodu konto nie powstanie.
    existsSubject: Masz konto w {{service}}
    existsReason: Ktoś, prawdopodobnie Ty, chciał założyć konto w {{service}} z tym adresem. Takie konto już istnieje.
    existsSignIn: Zaloguj się: {{link}}
    existsRecover: Nie pamiętasz hasła? {{link}}
    existsOtherwise: Jeśli to nie Ty, nic nie rób: nic się nie zmieniło.
    recoveryReason: Ktoś, prawdopodobnie Ty, nie pamięta hasła do konta, które {{service}} ma dla tego adresu.
    recoveryNever: Nikt z {{service}} nigdy nie poprosi Cię o ten kod.
    recoveryOtherwise: Jeśli to nie Ty, nic nie rób: hasło pozostaje bez zmian.
    changedSubject: Twoje hasło w {{service}} zostało zmienione
    changedReason: Hasło Twojego konta w {{service}} zostało zmienione, a wszystkie urządzenia wylogowano.
    changedOtherwise: Jeśli to nie Ty, ustaw teraz inne: {{link}}
    """)
}
