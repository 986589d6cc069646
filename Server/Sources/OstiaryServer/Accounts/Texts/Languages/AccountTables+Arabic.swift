internal import OstiaryExperiences

extension AccountTables {
  /// The texts in Arabic.
  static let arabic = Experience.TextForms.table(
    """
    signInTitle: تسجيل الدخول إلى {{service}}
    signUpTitle: إنشاء حساب في {{service}}
    recoverTitle: هل نسيت كلمة المرور؟
    codeTitle: راجع بريدك الإلكتروني
    passwordTitle: تعيين كلمة مرور جديدة
    profileTitle: حسابك في {{service}}
    signedOutTitle: تم تسجيل الخروج
    expiredTitle: انتهت صلاحية هذه الصفحة
    identifierLabel: اسم المستخدم أو عنوان البريد الإلكتروني
    emailLabel: عنوان البريد الإلكتروني
    displayNameLabel: الاسم
    passwordLabel: كلمة المرور
    newPasswordLabel: كلمة المرور الجديدة
    currentPasswordLabel: كلمة المرور الحالية
    codeLabel: الرمز الوارد في الرسالة
    newPasswordHelp:
      zero: {{number}} حرف على الأقل.
      one: حرف واحد على الأقل.
      two: حرفان على الأقل.
      few: {{number}} أحرف على الأقل.
      many: {{number}} حرفًا على الأقل.
      other: {{number}} حرف على الأقل.
    signIn: تسجيل الدخول
    createAccount: إنشاء الحساب
    makeAccount: إنشاء حساب
    sendCode: إرسال رمز
    goOn: متابعة
    resend: إرسال رمز آخر
    setPassword: تعيين كلمة المرور
    save: حفظ
    changePassword: تغيير كلمة المرور
    forgotPassword: هل نسيت كلمة المرور؟
    changeAccount: تعديل الحساب
    signOut: تسجيل الخروج
    signInAgain: تسجيل الدخول مرة أخرى
    signedInAs: تم تسجيل دخولك باسم {{user}}.
    signedOut: تم تسجيل خروجك.
    notSignedIn: لم يتم تسجيل دخولك.
    nothingDone: لم يُنفَّذ أي شيء.
    accountCreated: حسابك جاهز.
    profileSaved: تم الحفظ.
    passwordChanged: تم تغيير كلمة المرور وتسجيل الخروج من جميع الأجهزة الأخرى.
    signedIn: تم تسجيل دخولك.
    flowUnknown: لا يمكن استخدام هذه الصفحة. هذه صفحة جديدة.
    flowFinished: تم ذلك بالفعل.
    flowOutOfOrder: لا يمكن فعل ذلك الآن. تابع من هنا.
    formSent: أُرسل هذا النموذج من قبل. المعتمد هو ما أُرسل أولًا.
    sessionEnded: تم تسجيل خروجك في هذه الأثناء. يرجى تسجيل الدخول مرة أخرى.
    requestForged: الطلب وارد من موقع آخر.
    codeSubject: رمزك في {{service}}
    confirmationReason: يريد شخص، على الأرجح أنت، إنشاء حساب في {{service}} بهذا العنوان.
    code: الرمز هو \u{200E}{{code}}
    validity:
      zero: وهو صالح لمدة {{number}} دقيقة، في النافذة التي طُلب فيها.
      one: وهو صالح لمدة دقيقة واحدة، في النافذة التي طُلب فيها.
      two: وهو صالح لمدة دقيقتين، في النافذة التي طُلب فيها.
      few: وهو صالح لمدة {{number}} دقائق، في النافذة التي طُلب فيها.
      many: وهو صالح لمدة {{number}} دقيقة، في النافذة التي طُلب فيها.
      other: وهو صالح لمدة {{number}} دقيقة، في النافذة التي طُلب فيها.
    link: إذا لم تعد تلك النافذة موجودة، فافتح هذا في المتصفح نفسه:
    confirmationOtherwise: إذا لم تكن أنت، فلا تفعل شيئًا: لا يُنشأ حساب من دون الرمز.
    existsSubject: لديك حساب في {{service}}
    existsReason: أراد شخص، على الأرجح أنت، إنشاء حساب في {{service}} بهذا العنوان. يوجد حساب بالفعل.
    existsSignIn: تسجيل الدخول: {{link}}
    existsRecover: هل نسيت كلمة المرور؟ {{link}}
    existsOtherwise: إذا لم تكن أنت، فلا تفعل شيئًا: لم يتغير شيء.
    recoveryReason: نسي شخص، على الأرجح أنت، كلمة مرور الحساب الموجود في {{service}} لهذا العنوان.
    recoveryNever: لن يطلب منك أحد من {{service}} هذا الرمز أبدًا.
    recoveryOtherwise: إذا لم تكن أنت، فلا تفعل شيئًا: تبقى كلمة المرور كما هي.
    changedSubject: تم تغيير كلمة مرورك في {{service}}
    changedReason: تم تغيير كلمة مرور حسابك في {{service}} وتسجيل الخروج من جميع الأجهزة.
    changedOtherwise: إذا لم تكن أنت، فعيّن كلمة مرور أخرى الآن: {{link}}
    """)
}
