extension BuiltInTexts {
  /// The texts in traditional Chinese.
  static let traditionalChinese = Experience.TextForms.table(
    """
    required: 請填寫此欄。
    must_be_on: 請同意後繼續。
    too_short: 請至少使用 {{limit}} 個字元。
    too_long: 請最多使用 {{limit}} 個字元。
    pattern: 格式不符合要求。
    email: 請輸入電子郵件地址，例如 name@example.com。
    phone: 請輸入電話號碼，例如 +886 2 1234 5678。
    number: 請輸入數字。
    ambiguous_number: 這個數字有兩種讀法。千位請不要用分隔符號，例如 {{limit}}。
    date: 請輸入日期，例如 2026-11-22。
    choice: 請選擇其中一項。
    too_small: 不能小於 {{limit}}。
    too_large: 不能大於 {{limit}}。
    mismatch: 兩次輸入不一致。
    invalid: 請檢查此欄。
    refused: 未被接受。請檢查輸入的內容。
    failed: 發生錯誤。請再試一次。
    unanswered: 應用程式沒有回應，因此未接受任何內容。請關閉後重新開啟。
    waiting: 請稍候 …
    next: 繼續
    submit: 繼續
    back: 返回
    skip: 以後再說
    dismiss: 關閉
    more: 更多
    provider: 使用 {{provider}} 繼續
    permission: 繼續
    problem: 有問題
    optional: 選填
    choose: 請選擇
    clear: 清除
    others: 其他操作
    yes: 是
    no: 否
    field_characters: 請移除控制字元。
    email_taken: 這個電子郵件地址已有帳號。
    password_too_common: 這個密碼是最先會被嘗試的密碼之一。請使用幾個互不相關的詞。
    password_wrong: 這不是目前的密碼。
    credentials_wrong: 使用者名稱或密碼錯誤。
    code_wrong: 驗證碼不正確。請查看最新的郵件，或重新寄送驗證碼。
    code_expired: 驗證碼已過期。請重新寄送。
    code_exhausted: 嘗試次數過多。請重新寄送驗證碼。
    code_sent: 如果這個地址可以在此使用，驗證碼已寄出。有效期為 {{limit}} 分鐘。
    resend_too_soon: 剛剛已寄出驗證碼。請等待 {{limit}} 秒。
    resend_exhausted: 不再寄送驗證碼。請重新開始。
    account_exists: 您在這裡已有帳號。請登入。
    wait: 請等待 {{limit}} 秒後再試。
    overloaded: 目前登入人數過多。請稍後再試。
    unavailable: 服務目前無法使用。請稍後再試。
    flow_expired: 此頁面開啟時間過長。請再試一次。
    flow_disabled: 此伺服器不提供這項功能。
    session_required: 請先登入。
    """)
}
