internal import OstiaryExperiences

extension PageTables {
  /// The texts in simplified Chinese.
  static let simplifiedChinese = Experience.TextForms.table(
    """
    userNameLabel: 用户名
    credentialsRefused: 用户名或密码错误。
    expired: 此页面已过期。请重试。
    waitTitle: 请稍候
    wait: 请稍候片刻再重试。
    busyTitle: 繁忙
    signedInTitle: 已登录
    notSignedInTitle: 未登录
    consentTitle: 允许访问吗？
    consentWants: {{app}} 想要：
    consentUser: 您是 {{user}}。
    consentOther: 不是您？
    allow: 允许
    deny: 拒绝
    scopeData: 读取和更改您的数据
    scopeEverything: 执行您可以执行的所有操作
    scopeIdentity: 了解您的身份
    scopeEmail: 了解您的电子邮件地址
    scopeAddress: 了解您的邮寄地址
    scopePhone: 了解您的电话号码
    scopeOffline: 在您不在时继续，直到您退出登录或撤销授权
    scopePages: 以您的身份打开页面（{{scope}}）
    heldTitle: 现在发送吗？
    heldSent: 您在未登录时向 {{path}} 发送了一个表单。
    heldKept: 表单已保留，未对其执行任何操作。
    sendHeld: 发送
    dropHeld: 放弃
    deviceTitle: 连接设备
    deviceEnter: 请输入设备或程序显示的代码。
    deviceCode: 代码
    deviceUnknown: 没有使用该代码的设备。请再核对一次。
    deviceConnectedTitle: 已连接
    deviceConnected: 设备已连接。您可以关闭此页面。
    deviceRefusedTitle: 未连接
    deviceRefused: 设备已被拒绝。您可以关闭此页面。
    badLinkTitle: 此链接无法使用
    badLink: 将您引导到此处的程序请求了它无法获得的内容。请告知其开发者。
    logInButton: 登录
    logOffButton: 退出登录
    loggedOffTitle: 登录已结束
    loggedOff: 您已退出登录。
    sessionEnded: 您的会话已结束。
    notRecognized: 无法识别您输入的信息。
    accountLocked: 此账户已锁定。请联系管理员。
    attemptsTitle: 尝试次数过多
    attempts: 登录尝试次数过多。
    startAgain: 重新开始
    accessGroup: 访问组
    refusedTitle: 无法处理此请求
    noAccessTitle: 无访问权限
    notFoundTitle: 未找到
    failedTitle: 出现问题
    unavailableTitle: 当前不可用
    requestMalformed: 请求格式错误。
    requestCut: 请求格式错误，或过早结束。
    requestTooLarge: 请求超过此服务器接受的大小。
    requestTooSlow: 请求传输时间过长。
    requestInvalid: 请求无效。
    hostUnknown: 此服务器用于开发，不响应对该主机的请求。
    methodUnknown: 此地址不支持该请求的方法。
    formExpected: 请以表单形式提交页面的表单。
    nothingHere: 此地址没有任何内容。
    notAdmitted: 您已登录，但无权访问此处。请联系管理员。
    tooManyRequests: 此客户端正在进行的请求过多。
    somethingWrong: 此处出现问题。已记录。
    upstreamSlow: 此网关后面的服务器未及时响应。
    upstreamGone: 无法连接此网关后面的服务器。
    requestNumber: 请求 {{id}}
    mailboxTitle: 开发邮箱
    mailboxNote: 这些邮件均未发送。此计算机的所有用户都可以阅读。
    mailboxEmpty: 没有邮件。
    mailboxRecipient: 收件人：{{address}}
    """)
}
