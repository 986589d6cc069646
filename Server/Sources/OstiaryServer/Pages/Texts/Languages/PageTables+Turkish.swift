internal import OstiaryExperiences

extension PageTables {
  /// The texts in Turkish.
  static let turkish = Experience.TextForms.table(
    """
    userNameLabel: Kullanıcı adı
    credentialsRefused: Kullanıcı adı veya parola yanlış.
    expired: Bu sayfanın süresi doldu. Lütfen yeniden deneyin.
    waitTitle: Lütfen bekleyin
    wait: Yeniden denemeden önce lütfen biraz bekleyin.
    busyTitle: Yoğun
    signedInTitle: Oturum açıldı
    notSignedInTitle: Oturum açılmadı
    consentTitle: Erişime izin verilsin mi?
    consentWants: {{app}} şunları istiyor:
    consentUser: {{user}} olarak oturum açtınız.
    consentOther: Başka biri misiniz?
    allow: İzin ver
    deny: Reddet
    scopeData: Verilerinizi okumak ve değiştirmek
    scopeEverything: Sizin yapabildiğiniz her şeyi yapmak
    scopeIdentity: Kim olduğunuzu bilmek
    scopeEmail: E-posta adresinizi bilmek
    scopeAddress: Posta adresinizi bilmek
    scopePhone: Telefon numaranızı bilmek
    scopeOffline: Siz yokken de sürdürmek; oturumu kapatana veya izni geri alana kadar
    scopePages: Sayfaları sizin adınıza açmak ({{scope}})
    heldTitle: Şimdi gönderilsin mi?
    heldSent: Oturum açmamışken {{path}} adresine bir form göndermiştiniz.
    heldKept: Form saklandı ve onunla hiçbir şey yapılmadı.
    sendHeld: Gönder
    dropHeld: Sil
    deviceTitle: Bir cihaz bağlayın
    deviceEnter: Cihazın veya programın gösterdiği kodu girin.
    deviceCode: Kod
    deviceUnknown: Bu kodu taşıyan bir cihaz yok. Koda yeniden bakın.
    deviceConnectedTitle: Bağlandı
    deviceConnected: Cihaz bağlandı. Bu sayfayı kapatabilirsiniz.
    deviceRefusedTitle: Bağlanmadı
    deviceRefused: Cihaz reddedildi. Bu sayfayı kapatabilirsiniz.
    badLinkTitle: Bu bağlantı çalışmıyor
    badLink: Sizi buraya gönderen program, alamayacağı bir şey istedi. Geliştiricisine bildirin.
    logInButton: Oturum aç
    logOffButton: Oturumu kapat
    loggedOffTitle: Oturum sonlandı
    loggedOff: Oturumunuzu kapattınız.
    sessionEnded: Oturumunuz sona erdi.
    notRecognized: Girdiğiniz bilgiler tanınmadı.
    accountLocked: Bu hesap kilitli. Lütfen yöneticinize sorun.
    attemptsTitle: Çok fazla deneme
    attempts: Çok fazla oturum açma denemesi yapıldı.
    startAgain: Baştan başla
    accessGroup: Erişim grubu
    refusedTitle: Bu istek yanıtlanamıyor
    noAccessTitle: Erişim yok
    notFoundTitle: Bulunamadı
    failedTitle: Bir şeyler ters gitti
    unavailableTitle: Şu anda kullanılamıyor
    requestMalformed: İstek hatalı biçimlendirilmiş.
    requestCut: İstek hatalı biçimlendirilmiş veya çok erken bitti.
    requestTooLarge: İstek, bu sunucunun kabul ettiğinden büyük.
    requestTooSlow: İsteğin gelmesi çok uzun sürdü.
    requestInvalid: İstek geçerli değil.
    hostUnknown: Bu sunucu geliştirme için çalışıyor ve o ana makine adına yanıt vermiyor.
    methodUnknown: Bu adres, isteğin yöntemini desteklemiyor.
    formExpected: Sayfanın formunu form olarak gönderin.
    nothingHere: Bu adreste hiçbir şey yok.
    notAdmitted: Oturum açtınız ama buraya erişiminiz yok. Yöneticiye sorun.
    tooManyRequests: Bu istemcinin süren çok fazla isteği var.
    somethingWrong: Burada bir şeyler ters gitti. Kaydedildi.
    upstreamSlow: Bu ağ geçidinin arkasındaki sunucu zamanında yanıt vermedi.
    upstreamGone: Bu ağ geçidinin arkasındaki sunucuya ulaşılamıyor.
    requestNumber: İstek {{id}}
    mailboxTitle: Geliştirme posta kutusu
    mailboxNote: Bu iletilerin hiçbiri gönderilmedi. Bu makinenin her kullanıcısı onları okuyabilir.
    mailboxEmpty: İleti yok.
    mailboxRecipient: Alıcı: {{address}}
    """)
}
