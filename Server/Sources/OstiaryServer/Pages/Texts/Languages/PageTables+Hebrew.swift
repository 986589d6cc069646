internal import OstiaryExperiences

extension PageTables {
  /// The texts in Hebrew.
  static let hebrew = Experience.TextForms.table(
    """
    userNameLabel: שם משתמש
    credentialsRefused: שם המשתמש או הסיסמה שגויים.
    expired: תוקף הדף הזה פג. נא לנסות שוב.
    waitTitle: נא להמתין
    wait: נא להמתין רגע לפני ניסיון נוסף.
    busyTitle: עמוס
    signedInTitle: מחובר/ת
    notSignedInTitle: לא מחובר/ת
    consentTitle: לאפשר גישה?
    consentWants: {{app}} רוצה:
    consentUser: השם שלך הוא {{user}}.
    consentOther: זה לא השם שלך?
    allow: לאפשר
    deny: לסרב
    scopeData: לקרוא ולשנות את הנתונים שלך
    scopeEverything: לעשות כל מה שמותר לך לעשות
    scopeIdentity: לדעת מי את/ה
    scopeEmail: לדעת את כתובת הדוא״ל שלך
    scopeAddress: לדעת את כתובת הדואר שלך
    scopePhone: לדעת את מספר הטלפון שלך
    scopeOffline: להמשיך גם בהיעדרך, עד להתנתקות או לביטול
    scopePages: לפתוח דפים בשמך ({{scope}})
    heldTitle: לשלוח עכשיו?
    heldSent: שלחת טופס אל {{path}} כשלא היית מחובר/ת.
    heldKept: הוא נשמר, ושום דבר לא נעשה בו.
    sendHeld: לשלוח
    dropHeld: למחוק
    deviceTitle: חיבור מכשיר
    deviceEnter: יש להזין את הקוד שהמכשיר או התוכנה מציגים.
    deviceCode: קוד
    deviceUnknown: אין מכשיר עם הקוד הזה. נא לבדוק אותו שוב.
    deviceConnectedTitle: המכשיר חובר
    deviceConnected: המכשיר מחובר. אפשר לסגור את הדף הזה.
    deviceRefusedTitle: המכשיר לא חובר
    deviceRefused: המכשיר נדחה. אפשר לסגור את הדף הזה.
    badLinkTitle: הקישור הזה לא עובד
    badLink: התוכנה ששלחה אותך לכאן ביקשה דבר שאינה יכולה לקבל. כדאי להודיע למפתח שלה.
    logInButton: התחברות
    logOffButton: התנתקות
    loggedOffTitle: ההתחברות הסתיימה
    loggedOff: התנתקת מהמערכת.
    sessionEnded: ההתחברות שלך הסתיימה.
    notRecognized: הפרטים שהוזנו לא זוהו.
    accountLocked: החשבון הזה נעול. נא לפנות למנהל המערכת.
    attemptsTitle: יותר מדי ניסיונות
    attempts: היו יותר מדי ניסיונות התחברות.
    startAgain: להתחיל מחדש
    accessGroup: קבוצת גישה
    refusedTitle: אי אפשר לענות על הבקשה הזאת
    noAccessTitle: אין גישה
    notFoundTitle: לא נמצא
    failedTitle: משהו השתבש
    unavailableTitle: לא זמין כרגע
    requestMalformed: הבקשה אינה תקינה במבנה שלה.
    requestCut: הבקשה אינה תקינה במבנה שלה, או שהסתיימה מוקדם מדי.
    requestTooLarge: הבקשה גדולה ממה שהשרת הזה מקבל.
    requestTooSlow: הבקשה הגיעה לאט מדי.
    requestInvalid: הבקשה אינה תקפה.
    hostUnknown: השרת הזה פועל לצורכי פיתוח, ואינו עונה בשם המארח הזה.
    methodUnknown: הכתובת הזאת אינה תומכת בשיטת הבקשה.
    formExpected: יש לשלוח את הטופס של הדף כטופס.
    nothingHere: אין דבר בכתובת הזאת.
    notAdmitted: התחברת, אבל אין לך גישה לכאן. נא לפנות למנהל המערכת.
    tooManyRequests: יותר מדי בקשות של הלקוח הזה נמצאות בטיפול.
    somethingWrong: משהו השתבש כאן. זה נרשם.
    upstreamSlow: השרת שמאחורי השער הזה לא ענה בזמן.
    upstreamGone: אי אפשר להגיע לשרת שמאחורי השער הזה.
    requestNumber: בקשה {{id}}
    mailboxTitle: תיבת דואר לפיתוח
    mailboxNote: אף אחת מההודעות האלה לא נשלחה. כל משתמש במחשב הזה יכול לקרוא אותן.
    mailboxEmpty: אין הודעות.
    mailboxRecipient: אל {{address}}
    """)
}
