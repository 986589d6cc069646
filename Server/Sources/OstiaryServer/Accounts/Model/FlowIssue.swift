import OstiaryCore

/// A message about a field or a whole flow: a stable code and its parameters, which are the contract, and a text for
/// people, which is not.
struct FlowIssue: Hashable, Sendable {
  /// The codes. They are frozen: a code may be added, none may be changed or given another meaning.
  enum Code: String, CaseIterable, Sendable {
    case fieldRequired = "field.required"
    case fieldUnknown = "field.unknown"
    case fieldRepeated = "field.repeated"
    case fieldTooLong = "field.too_long"
    case fieldCharacters = "field.characters"
    case emailInvalid = "email.invalid"
    case emailTaken = "email.taken"
    case passwordTooShort = "password.too_short"
    case passwordTooLong = "password.too_long"
    case passwordTooCommon = "password.too_common"
    case passwordWrong = "password.wrong"
    case credentialsWrong = "credentials.wrong"
    case codeWrong = "code.wrong"
    case codeExpired = "code.expired"
    case codeExhausted = "code.exhausted"
    case codeSent = "code.sent"
    case resendTooSoon = "code.resend_too_soon"
    case resendExhausted = "code.resend_exhausted"
    case accountExists = "account.exists"
    case accountCreated = "account.created"
    case profileSaved = "profile.saved"
    case passwordChanged = "password.changed"
    case signedIn = "session.started"
    case wait = "limits.wait"
    case overloaded = "limits.overloaded"
    case unavailable = "server.unavailable"
    case actionUnknown = "action.unknown"
    case flowUnknown = "flow.unknown"
    case flowExpired = "flow.expired"
    case flowFinished = "flow.finished"
    case flowOutOfOrder = "flow.out_of_order"
    case flowDisabled = "flow.disabled"
    case formSent = "form.sent"
    case requestMalformed = "request.malformed"
    case requestForged = "request.forged"
    case requestType = "request.media_type"
    case sessionRequired = "session.required"
    case sessionEnded = "session.ended"
  }

  let code: Code
  var parameters: [String: Int]
  /// Whether it reports a success.
  var isInformation: Bool {
    switch code {
    case .codeSent, .accountCreated, .profileSaved, .passwordChanged, .signedIn, .accountExists: true
    default: false
    }
  }

  init(_ code: Code, _ parameters: [String: Int] = [:]) {
    self.code = code
    self.parameters = parameters
  }

  /// The number that the text names. No code has two.
  var limit: Int? { parameters.count == 1 ? parameters.first?.value : nil }

  func json(in texts: AccountTexts) -> JSONValue {
    .object([
      "code": .string(code.rawValue), "level": .string(isInformation ? "info" : "error"),
      "params": .object(parameters.mapValues { .integer(Int64($0)) }), "text": .string(text(in: texts)),
    ])
  }

  /// Whether the sentence is for the author of a program, and in English therefore.
  var isForAuthors: Bool {
    [.fieldUnknown, .fieldRepeated, .actionUnknown, .requestMalformed, .requestType].contains(code)
  }

  /// The sentence for people, in English.
  var text: String { text(in: .english) }

  /// The sentence for people. It never repeats submitted values. What only a wrong program can cause is told to the program's author,
  /// in English.
  func text(in texts: AccountTexts) -> String {
    switch code {
    case .accountCreated: texts(.accountCreated)
    case .profileSaved: texts(.profileSaved)
    case .passwordChanged: texts(.passwordChanged)
    case .signedIn: texts(.signedIn)
    case .flowUnknown: texts(.flowUnknown)
    case .flowFinished: texts(.flowFinished)
    case .flowOutOfOrder: texts(.flowOutOfOrder)
    case .formSent: texts(.formSent)
    case .sessionEnded: texts(.sessionEnded)
    case .requestForged: texts(.requestForged)
    case .fieldUnknown: "The form has a field that doesn't belong here."
    case .fieldRepeated: "The form has a field twice."
    case .actionUnknown: "The form asks for something that doesn't exist."
    case .requestMalformed: "The request is malformed."
    case .requestType: "Send application/json."
    case .fieldRequired, .fieldTooLong, .fieldCharacters, .emailInvalid, .emailTaken, .passwordTooShort,
      .passwordTooLong, .passwordTooCommon, .passwordWrong, .credentialsWrong, .codeWrong, .codeExpired, .codeExhausted,
      .codeSent, .resendTooSoon, .resendExhausted, .accountExists, .wait, .overloaded, .unavailable, .flowExpired,
      .flowDisabled, .sessionRequired:
      texts.text(code: code.rawValue, number: limit ?? 0) ?? code.rawValue
    }
  }
}

/// An issue and its field; nil for an issue about the whole flow.
struct FlowProblem: Hashable, Sendable {
  let field: String?
  let issue: FlowIssue

  init(_ field: String? = nil, _ code: FlowIssue.Code, _ parameters: [String: Int] = [:]) {
    self.field = field
    issue = FlowIssue(code, parameters)
  }
}
