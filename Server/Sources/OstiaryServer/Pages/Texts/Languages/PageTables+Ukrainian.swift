internal import OstiaryExperiences

extension PageTables {
  /// The texts in Ukrainian.
  static let ukrainian = Experience.TextForms.table(
    """
    userNameLabel: Ім’я користувача
    credentialsRefused: Ім’я користувача або пароль неправильні.
    expired: Термін дії цієї сторінки минув. Спробуйте ще раз.
    waitTitle: Зачекайте
    wait: Зачекайте хвилинку, перш ніж пробувати знову.
    busyTitle: Перевантажено
    signedInTitle: Вхід виконано
    notSignedInTitle: Вхід не виконано
    consentTitle: Дозволити доступ?
    consentWants: {{app}} хоче:
    consentUser: Ви — {{user}}.
    consentOther: Хтось інший?
    allow: Дозволити
    deny: Відмовити
    scopeData: Читати та змінювати ваші дані
    scopeEverything: Робити все, що можете ви
    scopeIdentity: Знати, хто ви
    scopeEmail: Знати вашу адресу електронної пошти
    scopeAddress: Знати вашу поштову адресу
    scopePhone: Знати ваш номер телефону
    scopeOffline: Працювати за вашої відсутності, доки ви не вийдете або не скасуєте це
    scopePages: Відкривати сторінки від вашого імені ({{scope}})
    heldTitle: Надіслати зараз?
    heldSent: Ви надіслали форму на {{path}}, коли ще не увійшли.
    heldKept: Її збережено, і з нею нічого не зроблено.
    sendHeld: Надіслати
    dropHeld: Відкинути
    deviceTitle: Під’єднання пристрою
    deviceEnter: Введіть код, який показує пристрій або програма.
    deviceCode: Код
    deviceUnknown: Пристрою з таким кодом немає. Перевірте його ще раз.
    deviceConnectedTitle: Під’єднано
    deviceConnected: Пристрій під’єднано. Можете закрити цю сторінку.
    deviceRefusedTitle: Не під’єднано
    deviceRefused: Пристрій відхилено. Можете закрити цю сторінку.
    badLinkTitle: Це посилання не працює
    badLink: Програма, яка вас сюди скерувала, попросила те, чого не може отримати. Повідомте її розробника.
    logInButton: Увійти
    logOffButton: Вийти
    loggedOffTitle: Сеанс закрито
    loggedOff: Ви завершили сеанс.
    sessionEnded: Ваш сеанс завершився.
    notRecognized: Введені дані не розпізнано.
    accountLocked: Цей обліковий запис заблоковано. Зверніться до адміністратора.
    attemptsTitle: Забагато спроб
    attempts: Було забагато спроб увійти.
    startAgain: Почати знову
    accessGroup: Група доступу
    refusedTitle: На цей запит не можна відповісти
    noAccessTitle: Немає доступу
    notFoundTitle: Не знайдено
    failedTitle: Щось пішло не так
    unavailableTitle: Зараз недоступно
    requestMalformed: Запит пошкоджено.
    requestCut: Запит пошкоджено, або він завершився зарано.
    requestTooLarge: Запит більший, ніж приймає цей сервер.
    requestTooSlow: Запит надходив надто довго.
    requestInvalid: Запит недійсний.
    hostUnknown: Цей сервер працює для розробки й не відповідає на запити до цього хоста.
    methodUnknown: Ця адреса не підтримує методу запиту.
    formExpected: Надішліть форму сторінки як форму.
    nothingHere: За цією адресою нічого немає.
    notAdmitted: Ви увійшли, але не маєте сюди доступу. Зверніться до адміністратора.
    tooManyRequests: Для цього клієнта виконується забагато запитів.
    somethingWrong: Тут щось пішло не так. Це зафіксовано.
    upstreamSlow: Сервер за цим шлюзом не відповів вчасно.
    upstreamGone: Сервер за цим шлюзом недосяжний.
    requestNumber: Запит {{id}}
    mailboxTitle: Скринька для розробки
    mailboxNote: Жодного з цих листів не надіслано. Їх може прочитати кожен користувач цього комп’ютера.
    mailboxEmpty: Немає жодного листа.
    mailboxRecipient: Кому: {{address}}
    """)
}
