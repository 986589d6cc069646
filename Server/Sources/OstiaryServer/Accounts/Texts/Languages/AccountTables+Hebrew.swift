internal import OstiaryExperiences

extension AccountTables {
  /// The texts in Hebrew.
  static let hebrew = Experience.TextForms.table(
    """
    signInTitle: התחברות אל {{service}}
    signUpTitle: יצירת חשבון אצל {{service}}
    recoverTitle: שכחת את הסיסמה?
    codeTitle: נא לבדוק את הדוא״ל
    passwordTitle: קביעת סיסמה חדשה
    profileTitle: החשבון שלך אצל {{service}}
    signedOutTitle: התנתקת
    expiredTitle: תוקף הדף פג
    identifierLabel: שם משתמש או כתובת דוא״ל
    emailLabel: כתובת דוא״ל
    displayNameLabel: שם
    passwordLabel: סיסמה
    newPasswordLabel: סיסמה חדשה
    currentPasswordLabel: סיסמה נוכחית
    codeLabel: הקוד מההודעה
    newPasswordHelp:
      one: תו אחד לפחות.
      two: שני תווים לפחות.
      other: {{number}} תווים לפחות.
    signIn: התחברות
    createAccount: יצירת החשבון
    makeAccount: יצירת חשבון
    sendCode: שליחת קוד
    goOn: המשך
    resend: שליחת קוד אחר
    setPassword: קביעת הסיסמה
    save: שמירה
    changePassword: שינוי הסיסמה
    forgotPassword: שכחת את הסיסמה?
    changeAccount: שינוי פרטי החשבון
    signOut: התנתקות
    signInAgain: התחברות מחדש
    signedInAs: התחברת בשם {{user}}.
    signedOut: ההתנתקות הושלמה.
    notSignedIn: אינך מחובר/ת.
    nothingDone: שום דבר לא בוצע.
    accountCreated: החשבון שלך מוכן.
    profileSaved: נשמר.
    passwordChanged: הסיסמה שלך שונתה, וכל המכשירים האחרים נותקו.
    signedIn: התחברת.
    flowUnknown: אי אפשר להשתמש בדף הזה. הנה דף חדש.
    flowFinished: זה כבר נעשה.
    flowOutOfOrder: אי אפשר לעשות זאת עכשיו. נא להמשיך מכאן.
    formSent: הטופס הזה כבר נשלח. מה שנשלח ראשון הוא הקובע.
    sessionEnded: בינתיים נותקת מהחשבון. נא להתחבר מחדש.
    requestForged: הבקשה מגיעה מאתר אחר.
    codeSubject: הקוד שלך עבור {{service}}
    confirmationReason: מישהו, כנראה את/ה, רוצה ליצור חשבון אצל {{service}} עם הכתובת הזו.
    code: הקוד הוא \u{200E}{{code}}
    validity:
      one: הוא תקף לדקה אחת, בחלון שבו התבקש.
      two: הוא תקף לשתי דקות, בחלון שבו התבקש.
      other: הוא תקף ל\u{5BE}{{number}} דקות, בחלון שבו התבקש.
    link: אם החלון הזה כבר לא פתוח, יש לפתוח את זה באותו דפדפן:
    confirmationOtherwise: אם זה לא היית את/ה, אין צורך לעשות דבר: בלי הקוד לא נוצר חשבון.
    existsSubject: יש לך חשבון אצל {{service}}
    existsReason: מישהו, כנראה את/ה, רצה ליצור חשבון אצל {{service}} עם הכתובת הזו. כבר יש חשבון כזה.
    existsSignIn: התחברות: {{link}}
    existsRecover: שכחת את הסיסמה? {{link}}
    existsOtherwise: אם זה לא היית את/ה, אין צורך לעשות דבר: שום דבר לא השתנה.
    recoveryReason: מישהו, כנראה את/ה, שכח את הסיסמה של החשבון שיש אצל {{service}} לכתובת הזו.
    recoveryNever: אף אחד מטעם {{service}} לעולם לא יבקש ממך את הקוד.
    recoveryOtherwise: אם זה לא היית את/ה, אין צורך לעשות דבר: הסיסמה נשארת כפי שהיא.
    changedSubject: הסיסמה שלך אצל {{service}} שונתה
    changedReason: הסיסמה של החשבון שלך אצל {{service}} שונתה, וכל המכשירים נותקו.
    changedOtherwise: אם זה לא היית את/ה, יש לקבוע סיסמה אחרת עכשיו: {{link}}
    """)
}
