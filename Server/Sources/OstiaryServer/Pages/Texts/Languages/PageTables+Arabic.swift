internal import OstiaryExperiences

extension PageTables {
  /// The texts in Arabic.
  static let arabic = Experience.TextForms.table(
    """
    userNameLabel: اسم المستخدم
    credentialsRefused: اسم المستخدم أو كلمة المرور غير صحيحة.
    expired: انتهت صلاحية هذه الصفحة. يرجى المحاولة مرة أخرى.
    waitTitle: يرجى الانتظار
    wait: يرجى الانتظار قليلًا قبل المحاولة مرة أخرى.
    busyTitle: الخدمة مشغولة
    signedInTitle: تم تسجيل الدخول
    notSignedInTitle: لم يتم تسجيل الدخول
    consentTitle: هل تسمح بالوصول؟
    consentWants: يريد {{app}}:
    consentUser: أنت {{user}}.
    consentOther: هل أنت شخص آخر؟
    allow: السماح
    deny: الرفض
    scopeData: قراءة بياناتك وتغييرها
    scopeEverything: فعل كل ما يمكنك فعله
    scopeIdentity: معرفة من أنت
    scopeEmail: معرفة عنوان بريدك الإلكتروني
    scopeAddress: معرفة عنوانك البريدي
    scopePhone: معرفة رقم هاتفك
    scopeOffline: المتابعة في غيابك، إلى أن تسجّل الخروج أو تلغي الإذن
    scopePages: فتح الصفحات باسمك ({{scope}})
    heldTitle: هل ترسله الآن؟
    heldSent: كنت قد أرسلت نموذجًا إلى {{path}} ولم تكن قد سجّلت الدخول.
    heldKept: تم حفظه ولم يُنفَّذ به أي شيء.
    sendHeld: الإرسال
    dropHeld: التجاهل
    deviceTitle: توصيل جهاز
    deviceEnter: أدخل الرمز الذي يعرضه الجهاز أو البرنامج.
    deviceCode: الرمز
    deviceUnknown: لا يوجد جهاز بهذا الرمز. تحقق منه مرة أخرى.
    deviceConnectedTitle: تم التوصيل
    deviceConnected: تم توصيل الجهاز. يمكنك إغلاق هذه الصفحة.
    deviceRefusedTitle: لم يتم التوصيل
    deviceRefused: تم رفض الجهاز. يمكنك إغلاق هذه الصفحة.
    badLinkTitle: هذا الرابط لا يعمل
    badLink: طلب البرنامج الذي أرسلك إلى هنا شيئًا لا يمكنه الحصول عليه. أبلغ مطوّره بذلك.
    logInButton: تسجيل الدخول
    logOffButton: تسجيل الخروج
    loggedOffTitle: انتهى تسجيل الدخول
    loggedOff: لقد سجّلت الخروج.
    sessionEnded: انتهت جلستك.
    notRecognized: لم يتم التعرف على المعلومات التي أدخلتها.
    accountLocked: هذا الحساب مقفل. يرجى سؤال المسؤول.
    attemptsTitle: محاولات كثيرة جدًا
    attempts: جرت محاولات كثيرة جدًا لتسجيل الدخول.
    startAgain: البدء من جديد
    accessGroup: مجموعة الوصول
    refusedTitle: لا يمكن الرد على هذا الطلب
    noAccessTitle: لا يوجد إذن بالوصول
    notFoundTitle: غير موجود
    failedTitle: حدث خطأ ما
    unavailableTitle: غير متاح الآن
    requestMalformed: صيغة الطلب غير صحيحة.
    requestCut: صيغة الطلب غير صحيحة، أو انتهى الطلب قبل أوانه.
    requestTooLarge: الطلب أكبر مما يقبله هذا الخادم.
    requestTooSlow: استغرق وصول الطلب وقتًا طويلًا جدًا.
    requestInvalid: الطلب غير صالح.
    hostUnknown: هذا الخادم مخصص للتطوير، ولا يرد باسم ذلك المضيف.
    methodUnknown: لا يدعم هذا العنوان طريقة الطلب.
    formExpected: أرسل نموذج الصفحة كنموذج.
    nothingHere: لا يوجد شيء في هذا العنوان.
    notAdmitted: تم تسجيل دخولك، لكن لا يُسمح لك بالوصول إلى هذا. اسأل المسؤول.
    tooManyRequests: هناك طلبات كثيرة جدًا قيد التنفيذ لهذا العميل.
    somethingWrong: حدث خطأ ما هنا. وقد تم تدوينه.
    upstreamSlow: لم يرد الخادم الذي خلف هذه البوابة في الوقت المناسب.
    upstreamGone: لا يمكن الوصول إلى الخادم الذي خلف هذه البوابة.
    requestNumber: الطلب {{id}}
    mailboxTitle: صندوق بريد التطوير
    mailboxNote: لم تُرسل أي من هذه الرسائل. يمكن لكل مستخدم لهذا الجهاز قراءتها.
    mailboxEmpty: لا توجد رسائل.
    mailboxRecipient: إلى {{address}}
    """)
}
