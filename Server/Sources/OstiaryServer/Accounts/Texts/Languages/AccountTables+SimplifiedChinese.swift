internal import OstiaryExperiences

extension AccountTables {
  /// The texts in simplified Chinese.
  static let simplifiedChinese = Experience.TextForms.table(
    """
    signInTitle: 登录 {{service}}
    signUpTitle: 创建 {{service}} 账户
    recoverTitle: 忘记密码？
    codeTitle: 请查收邮件
    passwordTitle: 设置新密码
    profileTitle: 您的 {{service}} 账户
    signedOutTitle: 已退出登录
    expiredTitle: 此页面已过期
    identifierLabel: 用户名或电子邮件地址
    emailLabel: 电子邮件地址
    displayNameLabel: 姓名
    passwordLabel: 密码
    newPasswordLabel: 新密码
    currentPasswordLabel: 当前密码
    codeLabel: 邮件中的验证码
    newPasswordHelp: 至少 {{number}} 个字符。
    signIn: 登录
    createAccount: 创建该账户
    makeAccount: 创建账户
    sendCode: 发送验证码
    goOn: 继续
    resend: 重新发送验证码
    setPassword: 设置密码
    save: 保存
    changePassword: 更改密码
    forgotPassword: 忘记密码？
    changeAccount: 修改账户信息
    signOut: 退出登录
    signInAgain: 重新登录
    signedInAs: 您已登录为 {{user}}。
    signedOut: 您已退出登录。
    notSignedIn: 您尚未登录。
    nothingDone: 未执行任何操作。
    accountCreated: 您的账户已就绪。
    profileSaved: 已保存。
    passwordChanged: 您的密码已更改，所有其他设备均已退出登录。
    signedIn: 您已登录。
    flowUnknown: 此页面无法使用。这是一个新页面。
    flowFinished: 此操作已完成。
    flowOutOfOrder: 现在无法执行该操作。请从这里继续。
    formSent: 此表单已提交过。以第一次提交的内容为准。
    sessionEnded: 您的登录已在此期间结束。请重新登录。
    requestForged: 该请求来自其他网站。
    codeSubject: 您的 {{service}} 验证码
    confirmationReason: 有人（很可能是您）想用此地址创建 {{service}} 账户。
    code: 验证码是 {{code}}
    validity: 验证码在请求它的窗口中 {{number}} 分钟内有效。
    link: 如果该窗口已关闭，请在同一浏览器中打开：
    confirmationOtherwise: 如果不是您本人操作，请忽略：没有验证码就不会创建账户。
    existsSubject: 您已有 {{service}} 账户
    existsReason: 有人（很可能是您）曾想用此地址创建 {{service}} 账户。账户已存在。
    existsSignIn: 登录：{{link}}
    existsRecover: 忘记密码？{{link}}
    existsOtherwise: 如果不是您本人操作，请忽略：没有任何更改。
    recoveryReason: 有人（很可能是您）忘记了此地址的 {{service}} 账户的密码。
    recoveryNever: {{service}} 的任何人都不会向您索要此验证码。
    recoveryOtherwise: 如果不是您本人操作，请忽略：密码保持不变。
    changedSubject: 您的 {{service}} 密码已更改
    changedReason: 您的 {{service}} 账户的密码已更改，所有设备均已退出登录。
    changedOtherwise: 如果不是您本人操作，请立即设置其他密码：{{link}}
    """)
}
