internal import OstiaryExperiences

extension PageTables {
  /// The texts in traditional Chinese.
  static let traditionalChinese = Experience.TextForms.table(
    """
    userNameLabel: 使用者名稱
    credentialsRefused: 使用者名稱或密碼錯誤。
    expired: 此頁面已過期。請再試一次。
    waitTitle: 請稍候
    wait: 請稍候片刻再試一次。
    busyTitle: 忙碌
    signedInTitle: 已登入
    notSignedInTitle: 未登入
    consentTitle: 允許存取嗎？
    consentWants: {{app}} 想要：
    consentUser: 您是 {{user}}。
    consentOther: 不是您？
    allow: 允許
    deny: 拒絕
    scopeData: 讀取和變更您的資料
    scopeEverything: 執行您可以執行的所有動作
    scopeIdentity: 得知您的身分
    scopeEmail: 得知您的電子郵件地址
    scopeAddress: 得知您的郵寄地址
    scopePhone: 得知您的電話號碼
    scopeOffline: 在您不在時繼續，直到您登出或撤銷授權
    scopePages: 以您的身分開啟頁面（{{scope}}）
    heldTitle: 現在傳送嗎？
    heldSent: 您在未登入時向 {{path}} 傳送了一份表單。
    heldKept: 表單已保留，尚未對其執行任何動作。
    sendHeld: 傳送
    dropHeld: 捨棄
    deviceTitle: 連接裝置
    deviceEnter: 請輸入裝置或程式顯示的代碼。
    deviceCode: 代碼
    deviceUnknown: 沒有使用該代碼的裝置。請再確認一次。
    deviceConnectedTitle: 已連接
    deviceConnected: 裝置已連接。您可以關閉此頁面。
    deviceRefusedTitle: 未連接
    deviceRefused: 裝置已被拒絕。您可以關閉此頁面。
    badLinkTitle: 此連結無法使用
    badLink: 將您引導至此處的程式要求了它無法取得的內容。請告知其開發者。
    logInButton: 登入
    logOffButton: 登出
    loggedOffTitle: 登出完成
    loggedOff: 您已完成登出。
    sessionEnded: 您的工作階段已結束。
    notRecognized: 無法辨識您輸入的資訊。
    accountLocked: 此帳號已鎖定。請洽詢管理員。
    attemptsTitle: 嘗試次數過多
    attempts: 登入嘗試次數過多。
    startAgain: 重新開始
    accessGroup: 存取群組
    refusedTitle: 無法處理此要求
    noAccessTitle: 無存取權
    notFoundTitle: 找不到
    failedTitle: 發生問題
    unavailableTitle: 目前無法使用
    requestMalformed: 要求格式錯誤。
    requestCut: 要求格式錯誤，或過早結束。
    requestTooLarge: 要求超過此伺服器接受的大小。
    requestTooSlow: 要求傳送時間過長。
    requestInvalid: 要求無效。
    hostUnknown: 此伺服器供開發使用，不回應對該主機的要求。
    methodUnknown: 此位址不支援該要求的方法。
    formExpected: 請以表單形式送出頁面的表單。
    nothingHere: 此位址沒有任何內容。
    notAdmitted: 您已登入，但無權存取此處。請洽詢管理員。
    tooManyRequests: 此用戶端進行中的要求過多。
    somethingWrong: 此處發生問題。已記錄。
    upstreamSlow: 此閘道後方的伺服器未及時回應。
    upstreamGone: 無法連線至此閘道後方的伺服器。
    requestNumber: 要求 {{id}}
    mailboxTitle: 開發信箱
    mailboxNote: 這些郵件均未寄出。此電腦的所有使用者都可以閱讀。
    mailboxEmpty: 沒有郵件。
    mailboxRecipient: 收件人：{{address}}
    """)
}
