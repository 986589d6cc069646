internal import Foundation
import HTTPTypes
internal import OstiaryCore
internal import OstiaryExperiences

/// Answers what a document's experience asks its app, for one submission of a page: by the server's flows, with their limits,
/// their events and their mail.
final class AccountDelegate: ExperienceDelegate {
  /// What has come of the questions.
  struct Findings: Sendable {
    var state: ConversationState
    /// The user whose session begins now.
    var signedIn: User?
    /// The flow that takes the code of a new account.
    var confirmation: String?
    var status: HTTPResponse.Status?
    var retryAfter: Duration?
    /// Why a question could not be answered.
    var failure: (any Error)?
  }

  private let service: FlowService
  private let token: FlowToken
  private let client: FlowClient
  /// The flow of the document that is submitted.
  private let flow: Experience.Flow
  /// Names the submission within the conversation: its turn, and a keyed digest of what was sent.
  private let submission: String
  private let shared: Locked<Findings>

  init(
    _ service: FlowService, _ token: FlowToken, _ client: FlowClient, flow: Experience.Flow, submission: String,
    _ state: ConversationState
  ) {
    self.service = service
    self.token = token
    self.client = client
    self.flow = flow
    self.submission = submission
    shared = Locked(Findings(state: state))
  }

  var findings: Findings { shared.withLock { $0 } }

  // MARK: Questions

  /// What can be said of a screen's fields without an account. The password of a new account is hashed here, so that it need not
  /// be kept until the last screen.
  func validate(_ fields: [String: FieldValue], on screen: String) async throws -> ValidationResult {
    try await answering { try await self.validate(fields) }
  }

  func logIn(with fields: [String: FieldValue]) async throws -> UserValidation {
    let name = fields["email"] == nil ? "username" : "email"
    let result = try await answering {
      try await self.check(name, fields[name]?.text ?? "", fields["password"]?.secret ?? Secret(""))
    }
    return UserValidation(result, userID: findings.signedIn?.id)
  }

  func signUp(with fields: [String: FieldValue]) async throws -> UserValidation {
    UserValidation(try await answering { try await self.begin(fields) })
  }

  func recoverPassword(with fields: [String: FieldValue]) async throws -> ValidationResult {
    try await answering {
      if self.flow.fields.contains(where: { $0.key == "code" }) {
        return try await self.reset(code: fields["code"]?.secret, password: fields["password"]?.secret)
      }
      return try await self.send(to: fields["email"]?.text ?? "")
    }
  }

  /// What fails for a reason that no person at the page can do anything about ends the request.
  private func answering(_ body: @Sendable () async throws -> ValidationResult) async throws -> ValidationResult {
    do {
      return try await body()
    } catch let error as ServerError where error.code == .overloaded {
      passing(.serviceUnavailable, error.retryAfter ?? .seconds(1))
      return refusal(nil, FlowIssue(.overloaded))
    } catch {
      shared.withLock { $0.failure = error }
      throw error
    }
  }

  // MARK: Name and password

  private func check(_ field: String, _ name: String, _ password: Secret) async throws -> ValidationResult {
    var missing = ValidationResult()
    if name.isEmpty { add(FlowIssue(.fieldRequired), field, to: &missing) }
    if password.isEmpty { add(FlowIssue(.fieldRequired), "password", to: &missing) }
    guard missing.isValid else { return missing }
    // Of equal submissions at once one counts as a guess.
    let (submissions, end, now) = (service.submissions, token.expiresAt, service.now)
    let mark = submissions.keys(ofFlow: token.number, begunWith: token.key.number).mark(
      form: "guess", turn: 0, fields: [(name: submission, value: name), (name: "password", value: password.reveal())])
    let decision = try await service.verify(name, password, client) { db in
      let handled: SubmissionStore.Handled<Bool> = try submissions.handle(mark, until: end, now: now, in: db) { _ in
        (true, .refused)
      }
      // Only the same guess sent again is none.
      if case .again = handled { return false }
      return true
    }
    switch decision {
    case .accepted(let user):
      shared.withLock { $0.signedIn = user }
      return .valid
    case .refused: return refusal(nil, FlowIssue(.credentialsWrong))
    case .wait(let delay):
      passing(.tooManyRequests, delay)
      return refusal(nil, FlowIssue(.wait, ["seconds": Int(delay.timeInterval.rounded(.up))]))
    case .overloaded(let delay):
      passing(.serviceUnavailable, delay)
      return refusal(nil, FlowIssue(.overloaded))
    case .unavailable(let error): throw error
    }
  }

