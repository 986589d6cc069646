internal import OstiaryExperiences

extension PageTables {
  /// The texts in Korean.
  static let korean = Experience.TextForms.table(
    """
    userNameLabel: 사용자 이름
    credentialsRefused: 사용자 이름 또는 비밀번호가 틀렸습니다.
    expired: 이 페이지는 만료되었습니다. 다시 시도해 주세요.
    waitTitle: 잠시 기다려 주세요
    wait: 잠시 기다린 후 다시 시도해 주세요.
    busyTitle: 사용량이 많습니다
    signedInTitle: 로그인됨
    notSignedInTitle: 로그인되지 않음
    consentTitle: 액세스를 허용할까요?
    consentWants: {{app}}에서 요청하는 권한:
    consentUser: 현재 사용자는 {{user}}입니다.
    consentOther: 다른 사람인가요?
    allow: 허용
    deny: 거부
    scopeData: 데이터 읽기 및 변경
    scopeEverything: 회원님이 할 수 있는 모든 작업
    scopeIdentity: 회원님이 누구인지 확인
    scopeEmail: 이메일 주소 확인
    scopeAddress: 우편 주소 확인
    scopePhone: 전화번호 확인
    scopeOffline: 로그아웃하거나 취소할 때까지 회원님이 없을 때도 계속하기
    scopePages: 회원님으로 페이지 열기({{scope}})
    heldTitle: 지금 보낼까요?
    heldSent: 로그인하지 않은 상태에서 {{path}}에 양식을 보냈습니다.
    heldKept: 양식은 보관되어 있으며 아무 작업도 하지 않았습니다.
    sendHeld: 보내기
    dropHeld: 버리기
    deviceTitle: 기기 연결
    deviceEnter: 기기나 프로그램에 표시된 코드를 입력해 주세요.
    deviceCode: 코드
    deviceUnknown: 해당 코드의 기기가 없습니다. 다시 확인해 주세요.
    deviceConnectedTitle: 연결됨
    deviceConnected: 기기가 연결되었습니다. 이 페이지를 닫아도 됩니다.
    deviceRefusedTitle: 연결되지 않음
    deviceRefused: 기기가 거부되었습니다. 이 페이지를 닫아도 됩니다.
    badLinkTitle: 이 링크는 작동하지 않습니다
    badLink: 이곳으로 안내한 프로그램이 받을 수 없는 것을 요청했습니다. 개발자에게 알려 주세요.
    logInButton: 로그인
    logOffButton: 로그아웃
    loggedOffTitle: 로그아웃 완료
    loggedOff: 로그아웃했습니다.
    sessionEnded: 세션이 종료되었습니다.
    notRecognized: 입력한 정보를 확인할 수 없습니다.
    accountLocked: 이 계정은 잠겨 있습니다. 관리자에게 문의해 주세요.
    attemptsTitle: 시도 횟수 초과
    attempts: 로그인 시도가 너무 많았습니다.
    startAgain: 처음부터 다시
    accessGroup: 액세스 그룹
    refusedTitle: 이 요청에 응답할 수 없습니다
    noAccessTitle: 액세스 권한 없음
    notFoundTitle: 찾을 수 없음
    failedTitle: 문제가 발생했습니다
    unavailableTitle: 지금 이용할 수 없음
    requestMalformed: 요청의 형식이 잘못되었습니다.
    requestCut: 요청의 형식이 잘못되었거나 너무 일찍 끝났습니다.
    requestTooLarge: 요청이 이 서버의 허용 크기보다 큽니다.
    requestTooSlow: 요청이 도착하는 데 너무 오래 걸렸습니다.
    requestInvalid: 요청이 유효하지 않습니다.
    hostUnknown: 이 서버는 개발용이며 해당 호스트로는 응답하지 않습니다.
    methodUnknown: 이 주소는 요청의 메서드를 지원하지 않습니다.
    formExpected: 페이지의 양식을 양식으로 보내 주세요.
    nothingHere: 이 주소에는 아무것도 없습니다.
    notAdmitted: 로그인했지만 여기에 대한 액세스 권한이 없습니다. 관리자에게 문의해 주세요.
    tooManyRequests: 이 클라이언트의 진행 중인 요청이 너무 많습니다.
    somethingWrong: 문제가 발생했습니다. 기록해 두었습니다.
    upstreamSlow: 이 게이트웨이 뒤의 서버가 제시간에 응답하지 않았습니다.
    upstreamGone: 이 게이트웨이 뒤의 서버에 연결할 수 없습니다.
    requestNumber: 요청 {{id}}
    mailboxTitle: 개발용 메일함
    mailboxNote: 이 메시지들은 전송되지 않았습니다. 이 컴퓨터의 모든 사용자가 읽을 수 있습니다.
    mailboxEmpty: 메시지가 없습니다.
    mailboxRecipient: 받는 사람: {{address}}
    """)
}
