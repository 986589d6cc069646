import Crypto
import Foundation
import HTTPTypes
import OstiaryCore

/// The self-service flows: their questions, the handling of the answers, and the results. Pages, the JSON interface and
/// challenges are three interfaces to this service and decide nothing themselves.
///
/// **Nothing is stored before a form is submitted**: a flow that has only been begun is a sealed token that the client
/// has. **The answers don't tell which accounts exist**: every question about an account costs the same work, writes
/// the same rows and gets the same document whether the account exists or not; only the mail differs.
struct FlowService: Sendable {
  /// Wrong codes that are verified before another code has to be sent.
  static let mostAttempts = 5
  /// The most codes that are sent in one flow.
  static let mostSends = 5
  /// How long a code is valid (OWASP ASVS 5.0 §6.5.5: ten minutes at most).
  static let codeLifetime: TimeInterval = 600
  /// The requests that cause mail, of one address.
  static let senderLimits = GuessRules.Bucket(burst: 30, interval: 30)
  /// The time between two codes.
  static let resendInterval: TimeInterval = 60

  let configuration: AccountConfiguration
  let identity: IdentityService
  let forms: FlowForms
  let seal: FlowSeal
  let ring: KeyRing
  /// The keys of codes that are mailed.
  var codeKeys: PurposeKeys { ring.keys(for: "flows.code") }
  let outbox: Outbox
  let mails: FlowMails
  /// Notified when there is mail to send.
  let dispatcher: MailDispatcher?
  /// Counts the requests that cause mail, for each client address.
  let senders: AddressThrottle
  let returnOrigins: Set<Origin>
  /// The document from which pages are drawn; nil if all are the server's own.
  var experience: AccountExperience?
  /// Counts the flows that each client address begins on pages that are drawn from the document.
  var beginners: AddressThrottle { AddressThrottle(identity.guesses, of: "begin", Self.beginnerLimits) }

  var storage: ServerStorage { identity.storage }
  var now: Date { identity.clock.now }

  func offers(_ kind: FlowKind) -> Bool {
    guard kind.needsMail else { return true }
    return dispatcher != nil && (kind != .signup || configuration.offersSignUp)
  }

  // MARK: Beginning

  /// Begins a flow. It writes nothing.
  /// - Parameters:
  ///   - returnTo: The address to go to in the end; ignored unless it is on the list.
  ///   - language: The language of its texts; the one that fits the client best if there is none.
  func begin(
    _ kind: FlowKind, for client: FlowClient, returnTo: String? = nil, in language: String? = nil
  ) throws -> FlowDocument {
    let target = returnTo.flatMap { ReturnTarget($0, origin: mails.origin, allowed: returnOrigins) }
    let token = FlowToken(
      kind: kind, browser: client.browser, userID: kind == .profile ? client.user?.id : nil, returnTo: target?.url,
      language: language ?? AccountTexts.language(for: client.languages),
      expiresAt: now.addingTimeInterval(configuration.flowLifetime.timeInterval))
    return document(try seal.seal(token), token, step: kind.firstStep, user: client.user)
  }

  /// A flow as it is now.
  func current(_ kind: FlowKind, _ text: String, for client: FlowClient) async throws -> FlowOutcome {
    switch try await find(kind, text, client) {
    case .refused(let outcome): return outcome
    case .known(let known):
      var document = document(
        text, known.token, step: known.step, turn: known.turn, row: known.row, user: client.user)
      // The end says what it was, and that a person is signed in only while they are.
      if known.step == .done, let last: KeptOutcome = known.history.last(keys: known.keys) {
        let isSignedIn = client.user != nil && client.user?.id == last.userID
        document.add(last.problems.filter { isSignedIn || $0.issue.code != .signedIn })
      }
      return FlowOutcome(document)
    }
  }

  // MARK: Going on

  /// A flow that the client may continue.
  struct Known: Sendable {
    let text: String
    let token: FlowToken
    let row: FlowRow?
    /// The submissions that have been acted upon.
    let history: SubmissionHistory
    let keys: SubmissionKeys
    /// What is submitted now, to be recognised when it is sent again; nil if the submission names no turn.
    var mark: SubmissionMark?
    /// The values that are submitted now.
    var values: [String: String] = [:]
    var turn: Int { history.turn }
    /// The page that a mail names, if it isn't the flow's own.
    var page: String?
    var step: FlowStep { row?.step ?? token.kind.firstStep }
    var key: Data { FlowService.key(of: token) }
    var texts: AccountTexts { AccountTexts(token.language) }
  }

