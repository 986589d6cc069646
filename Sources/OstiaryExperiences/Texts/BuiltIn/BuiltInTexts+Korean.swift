extension BuiltInTexts {
  /// The texts in Korean.
  static let korean = Experience.TextForms.table(
    """
    required: 입력해 주세요.
    must_be_on: 계속하려면 동의해 주세요.
    too_short: {{limit}}자 이상 입력해 주세요.
    too_long: {{limit}}자 이하로 입력해 주세요.
    pattern: 형식이 올바르지 않습니다.
    email: 이메일 주소를 입력해 주세요(예: name@example.com).
    phone: 전화번호를 입력해 주세요(예: +82 2-123-4567).
    number: 숫자를 입력해 주세요.
    ambiguous_number: 두 가지로 읽을 수 있습니다. 구분 기호 없이 입력해 주세요(예: {{limit}}).
    date: 날짜를 입력해 주세요(예: 2026-11-22).
    choice: 항목 중 하나를 선택해 주세요.
    too_small: {{limit}} 이상이어야 합니다.
    too_large: {{limit}} 이하여야 합니다.
    mismatch: 두 입력이 서로 다릅니다.
    invalid: 확인해 주세요.
    refused: 받아들여지지 않았습니다. 입력한 내용을 확인해 주세요.
    failed: 문제가 발생했습니다. 다시 시도해 주세요.
    unanswered: 앱이 응답하지 않아 아무것도 접수되지 않았습니다. 앱을 닫았다가 다시 열어 주세요.
    waiting: 잠시만요 …
    next: 계속
    submit: 계속
    back: 뒤로
    skip: 나중에
    dismiss: 닫기
    more: 더 보기
    provider: {{provider}}(으)로 계속
    permission: 계속
    problem: 문제가 있습니다
    optional: 선택 사항
    choose: 선택해 주세요
    clear: 지우기
    others: 다른 작업
    yes: 예
    no: 아니요
    field_characters: 제어 문자를 빼 주세요.
    email_taken: 이 이메일 주소에는 이미 계정이 있습니다.
    password_too_common: 가장 먼저 시도되는 비밀번호입니다. 서로 관련 없는 단어를 여러 개 사용해 주세요.
    password_wrong: 현재 비밀번호가 아닙니다.
    credentials_wrong: 이름 또는 비밀번호가 틀렸습니다.
    code_wrong: 코드가 올바르지 않습니다. 최신 메일을 확인하거나 다른 코드를 받아 주세요.
    code_expired: 코드가 만료되었습니다. 다른 코드를 받아 주세요.
    code_exhausted: 너무 많이 시도했습니다. 다른 코드를 받아 주세요.
    code_sent: 이 주소를 여기서 사용할 수 있다면 코드를 보냈습니다. {{limit}}분 동안 유효합니다.
    resend_too_soon: 방금 코드를 보냈습니다. {{limit}}초 기다려 주세요.
    resend_exhausted: 더 이상 코드를 보내지 않습니다. 처음부터 다시 시작해 주세요.
    account_exists: 이미 계정이 있습니다. 로그인해 주세요.
    wait: {{limit}}초 후에 다시 시도해 주세요.
    overloaded: 지금 로그인하는 사람이 너무 많습니다. 잠시 후 다시 시도해 주세요.
    unavailable: 지금 서비스를 이용할 수 없습니다. 잠시 후 다시 시도해 주세요.
    flow_expired: 페이지가 너무 오래 열려 있었습니다. 다시 시도해 주세요.
    flow_disabled: 이 서버에서는 제공하지 않습니다.
    session_required: 먼저 로그인해 주세요.
    """)
}
