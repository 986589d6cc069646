internal import OstiaryExperiences

extension AccountTables {
  /// The texts in Japanese.
  static let japanese = Experience.TextForms.table(
    """
    signInTitle: {{service}} にサインイン
    signUpTitle: {{service}} のアカウントを作成
    recoverTitle: パスワードをお忘れですか？
    codeTitle: メールを確認してください
    passwordTitle: 新しいパスワードを設定
    profileTitle: {{service}} のアカウント
    signedOutTitle: サインアウトしました
    expiredTitle: このページの有効期限が切れました
    identifierLabel: ユーザー名またはメールアドレス
    emailLabel: メールアドレス
    displayNameLabel: 名前
    passwordLabel: パスワード
    newPasswordLabel: 新しいパスワード
    currentPasswordLabel: 現在のパスワード
    codeLabel: メールに記載のコード
    newPasswordHelp: {{number}} 文字以上。
    signIn: サインイン
    createAccount: このアカウントを作成
    makeAccount: アカウントを作成
    sendCode: コードを送信
    goOn: 続ける
    resend: 別のコードを送信
    setPassword: パスワードを設定
    save: 保存
    changePassword: パスワードを変更
    forgotPassword: パスワードをお忘れですか？
    changeAccount: アカウント情報を変更
    signOut: サインアウト
    signInAgain: もう一度サインイン
    signedInAs: {{user}} としてサインインしています。
    signedOut: サインアウトが完了しました。
    notSignedIn: サインインしていません。
    nothingDone: 何も行われていません。
    accountCreated: アカウントの準備ができました。
    profileSaved: 保存しました。
    passwordChanged: パスワードを変更し、ほかのすべてのデバイスをサインアウトしました。
    signedIn: サインインしました。
    flowUnknown: このページは使えません。新しいページを表示しています。
    flowFinished: これは既に完了しています。
    flowOutOfOrder: 今はその操作はできません。ここから続けてください。
    formSent: このフォームは既に送信されています。最初に送信された内容が有効です。
    sessionEnded: その間にサインアウトされました。もう一度サインインしてください。
    requestForged: 別のサイトからのリクエストです。
    codeSubject: {{service}} のコード
    confirmationReason: どなたか（おそらくあなた）が、このアドレスで {{service}} のアカウントを作成しようとしています。
    code: コードは {{code}} です
    validity: コードは、要求したウィンドウで {{number}} 分間有効です。
    link: そのウィンドウがもうない場合は、同じブラウザーで次を開いてください：
    confirmationOtherwise: 心当たりがない場合は、何もする必要はありません。コードがなければアカウントは作成されません。
    existsSubject: {{service}} のアカウントは既にあります
    existsReason: どなたか（おそらくあなた）が、このアドレスで {{service}} のアカウントを作成しようとしました。アカウントは既にあります。
    existsSignIn: サインイン：{{link}}
    existsRecover: パスワードをお忘れの場合：{{link}}
    existsOtherwise: 心当たりがない場合は、何もする必要はありません。何も変更されていません。
    recoveryReason: どなたか（おそらくあなた）が、このアドレスの {{service}} アカウントのパスワードを忘れました。
    recoveryNever: {{service}} の担当者がこのコードをお尋ねすることはありません。
    recoveryOtherwise: 心当たりがない場合は、何もする必要はありません。パスワードはそのままです。
    changedSubject: {{service}} のパスワードが変更されました
    changedReason: {{service}} のアカウントのパスワードが変更され、すべてのデバイスがサインアウトされました。
    changedOtherwise: 心当たりがない場合は、今すぐ別のパスワードを設定してください：{{link}}
    """)
}
