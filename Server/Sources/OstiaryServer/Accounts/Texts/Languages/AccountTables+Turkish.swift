internal import OstiaryExperiences

extension AccountTables {
  /// The texts in Turkish.
  static let turkish = Experience.TextForms.table(
    """
    signInTitle: {{service}} oturumu açın
    signUpTitle: {{service}} hesabı oluşturun
    recoverTitle: Parolanızı mı unuttunuz?
    codeTitle: E-postanıza bakın
    passwordTitle: Yeni bir parola belirleyin
    profileTitle: {{service}} hesabınız
    signedOutTitle: Oturum kapatıldı
    expiredTitle: Bu sayfanın süresi doldu
    identifierLabel: Kullanıcı adı veya e-posta adresi
    emailLabel: E-posta adresi
    displayNameLabel: Ad
    passwordLabel: Parola
    newPasswordLabel: Yeni parola
    currentPasswordLabel: Mevcut parola
    codeLabel: E-postadaki kod
    newPasswordHelp: En az {{number}} karakter.
    signIn: Oturum aç
    createAccount: Hesabı oluştur
    makeAccount: Hesap oluştur
    sendCode: Kod gönder
    goOn: Devam
    resend: Başka bir kod gönder
    setPassword: Parolayı belirle
    save: Kaydet
    changePassword: Parolayı değiştir
    forgotPassword: Parolanızı mı unuttunuz?
    changeAccount: Hesabı düzenle
    signOut: Oturumu kapat
    signInAgain: Yeniden oturum aç
    signedInAs: {{user}} olarak oturum açtınız.
    signedOut: Oturumu kapattınız.
    notSignedIn: Oturum açmadınız.
    nothingDone: Hiçbir şey yapılmadı.
    accountCreated: Hesabınız hazır.
    profileSaved: Kaydedildi.
    passwordChanged: Parolanız değiştirildi ve diğer tüm cihazlarda oturum kapatıldı.
    signedIn: Oturum açtınız.
    flowUnknown: Bu sayfa kullanılamıyor. İşte yenisi.
    flowFinished: Bu zaten yapıldı.
    flowOutOfOrder: Bu şimdi yapılamaz. Buradan devam edin.
    formSent: Bu form zaten gönderildi. İlk gönderilen geçerlidir.
    sessionEnded: Bu arada oturumunuz kapatıldı. Lütfen yeniden oturum açın.
    requestForged: İstek başka bir siteden geliyor.
    codeSubject: {{service}} için kodunuz
    confirmationReason: Biri, büyük olasılıkla siz, bu adresle {{service}} hesabı oluşturmak istiyor.
    code: Kod: {{code}}
    validity: Kod, istendiği pencerede {{number}} dakika geçerlidir.
    link: O pencere kapandıysa bunu aynı tarayıcıda açın:
    confirmationOtherwise: Bunu siz yapmadıysanız bir şey yapmanız gerekmez: kod olmadan hesap oluşturulmaz.
    existsSubject: {{service}} hesabınız var
    existsReason: Biri, büyük olasılıkla siz, bu adresle {{service}} hesabı oluşturmak istedi. Zaten bir hesap var.
    existsSignIn: Oturum açın: {{link}}
    existsRecover: Parolanızı mı unuttunuz? {{link}}
    existsOtherwise: Bunu siz yapmadıysanız bir şey yapmanız gerekmez: hiçbir şey değişmedi.
    recoveryReason: Biri, büyük olasılıkla siz, bu adresin {{service}} hesabının parolasını unuttu.
    recoveryNever: {{service}} adına hiç kimse sizden bu kodu istemez.
    recoveryOtherwise: Bunu siz yapmadıysanız bir şey yapmanız gerekmez: parola olduğu gibi kalır.
    changedSubject: {{service}} parolanız değiştirildi
    changedReason: {{service}} hesabınızın parolası değiştirildi ve tüm cihazlarda oturum kapatıldı.
    changedOtherwise: Bunu siz yapmadıysanız şimdi başka bir parola belirleyin: {{link}}
    """)
}
