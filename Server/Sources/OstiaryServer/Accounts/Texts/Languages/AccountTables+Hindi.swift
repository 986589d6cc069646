internal import OstiaryExperiences

extension AccountTables {
  /// The texts in Hindi.
  static let hindi = Experience.TextForms.table(
    """
    signInTitle: {{service}} में साइन इन करें
    signUpTitle: {{service}} में खाता बनाएँ
    recoverTitle: पासवर्ड भूल गए?
    codeTitle: अपना मेल देखें
    passwordTitle: नया पासवर्ड तय करें
    profileTitle: {{service}} में आपका खाता
    signedOutTitle: साइन आउट हो गया
    expiredTitle: इस पृष्ठ का समय समाप्त हो गया है
    identifierLabel: उपयोगकर्ता नाम या ई-मेल पता
    emailLabel: ई-मेल पता
    displayNameLabel: नाम
    passwordLabel: पासवर्ड
    newPasswordLabel: नया पासवर्ड
    currentPasswordLabel: वर्तमान पासवर्ड
    codeLabel: मेल में मिला कोड
    newPasswordHelp:
      one: कम से कम {{number}} वर्ण।
      other: कम से कम {{number}} वर्ण।
    signIn: साइन इन करें
    createAccount: यह खाता बनाएँ
    makeAccount: खाता बनाएँ
    sendCode: कोड भेजें
    goOn: जारी रखें
    resend: दूसरा कोड भेजें
    setPassword: पासवर्ड तय करें
    save: सहेजें
    changePassword: पासवर्ड बदलें
    forgotPassword: पासवर्ड भूल गए?
    changeAccount: खाते की जानकारी बदलें
    signOut: साइन आउट करें
    signInAgain: फिर से साइन इन करें
    signedInAs: आप {{user}} के रूप में साइन इन हैं।
    signedOut: आप साइन आउट हो गए हैं।
    notSignedIn: आप साइन इन नहीं हैं।
    nothingDone: कुछ नहीं किया गया।
    accountCreated: आपका खाता तैयार है।
    profileSaved: सहेजा गया।
    passwordChanged: आपका पासवर्ड बदल दिया गया है और अन्य सभी डिवाइस से साइन आउट कर दिया गया है।
    signedIn: आप साइन इन हैं।
    flowUnknown: इस पृष्ठ का उपयोग नहीं हो सकता। यह नया पृष्ठ है।
    flowFinished: यह पहले ही हो चुका है।
    flowOutOfOrder: यह अभी नहीं हो सकता। यहाँ से आगे बढ़ें।
    formSent: यह फ़ॉर्म पहले ही भेजा जा चुका है। जो पहले भेजा गया, वही मान्य है।
    sessionEnded: इस बीच आप साइन आउट हो चुके हैं। कृपया फिर से साइन इन करें।
    requestForged: यह अनुरोध किसी दूसरी साइट से आया है।
    codeSubject: {{service}} के लिए आपका कोड
    confirmationReason: कोई, संभवतः आप, इस पते से {{service}} में खाता बनाना चाहता है।
    code: कोड है {{code}}
    validity:
      one: यह {{number}} मिनट तक, उसी विंडो में मान्य है जिसमें इसे माँगा गया था।
      other: यह {{number}} मिनट तक, उसी विंडो में मान्य है जिसमें इसे माँगा गया था।
    link: यदि वह विंडो अब नहीं है, तो इसे उसी ब्राउज़र में खोलें:
    confirmationOtherwise: यदि यह आप नहीं थे, तो कुछ न करें: कोड के बिना खाता नहीं बनता।
    existsSubject: {{service}} में आपका खाता है
    existsReason: कोई, संभवतः आप, इस पते से {{service}} में खाता बनाना चाहता था। खाता पहले से है।
    existsSignIn: साइन इन करें: {{link}}
    existsRecover: पासवर्ड भूल गए? {{link}}
    existsOtherwise: यदि यह आप नहीं थे, तो कुछ न करें: कुछ नहीं बदला है।
    recoveryReason: कोई, संभवतः आप, {{service}} में इस पते के खाते का पासवर्ड भूल गया है।
    recoveryNever: {{service}} से कोई भी आपसे यह कोड कभी नहीं माँगेगा।
    recoveryOtherwise: यदि यह आप नहीं थे, तो कुछ न करें: पासवर्ड वही रहेगा।
    changedSubject: {{service}} में आपका पासवर्ड बदला गया
    changedReason: {{service}} में आपके खाते का पासवर्ड बदल दिया गया है और सभी डिवाइस से साइन आउट कर दिया गया है।
    changedOtherwise: यदि यह आप नहीं थे, तो अभी दूसरा पासवर्ड तय करें: {{link}}
    """)
}
