internal import OstiaryExperiences

extension AccountTables {
  /// The texts in traditional Chinese.
  static let traditionalChinese = Experience.TextForms.table(
    """
    signInTitle: 登入 {{service}}
    signUpTitle: 建立 {{service}} 帳號
    recoverTitle: 忘記密碼？
    codeTitle: 請查看郵件
    passwordTitle: 設定新密碼
    profileTitle: 您的 {{service}} 帳號
    signedOutTitle: 已登出
    expiredTitle: 此頁面已過期
    identifierLabel: 使用者名稱或電子郵件地址
    emailLabel: 電子郵件地址
    displayNameLabel: 姓名
    passwordLabel: 密碼
    newPasswordLabel: 新密碼
    currentPasswordLabel: 目前的密碼
    codeLabel: 郵件中的驗證碼
    newPasswordHelp: 至少 {{number}} 個字元。
    signIn: 登入
    createAccount: 建立這個帳號
    makeAccount: 建立帳號
    sendCode: 寄送驗證碼
    goOn: 繼續
    resend: 重新寄送驗證碼
    setPassword: 設定密碼
    save: 儲存
    changePassword: 變更密碼
    forgotPassword: 忘記密碼？
    changeAccount: 變更帳號資料
    signOut: 登出
    signInAgain: 重新登入
    signedInAs: 您已登入為 {{user}}。
    signedOut: 您已登出。
    notSignedIn: 您尚未登入。
    nothingDone: 未執行任何動作。
    accountCreated: 您的帳號已就緒。
    profileSaved: 已儲存。
    passwordChanged: 您的密碼已變更，所有其他裝置均已登出。
    signedIn: 您已登入。
    flowUnknown: 此頁面無法使用。這是新的頁面。
    flowFinished: 此動作已完成。
    flowOutOfOrder: 現在無法執行該動作。請從這裡繼續。
    formSent: 此表單先前已送出。以第一次送出的內容為準。
    sessionEnded: 您已在此期間被登出。請重新登入。
    requestForged: 該要求來自其他網站。
    codeSubject: 您的 {{service}} 驗證碼
    confirmationReason: 有人（很可能是您）想用此地址建立 {{service}} 帳號。
    code: 驗證碼是 {{code}}
    validity: 驗證碼在要求它的視窗中 {{number}} 分鐘內有效。
    link: 如果該視窗已關閉，請在同一個瀏覽器中開啟：
    confirmationOtherwise: 如果不是您本人操作，請忽略：沒有驗證碼就不會建立帳號。
    existsSubject: 您已有 {{service}} 帳號
    existsReason: 有人（很可能是您）曾想用此地址建立 {{service}} 帳號。帳號已存在。
    existsSignIn: 登入：{{link}}
    existsRecover: 忘記密碼？{{link}}
    existsOtherwise: 如果不是您本人操作，請忽略：沒有任何變更。
    recoveryReason: 有人（很可能是您）忘記了此地址的 {{service}} 帳號的密碼。
    recoveryNever: {{service}} 的任何人都不會向您索取此驗證碼。
    recoveryOtherwise: 如果不是您本人操作，請忽略：密碼維持不變。
    changedSubject: 您的 {{service}} 密碼已變更
    changedReason: 您的 {{service}} 帳號的密碼已變更，所有裝置均已登出。
    changedOtherwise: 如果不是您本人操作，請立即設定其他密碼：{{link}}
    """)
}
