internal import OstiaryExperiences

extension PageTables {
  /// The texts in Hindi.
  static let hindi = Experience.TextForms.table(
    """
    userNameLabel: उपयोगकर्ता नाम
    credentialsRefused: उपयोगकर्ता नाम या पासवर्ड गलत है।
    expired: इस पृष्ठ का समय समाप्त हो गया है। कृपया फिर से कोशिश करें।
    waitTitle: कृपया प्रतीक्षा करें
    wait: फिर से कोशिश करने से पहले कृपया थोड़ी प्रतीक्षा करें।
    busyTitle: व्यस्त
    signedInTitle: साइन इन हो गया
    notSignedInTitle: साइन इन नहीं है
    consentTitle: पहुँच की अनुमति दें?
    consentWants: {{app}} यह करना चाहता है:
    consentUser: आप {{user}} हैं।
    consentOther: क्या आप कोई और हैं?
    allow: अनुमति दें
    deny: मना करें
    scopeData: आपका डेटा पढ़ना और बदलना
    scopeEverything: वह सब करना जो आप कर सकते हैं
    scopeIdentity: यह जानना कि आप कौन हैं
    scopeEmail: आपका ई-मेल पता जानना
    scopeAddress: आपका डाक पता जानना
    scopePhone: आपका फ़ोन नंबर जानना
    scopeOffline: आपकी अनुपस्थिति में भी जारी रखना, जब तक आप साइन आउट न करें या इसे रद्द न करें
    scopePages: आपकी ओर से पृष्ठ खोलना ({{scope}})
    heldTitle: इसे अभी भेजें?
    heldSent: आपने {{path}} पर एक फ़ॉर्म तब भेजा था जब आप साइन इन नहीं थे।
    heldKept: उसे सँभालकर रखा गया है और उसके साथ कुछ नहीं किया गया है।
    sendHeld: भेजें
    dropHeld: छोड़ दें
    deviceTitle: डिवाइस जोड़ें
    deviceEnter: वह कोड लिखें जो डिवाइस या प्रोग्राम दिखा रहा है।
    deviceCode: कोड
    deviceUnknown: इस कोड वाला कोई डिवाइस नहीं है। उसे फिर से देखें।
    deviceConnectedTitle: जुड़ गया
    deviceConnected: डिवाइस जुड़ गया है। आप यह पृष्ठ बंद कर सकते हैं।
    deviceRefusedTitle: नहीं जुड़ा
    deviceRefused: डिवाइस को मना कर दिया गया है। आप यह पृष्ठ बंद कर सकते हैं।
    badLinkTitle: यह लिंक काम नहीं करता
    badLink: जिस प्रोग्राम ने आपको यहाँ भेजा, उसने ऐसा कुछ माँगा है जो उसे नहीं मिल सकता। उसके डेवलपर को बताएँ।
    logInButton: साइन इन करें
    logOffButton: साइन आउट करें
    loggedOffTitle: साइन आउट पूरा हुआ
    loggedOff: आप साइन आउट हो गए हैं।
    sessionEnded: आपका सत्र समाप्त हो गया है।
    notRecognized: आपकी दी हुई जानकारी पहचानी नहीं गई।
    accountLocked: यह खाता लॉक है। कृपया अपने व्यवस्थापक से पूछें।
    attemptsTitle: बहुत अधिक कोशिशें
    attempts: साइन इन की बहुत अधिक कोशिशें हुई हैं।
    startAgain: फिर से शुरू करें
    accessGroup: पहुँच समूह
    refusedTitle: इस अनुरोध का उत्तर नहीं दिया जा सकता
    noAccessTitle: पहुँच नहीं है
    notFoundTitle: नहीं मिला
    failedTitle: कुछ गड़बड़ हो गई
    unavailableTitle: अभी उपलब्ध नहीं है
    requestMalformed: अनुरोध का रूप गलत है।
    requestCut: अनुरोध का रूप गलत है, या वह समय से पहले समाप्त हो गया।
    requestTooLarge: अनुरोध इस सर्वर की सीमा से बड़ा है।
    requestTooSlow: अनुरोध को पहुँचने में बहुत समय लगा।
    requestInvalid: अनुरोध मान्य नहीं है।
    hostUnknown: यह सर्वर विकास के लिए चलता है और उस होस्ट के लिए उत्तर नहीं देता।
    methodUnknown: यह पता अनुरोध के तरीके का समर्थन नहीं करता।
    formExpected: पृष्ठ का फ़ॉर्म फ़ॉर्म के रूप में भेजें।
    nothingHere: इस पते पर कुछ नहीं है।
    notAdmitted: आप साइन इन हैं, पर यहाँ आपकी पहुँच नहीं है। व्यवस्थापक से पूछें।
    tooManyRequests: इस क्लाइंट के बहुत अधिक अनुरोध चल रहे हैं।
    somethingWrong: यहाँ कुछ गड़बड़ हो गई। इसे दर्ज कर लिया गया है।
    upstreamSlow: इस गेटवे के पीछे के सर्वर ने समय पर उत्तर नहीं दिया।
    upstreamGone: इस गेटवे के पीछे के सर्वर तक नहीं पहुँचा जा सकता।
    requestNumber: अनुरोध {{id}}
    mailboxTitle: विकास का मेलबॉक्स
    mailboxNote: इनमें से कोई संदेश भेजा नहीं गया है। इस मशीन का हर उपयोगकर्ता उन्हें पढ़ सकता है।
    mailboxEmpty: कोई संदेश नहीं है।
    mailboxRecipient: {{address}} को
    """)
}
