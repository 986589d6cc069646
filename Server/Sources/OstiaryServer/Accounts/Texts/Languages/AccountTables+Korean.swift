internal import OstiaryExperiences

extension AccountTables {
  /// The texts in Korean.
  static let korean = Experience.TextForms.table(
    """
    signInTitle: {{service}} 로그인
    signUpTitle: {{service}} 계정 만들기
    recoverTitle: 비밀번호를 잊으셨나요?
    codeTitle: 메일을 확인해 주세요
    passwordTitle: 새 비밀번호 설정
    profileTitle: {{service}} 계정
    signedOutTitle: 로그아웃됨
    expiredTitle: 이 페이지는 만료되었습니다
    identifierLabel: 사용자 이름 또는 이메일 주소
    emailLabel: 이메일 주소
    displayNameLabel: 이름
    passwordLabel: 비밀번호
    newPasswordLabel: 새 비밀번호
    currentPasswordLabel: 현재 비밀번호
    codeLabel: 메일로 받은 코드
    newPasswordHelp: {{number}}자 이상.
    signIn: 로그인
    createAccount: 이 계정 만들기
    makeAccount: 계정 만들기
    sendCode: 코드 보내기
    goOn: 계속
    resend: 다른 코드 보내기
    setPassword: 비밀번호 설정
    save: 저장
    changePassword: 비밀번호 변경
    forgotPassword: 비밀번호를 잊으셨나요?
    changeAccount: 계정 정보 변경
    signOut: 로그아웃
    signInAgain: 다시 로그인
    signedInAs: {{user}} 계정으로 로그인되어 있습니다.
    signedOut: 로그아웃했습니다.
    notSignedIn: 로그인되어 있지 않습니다.
    nothingDone: 아무 작업도 하지 않았습니다.
    accountCreated: 계정이 준비되었습니다.
    profileSaved: 저장했습니다.
    passwordChanged: 비밀번호를 변경했고 다른 모든 기기에서 로그아웃했습니다.
    signedIn: 로그인했습니다.
    flowUnknown: 이 페이지는 사용할 수 없습니다. 새 페이지를 표시합니다.
    flowFinished: 이미 완료된 작업입니다.
    flowOutOfOrder: 지금은 할 수 없습니다. 여기서 계속해 주세요.
    formSent: 이 양식은 이미 전송되었습니다. 먼저 전송된 내용이 적용됩니다.
    sessionEnded: 그사이 로그아웃되었습니다. 다시 로그인해 주세요.
    requestForged: 다른 사이트에서 온 요청입니다.
    codeSubject: {{service}} 코드
    confirmationReason: 누군가(아마도 본인)가 이 주소로 {{service}} 계정을 만들려고 합니다.
    code: 코드는 {{code}} 입니다
    validity: 코드는 요청한 창에서 {{number}}분 동안 유효합니다.
    link: 그 창이 더 이상 없다면 같은 브라우저에서 다음을 열어 주세요:
    confirmationOtherwise: 본인이 아니라면 아무것도 하지 않으셔도 됩니다. 코드 없이는 계정이 만들어지지 않습니다.
    existsSubject: {{service}} 계정이 이미 있습니다
    existsReason: 누군가(아마도 본인)가 이 주소로 {{service}} 계정을 만들려고 했습니다. 계정이 이미 있습니다.
    existsSignIn: 로그인: {{link}}
    existsRecover: 비밀번호를 잊으셨나요? {{link}}
    existsOtherwise: 본인이 아니라면 아무것도 하지 않으셔도 됩니다. 변경된 것은 없습니다.
    recoveryReason: 누군가(아마도 본인)가 이 주소의 {{service}} 계정 비밀번호를 잊었습니다.
    recoveryNever: {{service}}에서는 누구도 이 코드를 묻지 않습니다.
    recoveryOtherwise: 본인이 아니라면 아무것도 하지 않으셔도 됩니다. 비밀번호는 그대로 유지됩니다.
    changedSubject: {{service}} 비밀번호가 변경되었습니다
    changedReason: {{service}} 계정의 비밀번호가 변경되었고 모든 기기에서 로그아웃되었습니다.
    changedOtherwise: 본인이 아니라면 지금 다른 비밀번호를 설정해 주세요: {{link}}
    """)
}