  enum Found {
    case known(Known)
    case refused(FlowOutcome)
  }

  static func key(of token: FlowToken) -> Data { Data(SHA256.hash(data: Data(token.number.utf8))) }

  func find(
    _ kind: FlowKind, _ text: String, _ client: FlowClient, _ submission: FlowSubmission? = nil
  ) async throws -> Found {
    let token = seal.open(text)
    // A token of another user, a token of another flow and a missing token get the same answer.
    guard let token, token.kind == kind, token.browser == client.browser, token.userID == nil || kind == .profile else {
      try await storage.noteRefusal(AuditEvent(.formRefused, .forged), at: now)
      return .refused(try fresh(kind, .flowUnknown, .forbidden, client))
    }
    if kind == .profile, token.userID != client.user?.id {
      try await storage.noteRefusal(AuditEvent(.formRefused, .forged, user: client.user?.id), at: now)
      return .refused(try fresh(kind, .flowUnknown, .forbidden, client))
    }
    var known = try await known(text, token, submission)
    known.page = client.page
    guard token.expiresAt > now, known.row.map({ $0.expiresAt > now }) ?? true else {
      return .refused(try fresh(kind, .flowExpired, .gone, client, after: token))
    }
    // A page that was drawn from a document goes on at no server that draws none: its forms have other steps.
    guard known.row?.conversation == nil || experience?.draws(kind) == true else {
      return .refused(try fresh(kind, .flowExpired, .gone, client, after: token))
    }
    return .known(known)
  }

  /// A flow as the database has it.
  func known(_ text: String, _ token: FlowToken, _ submission: FlowSubmission? = nil) async throws -> Known {
    let (key, keys) = (Self.key(of: token), submissions.keys(ofFlow: token.number, begunWith: token.key.number))
    let (row, history) = try await storage.read { db in
      (try FlowRow.find(key, in: db), try SubmissionHistory(ofFlow: keys.flow, in: db))
    }
    var known = Known(text: text, token: token, row: row, history: history, keys: keys)
    guard let submission else { return known }
    known.values = Self.values(submission)
    known.mark = submission.turn.map { turn in
      keys.mark(form: submission.action, turn: turn, fields: submission.fields.map { ($0.name, $0.value) })
    }
    return known
  }

  /// The same, read once more.
  func again(_ known: Known) async throws -> Known {
    var again = try await self.known(known.text, known.token)
    (again.mark, again.values, again.page) = (known.mark, known.values, known.page)
    return again
  }

  /// A new flow, with the problem of the old one.
  /// - Parameter old: The old one, whose destination and language go on; nil if it isn't the client's.
  func fresh(
    _ kind: FlowKind, _ code: FlowIssue.Code, _ status: HTTPResponse.Status, _ client: FlowClient,
    after old: FlowToken? = nil
  ) throws -> FlowOutcome {
    var document = try begin(kind, for: client, returnTo: old?.returnTo, in: old?.language)
    document.issues.append(FlowIssue(code))
    return FlowOutcome(code, status, document)
  }

  /// Executes a client's call, if the step allows it and all fields are valid.
  func submit(_ submission: FlowSubmission, to kind: FlowKind, for client: FlowClient) async throws -> FlowOutcome {
    let known: Known
    switch try await find(kind, submission.flow, client, submission) {
    case .known(let found): known = found
    case .refused(var outcome):
      if outcome.problem == .flowExpired { outcome.document.keep(Self.values(submission)) }
      return outcome
    }
    if let outcome = try await earlier(known, client) { return outcome }
    guard let call = FlowCall(rawValue: submission.action) else {
      return refusal(.actionUnknown, .unprocessableContent, known, client)
    }
    guard FlowModel.allows(call, kind, at: known.step) else { return outOfOrder(known, client) }
    let validator = FlowValidator(
      policy: identity.passwordPolicy, fields: forms.fields(kind, known.step))
    let checked = validator.check(call, submission.fields)
    guard checked.problems.isEmpty else { return refusal(checked.problems, known, client, keeping: checked.values) }
    do {
      return try await perform(call, checked.values, known, client)
    } catch let error as ServerError where error.code == .overloaded {
      var outcome = refusal(.overloaded, .serviceUnavailable, known, client, keeping: checked.values)
      outcome.retryAfter = error.retryAfter ?? .seconds(1)
      return outcome
    }
  }

