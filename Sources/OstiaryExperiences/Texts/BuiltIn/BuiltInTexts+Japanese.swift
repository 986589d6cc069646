extension BuiltInTexts {
  /// The texts in Japanese.
  static let japanese = Experience.TextForms.table(
    """
    required: 入力してください。
    must_be_on: 続けるには同意してください。
    too_short: {{limit}} 文字以上で入力してください。
    too_long: {{limit}} 文字以内で入力してください。
    pattern: 形式が正しくありません。
    email: メールアドレスを入力してください（例：name@example.com）。
    phone: 電話番号を入力してください（例：+81 3-1234-5678）。
    number: 数値を入力してください。
    ambiguous_number: 二通りに読めます。桁区切りなしで入力してください（例：{{limit}}）。
    date: 日付を入力してください（例：2026-11-22）。
    choice: 選択肢から一つ選んでください。
    too_small: {{limit}} 以上にしてください。
    too_large: {{limit}} 以下にしてください。
    mismatch: 二つの入力が一致しません。
    invalid: 確認してください。
    refused: 受け付けられませんでした。入力内容を確認してください。
    failed: 問題が発生しました。もう一度お試しください。
    unanswered: アプリが応答しないため、何も受け付けられませんでした。閉じてから開き直してください。
    waiting: お待ちください …
    next: 続ける
    submit: 続ける
    back: 戻る
    skip: 今はしない
    dismiss: 閉じる
    more: その他
    provider: {{provider}} で続ける
    permission: 続ける
    problem: 問題があります
    optional: 任意
    choose: 選択してください
    clear: 消去
    others: その他の操作
    yes: はい
    no: いいえ
    field_characters: 制御文字を取り除いてください。
    email_taken: このメールアドレスのアカウントは既にあります。
    password_too_common: このパスワードは最初に試されるものの一つです。関連のない単語をいくつか使ってください。
    password_wrong: 現在のパスワードではありません。
    credentials_wrong: 名前またはパスワードが違います。
    code_wrong: コードが正しくありません。最新のメールを確認するか、別のコードを送信してください。
    code_expired: コードの期限が切れています。別のコードを送信してください。
    code_exhausted: 試行回数が多すぎます。別のコードを送信してください。
    code_sent: このアドレスがここで使える場合は、コードを送信しました。{{limit}} 分間有効です。
    resend_too_soon: コードを送信したばかりです。{{limit}} 秒お待ちください。
    resend_exhausted: これ以上コードは送信されません。最初からやり直してください。
    account_exists: アカウントは既にあります。サインインしてください。
    wait: {{limit}} 秒待ってからもう一度お試しください。
    overloaded: 現在サインインが集中しています。しばらくしてからお試しください。
    unavailable: 現在サービスを利用できません。しばらくしてからお試しください。
    flow_expired: ページを開いてから時間が経ちすぎました。もう一度お試しください。
    flow_disabled: このサーバーでは利用できません。
    session_required: 先にサインインしてください。
    """)
}
