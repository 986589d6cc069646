internal import OstiaryExperiences

extension PageTables {
  /// The texts in Polish.
  static let polish = Experience.TextForms.table(
    """
    userNameLabel: Nazwa użytkownika
    credentialsRefused: Nazwa użytkownika lub hasło są błędne.
    expired: Ta strona wygasła. Spróbuj ponownie.
    waitTitle: Proszę czekać
    wait: Odczekaj chwilę, zanim spróbujesz ponownie.
    busyTitle: Przeciążenie
    signedInTitle: Zalogowano
    notSignedInTitle: Nie zalogowano
    consentTitle: Zezwolić na dostęp?
    consentWants: {{app}} chce:
    consentUser: Twoje konto: {{user}}.
    consentOther: Ktoś inny?
    allow: Zezwól
    deny: Odmów
    scopeData: Czytać i zmieniać Twoje dane
    scopeEverything: Robić wszystko, co Ty możesz robić
    scopeIdentity: Wiedzieć, kim jesteś
    scopeEmail: Znać Twój adres e-mail
    scopeAddress: Znać Twój adres pocztowy
    scopePhone: Znać Twój numer telefonu
    scopeOffline: Działać pod Twoją nieobecność, aż się wylogujesz lub to cofniesz
    scopePages: Otwierać strony w Twoim imieniu ({{scope}})
    heldTitle: Wysłać teraz?
    heldSent: Formularz został wysłany do {{path}}, gdy nie było zalogowanego użytkownika.
    heldKept: Został zachowany i nic z nim nie zrobiono.
    sendHeld: Wyślij
    dropHeld: Porzuć
    deviceTitle: Połącz urządzenie
    deviceEnter: Wpisz kod, który pokazuje urządzenie lub program.
    deviceCode: Kod
    deviceUnknown: Nie ma urządzenia z tym kodem. Sprawdź go jeszcze raz.
    deviceConnectedTitle: Połączono
    deviceConnected: Urządzenie jest połączone. Możesz zamknąć tę stronę.
    deviceRefusedTitle: Nie połączono
    deviceRefused: Urządzenie zostało odrzucone. Możesz zamknąć tę stronę.
    badLinkTitle: Ten link nie działa
    badLink: Program, który Cię tu skierował, poprosił o coś, czego nie może dostać. Powiadom jego twórcę.
    logInButton: Zaloguj się
    logOffButton: Wyloguj się
    loggedOffTitle: Koniec sesji
    loggedOff: Nastąpiło wylogowanie.
    sessionEnded: Twoja sesja się zakończyła.
    notRecognized: Podane informacje nie zostały rozpoznane.
    accountLocked: To konto jest zablokowane. Zwróć się do administratora.
    attemptsTitle: Zbyt wiele prób
    attempts: Było zbyt wiele prób logowania.
    startAgain: Zacznij od nowa
    accessGroup: Grupa dostępu
    refusedTitle: Na to żądanie nie można odpowiedzieć
    noAccessTitle: Brak dostępu
    notFoundTitle: Nie znaleziono
    failedTitle: Coś poszło nie tak
    unavailableTitle: Teraz niedostępne
    requestMalformed: Żądanie jest zniekształcone.
    requestCut: Żądanie jest zniekształcone lub zakończyło się zbyt wcześnie.
    requestTooLarge: Żądanie jest większe, niż ten serwer przyjmuje.
    requestTooSlow: Żądanie docierało zbyt długo.
    requestInvalid: Żądanie jest nieprawidłowe.
    hostUnknown: Ten serwer działa dla programistów i nie odpowiada pod nazwą tego hosta.
    methodUnknown: Ten adres nie obsługuje metody żądania.
    formExpected: Wyślij formularz strony jako formularz.
    nothingHere: Pod tym adresem niczego nie ma.
    notAdmitted: Zalogowano, ale bez dostępu do tego miejsca. Zwróć się do administratora.
    tooManyRequests: Zbyt wiele żądań tego klienta jest w toku.
    somethingWrong: Coś tu poszło nie tak. Zostało to odnotowane.
    upstreamSlow: Serwer za tą bramą nie odpowiedział na czas.
    upstreamGone: Serwer za tą bramą jest nieosiągalny.
    requestNumber: Żądanie {{id}}
    mailboxTitle: Skrzynka dla programistów
    mailboxNote: Żadna z tych wiadomości nie została wysłana. Każdy użytkownik tego komputera może je przeczytać.
    mailboxEmpty: Nie ma żadnej wiadomości.
    mailboxRecipient: Do {{address}}
    """)
}