  private func passing(_ status: HTTPResponse.Status, _ delay: Duration?) {
    shared.withLock {
      $0.status = status
      $0.retryAfter = delay
    }
  }

  // MARK: A new account

  private func validate(_ fields: [String: FieldValue]) async throws -> ValidationResult {
    var result = ValidationResult()
    guard flow.kind != .custom, flow.kind != .login else { return result }
    if let text = fields["email"]?.text, !text.isEmpty, MailAddress.typed(text) == nil {
      add(FlowIssue(.emailInvalid), "email", to: &result)
    }
    if let text = fields["name"]?.text, !text.isEmpty, (try? PersonName.validated(text)) == nil {
      add(FlowIssue(.fieldCharacters), "name", to: &result)
    }
    guard let password = fields["password"]?.secret, !password.isEmpty else { return result }
    let policy = service.identity.passwordPolicy
    do {
      try policy.check(password)
    } catch {
      add(FlowValidator.problem("password", error, policy).issue, "password", to: &result)
    }
    guard flow.kind == .signUp, result.isValid else { return result }
    let hash = try await service.identity.newHash(
      password, from: ClientAddress(client.address), refusal: AuditEvent(.accountRefused, .overloaded))
    shared.withLock { $0.state.passwords[flow.id] = PendingPassword(hash) }
    return result
  }

  private func begin(_ fields: [String: FieldValue]) async throws -> ValidationResult {
    guard service.offers(.signup) else { return refusal(nil, FlowIssue(.flowDisabled)) }
    guard let email = MailAddress.typed(fields["email"]?.text ?? "") else {
      return refusal("email", FlowIssue(.emailInvalid))
    }
    guard let password = findings.state.passwords[flow.id] else {
      return refusal("password", FlowIssue(.fieldRequired))
    }
    let text = try inner(.signup, submission)
    var client = client
    client.page = nil
    let outcome: FlowOutcome
    switch try await service.find(.signup, text, client) {
    case .refused(let refused): outcome = refused
    case .known(let known) where known.step != .details: outcome = service.outOfOrder(known, client)
    case .known(let known):
      if let delay = try await service.mayNotSend(client) {
        outcome = service.wait(delay, known, client, keeping: [:])
      } else {
        outcome = try await service.signUp(email, name: fields["name"]?.text, password, known, client)
      }
    }
    // The same submission again has mailed its code.
    let isMailed = outcome.document.step != .details
    let result = isMailed ? .valid : result(outcome, names: ["display_name": "name"])
    if isMailed { shared.withLock { $0.confirmation = text } }
    return result
  }

  // MARK: A lost password

  private func send(to address: String) async throws -> ValidationResult {
    guard service.offers(.recover) else { return refusal(nil, FlowIssue(.flowDisabled)) }
    let earlier = findings.state.recovery
    if let earlier, NameKey(earlier.address) == NameKey(address), try await step(of: earlier) == .code {
      let outcome = try await submit(inner(.recover, earlier.name), .resend, [:])
      return told(result(outcome), .codeSent, ["minutes": service.mails.minutes])
    }
    let recovery = ConversationState.Recovery(name: submission, address: address)
    let outcome = try await submit(inner(.recover, submission), .sendCode, ["email": address])
    // The same submission again has mailed its code.
    guard outcome.document.step == .code else { return result(outcome) }
    shared.withLock { $0.state.recovery = recovery }
    return told(.valid, .codeSent, ["minutes": service.mails.minutes])
  }

