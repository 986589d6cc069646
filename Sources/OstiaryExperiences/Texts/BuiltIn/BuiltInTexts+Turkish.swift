extension BuiltInTexts {
  /// The texts in Turkish.
  static let turkish = Experience.TextForms.table(
    """
    required: Lütfen burayı doldurun.
    must_be_on: Devam etmek için lütfen kabul edin.
    too_short: En az {{limit}} karakter kullanın.
    too_long: En fazla {{limit}} karakter kullanın.
    pattern: Bu beklenen biçimde değil.
    email: Bir e-posta adresi girin, örneğin ad@example.com.
    phone: Bir telefon numarası girin, örneğin +90 212 345 67 89.
    number: Bir sayı girin.
    ambiguous_number: Bu iki biçimde okunabilir. Binleri ayırıcı olmadan yazın, örneğin {{limit}}.
    date: Bir tarih girin, örneğin 2026-11-22.
    choice: Seçeneklerden birini seçin.
    too_small: Bu değer en az {{limit}} olmalıdır.
    too_large: Bu değer en fazla {{limit}} olmalıdır.
    mismatch: İki giriş aynı değil.
    invalid: Lütfen burayı kontrol edin.
    refused: Bu kabul edilmedi. Lütfen girdiklerinizi kontrol edin.
    failed: Bir şeyler ters gitti. Lütfen yeniden deneyin.
    unanswered: Uygulama yanıt vermiyor, bu yüzden hiçbir şey kabul edilmedi. Kapatıp yeniden açın.
    waiting: Bir dakika …
    next: Devam
    submit: Devam
    back: Geri
    skip: Şimdi değil
    dismiss: Kapat
    more: Daha fazla
    provider: {{provider}} ile devam et
    permission: Devam
    problem: Bir sorun var
    optional: isteğe bağlı
    choose: Lütfen seçin
    clear: Temizle
    others: Başka bir şey
    yes: evet
    no: hayır
    field_characters: Lütfen denetim karakterlerini çıkarın.
    email_taken: Bu e-posta adresinin zaten bir hesabı var.
    password_too_common: Bu parola ilk denenenlerden biri. Birbiriyle ilgisi olmayan birkaç sözcük kullanın.
    password_wrong: Bu, mevcut parola değil.
    credentials_wrong: Ad veya parola yanlış.
    code_wrong: Bu kod doğru değil. En yeni iletiye bakın veya başka bir kod isteyin.
    code_expired: Bu kod çok eski. Başka bir kod isteyin.
    code_exhausted: Çok fazla deneme yapıldı. Başka bir kod isteyin.
    code_sent: Bu adres burada kullanılabiliyorsa bir kod gönderildi. Kod {{limit}} dakika geçerlidir.
    resend_too_soon: Az önce bir kod gönderildi. Lütfen {{limit}} saniye bekleyin.
    resend_exhausted: Bunun için başka kod gönderilmiyor. Lütfen yeniden başlayın.
    account_exists: Burada zaten bir hesabınız var. Lütfen oturum açın.
    wait: Yeniden denemeden önce lütfen {{limit}} saniye bekleyin.
    overloaded: Şu anda çok fazla kişi oturum açıyor. Lütfen biraz sonra yeniden deneyin.
    unavailable: Hizmet şu anda kullanılamıyor. Lütfen biraz sonra yeniden deneyin.
    flow_expired: Bu sayfa çok uzun süre açık kaldı. Lütfen yeniden deneyin.
    flow_disabled: Bu sunucu bunu sunmuyor.
    session_required: Lütfen önce oturum açın.
    """)
}
