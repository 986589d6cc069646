internal import OstiaryExperiences

extension AccountTables {
  /// The texts in Ukrainian.
  static let ukrainian = Experience.TextForms.table(
    """
    signInTitle: Вхід до {{service}}
    signUpTitle: Новий обліковий запис у {{service}}
    recoverTitle: Забули пароль?
    codeTitle: Перевірте пошту
    passwordTitle: Установіть новий пароль
    profileTitle: Ваш обліковий запис у {{service}}
    signedOutTitle: Ви вийшли
    expiredTitle: Термін дії цієї сторінки минув
    identifierLabel: Ім’я користувача або адреса електронної пошти
    emailLabel: Адреса електронної пошти
    displayNameLabel: Ім’я
    passwordLabel: Пароль
    newPasswordLabel: Новий пароль
    currentPasswordLabel: Поточний пароль
    codeLabel: Код із листа
    newPasswordHelp:
      one: Щонайменше {{number}} символ.
      few: Щонайменше {{number}} символи.
      many: Щонайменше {{number}} символів.
      other: Щонайменше {{number}} символу.
    signIn: Увійти
    createAccount: Створити цей обліковий запис
    makeAccount: Створити обліковий запис
    sendCode: Надіслати код
    goOn: Далі
    resend: Надіслати інший код
    setPassword: Установити пароль
    save: Зберегти
    changePassword: Змінити пароль
    forgotPassword: Забули пароль?
    changeAccount: Редагувати обліковий запис
    signOut: Вийти
    signInAgain: Увійти знову
    signedInAs: Ви увійшли як {{user}}.
    signedOut: Ви вийшли з облікового запису.
    notSignedIn: Ви не увійшли.
    nothingDone: Нічого не зроблено.
    accountCreated: Ваш обліковий запис готовий.
    profileSaved: Збережено.
    passwordChanged: Ваш пароль змінено, і на всіх інших пристроях виконано вихід.
    signedIn: Ви увійшли.
    flowUnknown: Цю сторінку не можна використати. Ось нова.
    flowFinished: Це вже зроблено.
    flowOutOfOrder: Зараз це неможливо. Продовжуйте звідси.
    formSent: Цю форму вже надіслано. Діє те, що було надіслано першим.
    sessionEnded: Тим часом сеанс завершився. Увійдіть знову.
    requestForged: Запит надійшов з іншого сайту.
    codeSubject: Ваш код для {{service}}
    confirmationReason: Хтось, імовірно ви, хоче створити обліковий запис у {{service}} із цією адресою.
    code: Код: {{code}}
    validity:
      one: Він дійсний {{number}} хвилину, у вікні, у якому його замовили.
      few: Він дійсний {{number}} хвилини, у вікні, у якому його замовили.
      many: Він дійсний {{number}} хвилин, у вікні, у якому його замовили.
      other: Він дійсний {{number}} хвилини, у вікні, у якому його замовили.
    link: Якщо цього вікна вже немає, відкрийте це в тому самому браузері:
    confirmationOtherwise: Якщо це були не ви, нічого не робіть: без коду обліковий запис не буде створено.
    existsSubject: Ви маєте обліковий запис у {{service}}
    existsReason: Хтось, імовірно ви, хотів створити обліковий запис у {{service}} із цією адресою. Він уже існує.
    existsSignIn: Увійти: {{link}}
    existsRecover: Забули пароль? {{link}}
    existsOtherwise: Якщо це були не ви, нічого не робіть: нічого не змінилося.
    recoveryReason: Хтось, імовірно ви, не пам’ятає пароля облікового запису, який {{service}} має для цієї адреси.
    recoveryNever: Ніхто із {{service}} ніколи не попросить у вас цей код.
    recoveryOtherwise: Якщо це були не ви, нічого не робіть: пароль залишається тим самим.
    changedSubject: Ваш пароль у {{service}} змінено
    changedReason: Пароль вашого облікового запису в {{service}} змінено, і на всіх пристроях виконано вихід.
    changedOtherwise: Якщо це були не ви, установіть зараз інший: {{link}}
    """)
}
