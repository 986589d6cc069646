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
    case requestMalformed = "request.malformed"
    case requestForged = "request.forged"
    case requestType = "request.media_type"
    case sessionRequired = "session.required"
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

  var json: JSONValue {
    .object([
      "code": .string(code.rawValue), "level": .string(isInformation ? "info" : "error"),
      "params": .object(parameters.mapValues { .integer(Int64($0)) }), "text": .string(text),
    ])
  }

  /// The sentence for people. It never repeats submitted values.
  var text: String {
    switch code {
    case .fieldRequired: "Please fill this in."
    case .fieldUnknown: "The form has a field that doesn't belong here."
    case .fieldRepeated: "The form has a field twice."
    case .fieldTooLong: "Please use at most \(parameters["max_length"] ?? 0) characters."
    case .fieldCharacters: "Please leave out control characters."
    case .emailInvalid: "Please enter an e-mail address, such as name@example.com."
    case .emailTaken: "That e-mail address has an account already."
    case .passwordTooShort: "Please use at least \(parameters["min_length"] ?? 0) characters."
    case .passwordTooLong: "Please use at most \(parameters["max_length"] ?? 0) characters."
    case .passwordTooCommon:
      "That password is one of those that are tried first. Use several words that don't belong together."
    case .passwordWrong: "That is not the current password."
    case .credentialsWrong: "The name or the password is wrong."
    case .codeWrong: "That code is not right. Check the newest mail, or have another one sent."
    case .codeExpired: "That code is too old. Have another one sent."
    case .codeExhausted: "That was tried too often. Have another code sent."
    case .codeSent:
      "If that address can be used here, a code is on its way to it. It is good for \(parameters["minutes"] ?? 0) minutes."
    case .resendTooSoon: "A code was sent a moment ago. Please wait \(parameters["seconds"] ?? 0) seconds."
    case .resendExhausted: "No more codes are sent for this. Please begin again."
    case .accountExists: "You have an account here already. Sign in."
    case .accountCreated: "Your account is ready."
    case .profileSaved: "Saved."
    case .passwordChanged: "Your password has been changed, and every other device has been signed out."
    case .signedIn: "You are signed in."
    case .wait: "Please wait \(parameters["seconds"] ?? 0) seconds before you try again."
    case .overloaded: "Too many people are signing in right now. Please try again shortly."
    case .unavailable: "The service is not available right now. Please try again shortly."
    case .actionUnknown: "The form asks for something that doesn't exist."
    case .flowUnknown: "This page can't be used. Here is a fresh one."
    case .flowExpired: "This page was open for too long. Please try again."
    case .flowFinished: "This has been done already."
    case .flowOutOfOrder: "That can't be done now. Go on from here."
    case .flowDisabled: "This server doesn't offer that."
    case .requestMalformed: "The request is malformed."
    case .requestForged: "The request comes from another site."
    case .requestType: "Send application/json."
    case .sessionRequired: "Please sign in first."
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