  private func perform(
    _ call: FlowCall, _ values: [String: String], _ known: Known, _ client: FlowClient
  ) async throws -> FlowOutcome {
    switch call {
    case .login: try await login(values, known, client)
    case .signup: try await signUp(values, known, client)
    case .sendCode: try await sendCode(values, known, client)
    case .checkCode: try await checkCode(values, known, client)
    case .resend: try await resend(known, client)
    case .setPassword: try await setPassword(values, known, client)
    case .save: try await save(values, known, client)
    case .changePassword: try await changePassword(values, known, client)
    }
  }

  private static func values(_ submission: FlowSubmission) -> [String: String] {
    Dictionary(submission.fields.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  // MARK: Answers

  /// The document of a step.
  func document(
    _ text: String, _ token: FlowToken, step: FlowStep, turn: Int = 0, row: FlowRow? = nil, user: User? = nil
  ) -> FlowDocument {
    var document = FlowDocument(
      id: text, kind: token.kind, step: step, expiresAt: token.expiresAt, turn: turn, language: token.language)
    document.fields = forms.fields(token.kind, step)
    let resendAt = row.flatMap { $0.sends < Self.mostSends ? $0.sentAt.addingTimeInterval(Self.resendInterval) : nil }
    document.buttons = forms.buttons(token.kind, step, resendAt: resendAt)
    if step == .code, let row {
      document.attemptsLeft = max(0, Self.mostAttempts - row.attempts)
      document.issues.append(FlowIssue(.codeSent, ["minutes": mails.minutes]))
    }
    if step == .settings, let user { document.keep(["display_name": user.displayName]) }
    if step == .done { document.next = token.kind == .profile ? .again : .login }
    return document
  }

  func refusal(
    _ code: FlowIssue.Code, _ status: HTTPResponse.Status, _ known: Known, _ client: FlowClient,
    _ parameters: [String: Int] = [:], row: FlowRow? = nil, keeping values: [String: String] = [:]
  ) -> FlowOutcome {
    var outcome = refusal([FlowProblem(nil, code, parameters)], known, client, row: row, keeping: values)
    outcome.status = status
    return outcome
  }

  func refusal(
    _ problems: [FlowProblem], _ known: Known, _ client: FlowClient, row: FlowRow? = nil,
    keeping values: [String: String] = [:]
  ) -> FlowOutcome {
    let row = row ?? known.row
    var document = document(
      known.text, known.token, step: row?.step ?? known.step, turn: known.turn, row: row, user: client.user)
    document.issues.removeAll()
    document.add(problems)
    document.keep(values)
    return FlowOutcome(problems.first?.issue.code ?? .requestMalformed, .unprocessableContent, document)
  }

  /// A call that the model does not allow at this step: nothing happens, and the client gets the flow's current document.
  func outOfOrder(_ known: Known, _ client: FlowClient, row: FlowRow? = nil) -> FlowOutcome {
    let step = (row ?? known.row)?.step ?? known.step
    return refusal(step == .done ? .flowFinished : .flowOutOfOrder, .conflict, known, client, row: row)
  }

  func wait(_ wait: Duration, _ known: Known, _ client: FlowClient, keeping values: [String: String]) -> FlowOutcome {
    let seconds = Int(wait.timeInterval.rounded(.up))
    var outcome = refusal(.wait, .tooManyRequests, known, client, ["seconds": seconds], keeping: values)
    outcome.retryAfter = wait
    outcome.document.retryAt = now.addingTimeInterval(TimeInterval(seconds))
    return outcome
  }

  /// The next step.
  func advanced(_ known: Known, _ row: FlowRow, _ client: FlowClient, _ issue: FlowIssue? = nil) -> FlowOutcome {
    var document = document(
      known.text, known.token, step: row.step, turn: known.turn, row: row, user: client.user)
    if let issue, !document.issues.contains(issue) { document.issues.append(issue) }
    return FlowOutcome(document, returnTo: known.token.returnTo)
  }

  /// The end, with a session for the user, which begins in the same transaction.
  func signedIn(
    _ user: User, _ known: Known, _ row: FlowRow, _ client: FlowClient, _ issue: FlowIssue, _ trail: AuditTrail,
    in db: StorageConnection
  ) throws -> FlowOutcome {
    var outcome = advanced(known, row, client, issue)
    outcome.document.next = .session
    outcome.document.buttons = []
    outcome.signedIn = user
    guard let sessions = client.sessions else { return outcome }
    let proof = known.mark?.proof ?? Secret(RandomBytes.make(32).base64URL)
    let session = try sessions.sessions.begin(for: user, derivedID: sessions.id(proof), trail, in: db)
    outcome.session = FlowSession(user: user, proof: proof, endsAt: session.endsAt)
    return outcome
  }
}
