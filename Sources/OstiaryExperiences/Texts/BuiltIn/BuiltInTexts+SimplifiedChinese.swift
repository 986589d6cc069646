extension BuiltInTexts {
  /// The texts in simplified Chinese.
  static let simplifiedChinese = Experience.TextForms.table(
    """
    required: 请填写此项。
    must_be_on: 请同意后继续。
    too_short: 请至少使用 {{limit}} 个字符。
    too_long: 请最多使用 {{limit}} 个字符。
    pattern: 格式不符合要求。
    email: 请输入电子邮件地址，例如 name@example.com。
    phone: 请输入电话号码，例如 +86 10 1234 5678。
    number: 请输入数字。
    ambiguous_number: 这个数字有两种读法。千位请不要用分隔符，例如 {{limit}}。
    date: 请输入日期，例如 2026-11-22。
    choice: 请选择其中一项。
    too_small: 不能小于 {{limit}}。
    too_large: 不能大于 {{limit}}。
    mismatch: 两次输入不一致。
    invalid: 请检查此项。
    refused: 未被接受。请检查输入的内容。
    failed: 出错了。请重试。
    unanswered: 应用没有响应，因此未接受任何内容。请关闭后重新打开。
    waiting: 请稍候 …
    next: 继续
    submit: 继续
    back: 返回
    skip: 以后再说
    dismiss: 关闭
    more: 更多
    provider: 使用 {{provider}} 继续
    permission: 继续
    problem: 有问题
    optional: 可选
    choose: 请选择
    clear: 清除
    others: 其他操作
    yes: 是
    no: 否
    field_characters: 请去掉控制字符。
    email_taken: 该电子邮件地址已有账户。
    password_too_common: 这个密码是最先会被尝试的密码之一。请使用几个互不相关的词。
    password_wrong: 这不是当前密码。
    credentials_wrong: 用户名或密码错误。
    code_wrong: 验证码不正确。请查看最新邮件，或重新发送验证码。
    code_expired: 验证码已过期。请重新发送。
    code_exhausted: 尝试次数过多。请重新发送验证码。
    code_sent: 如果该地址可以在此使用，验证码已发出。有效期为 {{limit}} 分钟。
    resend_too_soon: 刚刚已发送验证码。请等待 {{limit}} 秒。
    resend_exhausted: 不再发送验证码。请重新开始。
    account_exists: 您在这里已有账户。请登录。
    wait: 请等待 {{limit}} 秒后再试。
    overloaded: 当前登录人数过多。请稍后重试。
    unavailable: 服务当前不可用。请稍后重试。
    flow_expired: 此页面打开时间过长。请重试。
    flow_disabled: 此服务器不提供该功能。
    session_required: 请先登录。
    """)
}