  private func reset(code: Secret?, password: Secret?) async throws -> ValidationResult {
    let policy = service.identity.passwordPolicy
    // Before the code: a right one is used up.
    do {
      try policy.check(password ?? Secret(""))
    } catch {
      return refusal("password", FlowValidator.problem("password", error, policy).issue)
    }
    guard let recovery = findings.state.recovery else { return refusal("code", FlowIssue(.codeExpired)) }
    let text = try inner(.recover, recovery.name)
    var step = try await step(of: recovery)
    if step == .code {
      let outcome = try await submit(text, .checkCode, ["code": code?.reveal() ?? ""])
      step = outcome.document.step
      // The same submission, which came a moment earlier, may have shown the code.
      guard step == .password || step == .done else { return result(outcome) }
    }
    // Also where it is done: the same password sent again has set it, and another one has not.
    if step == .password || step == .done {
      let outcome = try await submit(text, .setPassword, ["new_password": password?.reveal() ?? ""])
      guard outcome.document.step == .done, outcome.problem == nil else {
        return result(outcome, names: ["new_password": "password"])
      }
      step = outcome.document.step
    }
    guard step == .done else { return refusal("code", FlowIssue(.codeExpired)) }
    shared.withLock { $0.state.recovery = nil }
    return told(.valid, .passwordChanged)
  }

  private func step(of recovery: ConversationState.Recovery) async throws -> FlowStep? {
    let outcome = try await service.current(.recover, inner(.recover, recovery.name), for: client)
    return outcome.problem == nil ? outcome.document.step : nil
  }

  // MARK: The server's flows

  private func inner(_ kind: FlowKind, _ name: String) throws -> String {
    try service.seal.seal(service.seal.inner(kind, of: token, name))
  }

  private func submit(_ flow: String, _ call: FlowCall, _ fields: [String: String]) async throws -> FlowOutcome {
    // A code that is sent again is one guess, and a password that is sent again was set once.
    let submission = FlowSubmission(
      flow: flow, action: call.rawValue,
      fields: fields.map { FormFields.Field(name: $0.key, value: $0.value) },
      turn: call == .checkCode || call == .setPassword ? 0 : nil)
    return try await service.submit(submission, to: .recover, for: client)
  }

  private func told(_ result: ValidationResult, _ news: FlowIssue.Code, _ parameters: [String: Int] = [:])
    -> ValidationResult
  {
    if result.isValid { shared.withLock { $0.state.news = [FlowIssue(news, parameters)] } }
    return result
  }

  /// What a flow's outcome says of the document's fields.
  /// - Parameter names: What the document calls the fields of the flow.
  private func result(_ outcome: FlowOutcome, names: [String: String] = [:]) -> ValidationResult {
    var result = ValidationResult()
    guard let problem = outcome.problem else { return result }
    passing(outcome.status, outcome.retryAfter)
    for issue in outcome.document.issues where !issue.isInformation { add(issue, nil, to: &result) }
    for field in outcome.document.fields {
      for issue in field.issues { add(issue, names[field.name] ?? field.name, to: &result) }
    }
    if result.isValid { add(FlowIssue(problem), nil, to: &result) }
    return result
  }

  private func refusal(_ field: String?, _ issue: FlowIssue) -> ValidationResult {
    var result = ValidationResult()
    add(issue, field, to: &result)
    return result
  }

  private func add(_ issue: FlowIssue, _ field: String?, to result: inout ValidationResult) {
    let text = issue.text(in: AccountTexts(token.language))
    if let field {
      result.invalidate(field: field, message: text, code: issue.code.rawValue, limit: issue.limit)
    } else {
      result.invalidate(message: text, code: issue.code.rawValue, limit: issue.limit)
    }
  }
}
