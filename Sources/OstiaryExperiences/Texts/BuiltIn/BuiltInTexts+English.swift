extension BuiltInTexts {
  /// The texts in English.
  static let english = Experience.TextForms.table(
    """
    required: Please fill this in.
    must_be_on: Please agree to this to continue.
    too_short:
      one: Use at least {{limit}} character.
      other: Use at least {{limit}} characters.
    too_long:
      one: Use at most {{limit}} character.
      other: Use at most {{limit}} characters.
    pattern: This is not in the expected form.
    email: Enter an e-mail address, such as name@example.com.
    phone: Enter a telephone number, such as +44 20 7946 0000.
    number: Enter a number.
    ambiguous_number: This can be read in two ways. Write thousands without a separator, such as {{limit}}.
    date: Enter a date, such as 2026-11-22.
    choice: Choose one of the options.
    too_small: This must not be less than {{limit}}.
    too_large: This must not be more than {{limit}}.
    mismatch: The two entries are not the same.
    invalid: Please check this.
    refused: This was not accepted. Please check what you entered.
    failed: Something went wrong. Please try again.
    unanswered: The app does not answer, so nothing was accepted. Close it and open it again.
    waiting: One moment …
    next: Continue
    submit: Continue
    back: Back
    skip: Not now
    dismiss: Close
    more: More
    provider: Continue with {{provider}}
    permission: Continue
    problem: There is a problem
    optional: optional
    choose: Please choose
    clear: Clear
    others: Something else
    yes: yes
    no: no
    field_characters: Please leave out control characters.
    email_taken: That e-mail address has an account already.
    password_too_common: That password is one of those that are tried first. Use several words that don’t belong \
    together.
    password_wrong: That is not the current password.
    credentials_wrong: The name or the password is wrong.
    code_wrong: That code is not right. Check the newest mail, or have another one sent.
    code_expired: That code is too old. Have another one sent.
    code_exhausted: That was tried too often. Have another code sent.
    code_sent:
      one: If that address can be used here, a code is on its way to it. It is good for {{limit}} minute.
      other: If that address can be used here, a code is on its way to it. It is good for {{limit}} minutes.
    resend_too_soon:
      one: A code was sent a moment ago. Please wait {{limit}} second.
      other: A code was sent a moment ago. Please wait {{limit}} seconds.
    resend_exhausted: No more codes are sent for this. Please begin again.
    account_exists: You have an account here already. Please sign in.
    wait:
      one: Please wait {{limit}} second before you try again.
      other: Please wait {{limit}} seconds before you try again.
    overloaded: Too many people are signing in right now. Please try again shortly.
    unavailable: The service is not available right now. Please try again shortly.
    flow_expired: This page was open for too long. Please try again.
    flow_disabled: This server doesn’t offer that.
    session_required: Please sign in first.
    """)
}
