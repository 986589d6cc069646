internal import OstiaryExperiences

extension PageTables {
  /// The texts in Japanese.
  static let japanese = Experience.TextForms.table(
    """
    userNameLabel: ユーザー名
    credentialsRefused: ユーザー名またはパスワードが違います。
    expired: このページの有効期限が切れました。もう一度お試しください。
    waitTitle: お待ちください
    wait: 少し待ってからもう一度お試しください。
    busyTitle: 混雑しています
    signedInTitle: サインイン済み
    notSignedInTitle: サインインしていません
    consentTitle: アクセスを許可しますか？
    consentWants: {{app}} は次のことを求めています：
    consentUser: あなたは {{user}} です。
    consentOther: 別の方ですか？
    allow: 許可する
    deny: 拒否する
    scopeData: データの読み取りと変更
    scopeEverything: あなたにできるすべての操作
    scopeIdentity: あなたが誰であるかの確認
    scopeEmail: メールアドレスの確認
    scopeAddress: 住所の確認
    scopePhone: 電話番号の確認
    scopeOffline: サインアウトするか取り消すまで、あなたがいないときも続けること
    scopePages: あなたとしてページを開くこと（{{scope}}）
    heldTitle: 今すぐ送信しますか？
    heldSent: サインインしていないときに {{path}} にフォームを送信しました。
    heldKept: フォームは保管されており、まだ何も行われていません。
    sendHeld: 送信する
    dropHeld: 破棄する
    deviceTitle: デバイスを接続
    deviceEnter: デバイスまたはプログラムに表示されているコードを入力してください。
    deviceCode: コード
    deviceUnknown: そのコードのデバイスはありません。もう一度ご確認ください。
    deviceConnectedTitle: 接続しました
    deviceConnected: デバイスが接続されました。このページを閉じてかまいません。
    deviceRefusedTitle: 接続していません
    deviceRefused: デバイスは拒否されました。このページを閉じてかまいません。
    badLinkTitle: このリンクは機能しません
    badLink: ここに案内したプログラムが、許可されないものを要求しました。開発者にお知らせください。
    logInButton: サインイン
    logOffButton: サインアウト
    loggedOffTitle: サインアウト済み
    loggedOff: サインアウトが完了しました。
    sessionEnded: セッションは終了しました。
    notRecognized: 入力された情報を確認できませんでした。
    accountLocked: このアカウントはロックされています。管理者にお問い合わせください。
    attemptsTitle: 試行回数が多すぎます
    attempts: サインインの試行回数が多すぎます。
    startAgain: 最初からやり直す
    accessGroup: アクセスグループ
    refusedTitle: このリクエストには応答できません
    noAccessTitle: アクセスできません
    notFoundTitle: 見つかりません
    failedTitle: 問題が発生しました
    unavailableTitle: 現在利用できません
    requestMalformed: リクエストの形式が正しくありません。
    requestCut: リクエストの形式が正しくないか、途中で終わりました。
    requestTooLarge: リクエストがこのサーバーの上限を超えています。
    requestTooSlow: リクエストの到着に時間がかかりすぎました。
    requestInvalid: リクエストが有効ではありません。
    hostUnknown: このサーバーは開発用で、そのホストとしては応答しません。
    methodUnknown: このアドレスはリクエストのメソッドに対応していません。
    formExpected: ページのフォームをフォームとして送信してください。
    nothingHere: このアドレスには何もありません。
    notAdmitted: サインインしていますが、ここへのアクセス権がありません。管理者にお問い合わせください。
    tooManyRequests: このクライアントの処理中のリクエストが多すぎます。
    somethingWrong: 問題が発生しました。記録されています。
    upstreamSlow: このゲートウェイの先のサーバーが時間内に応答しませんでした。
    upstreamGone: このゲートウェイの先のサーバーに接続できません。
    requestNumber: リクエスト {{id}}
    mailboxTitle: 開発用メールボックス
    mailboxNote: これらのメッセージは送信されていません。このコンピューターのすべてのユーザーが読むことができます。
    mailboxEmpty: メッセージはありません。
    mailboxRecipient: 宛先：{{address}}
    """)
}
