extension BuiltInTexts {
  /// The texts in Polish.
  static let polish = Experience.TextForms.table(
    """
    required: Wypełnij to pole.
    must_be_on: Wyraź zgodę, aby kontynuować.
    too_short:
      one: Użyj co najmniej {{limit}} znaku.
      few: Użyj co najmniej {{limit}} znaków.
      many: Użyj co najmniej {{limit}} znaków.
      other: Użyj co najmniej {{limit}} znaku.
    too_long:
      one: Użyj najwyżej {{limit}} znaku.
      few: Użyj najwyżej {{limit}} znaków.
      many: Użyj najwyżej {{limit}} znaków.
      other: Użyj najwyżej {{limit}} znaku.
    pattern: To nie ma oczekiwanej postaci.
    email: Wpisz adres e-mail, na przykład nazwa@example.com.
    phone: Wpisz numer telefonu, na przykład +48 22 123 45 67.
    number: Wpisz liczbę.
    ambiguous_number: Tę liczbę można odczytać na dwa sposoby. Zapisz tysiące bez separatora, na przykład {{limit}}.
    date: Wpisz datę, na przykład 2026-11-22.
    choice: Wybierz jedną z możliwości.
    too_small: Wartość nie może być mniejsza niż {{limit}}.
    too_large: Wartość nie może być większa niż {{limit}}.
    mismatch: Oba wpisy nie są takie same.
    invalid: Sprawdź to pole.
    refused: To nie zostało przyjęte. Sprawdź wpisane dane.
    failed: Coś poszło nie tak. Spróbuj ponownie.
    unanswered: Aplikacja nie odpowiada, więc niczego nie przyjęto. Zamknij ją i otwórz ponownie.
    waiting: Chwileczkę …
    next: Dalej
    submit: Dalej
    back: Wstecz
    skip: Nie teraz
    dismiss: Zamknij
    more: Więcej
    provider: Kontynuuj przez {{provider}}
    permission: Dalej
    problem: Wystąpił problem
    optional: opcjonalne
    choose: Wybierz
    clear: Wyczyść
    others: Coś innego
    yes: tak
    no: nie
    field_characters: Usuń znaki sterujące.
    email_taken: Ten adres e-mail ma już konto.
    password_too_common: To hasło należy do tych, które są próbowane najpierw. Użyj kilku słów, które nie są ze sobą \
    związane.
    password_wrong: To nie jest obecne hasło.
    credentials_wrong: Nazwa lub hasło są błędne.
    code_wrong: Ten kod jest nieprawidłowy. Sprawdź najnowszą wiadomość albo poproś o nowy kod.
    code_expired: Ten kod jest za stary. Poproś o nowy.
    code_exhausted: Było zbyt wiele prób. Poproś o nowy kod.
    code_sent:
      one: Jeśli ten adres może być tu użyty, wysłano na niego kod. Jest ważny {{limit}} minutę.
      few: Jeśli ten adres może być tu użyty, wysłano na niego kod. Jest ważny {{limit}} minuty.
      many: Jeśli ten adres może być tu użyty, wysłano na niego kod. Jest ważny {{limit}} minut.
      other: Jeśli ten adres może być tu użyty, wysłano na niego kod. Jest ważny {{limit}} minuty.
    resend_too_soon:
      one: Przed chwilą wysłano kod. Poczekaj {{limit}} sekundę.
      few: Przed chwilą wysłano kod. Poczekaj {{limit}} sekundy.
      many: Przed chwilą wysłano kod. Poczekaj {{limit}} sekund.
      other: Przed chwilą wysłano kod. Poczekaj {{limit}} sekundy.
    resend_exhausted: Więcej kodów nie zostanie wysłanych. Zacznij od nowa.
    account_exists: Masz tu już konto. Zaloguj się.
    wait:
      one: Poczekaj {{limit}} sekundę i spróbuj ponownie.
      few: Poczekaj {{limit}} sekundy i spróbuj ponownie.
      many: Poczekaj {{limit}} sekund i spróbuj ponownie.
      other: Poczekaj {{limit}} sekundy i spróbuj ponownie.
    overloaded: Zbyt wiele osób loguje się w tej chwili. Spróbuj ponownie za chwilę.
    unavailable: Usługa jest teraz niedostępna. Spróbuj ponownie za chwilę.
    flow_expired: Ta strona była otwarta zbyt długo. Spróbuj ponownie.
    flow_disabled: Ten serwer tego nie oferuje.
    session_required: Najpierw się zaloguj.
    """)
}
