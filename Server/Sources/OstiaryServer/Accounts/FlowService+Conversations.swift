import Foundation
import HTTPTypes
internal import OstiaryCore
internal import OstiaryExperiences

/// Pages that are drawn from a document: the server answers what the document's experience asks, and the person's way through
/// it rests in the flow's row, so that every server can go on with it.
extension FlowService {
  /// Beginning a flow by submitting a page writes a row, and more than these of one address begin nowhere.
  static let beginnerLimits = GuessRules.Bucket(burst: 120, interval: 30)

  /// What there is to show to a person, and what else follows.
  struct Conversation: Sendable {
    /// Identifies the flow in the next form.
    let text: String
    let token: FlowToken
    /// What is shown.
    var screen: ScreenSnapshot
    /// What the flow of the screen is for.
    let flowKind: Experience.Flow.Kind
    /// The turn of the form: see ``SubmissionStore``.
    var turn = 0
    /// The successes that the page tells.
    var news: [FlowIssue] = []
    var status = HTTPResponse.Status.ok
    var retryAfter: Duration?
    /// Whether the experience is over.
    var isOver = false
    /// The session that has begun.
    var session: FlowSession?
    /// The page that takes the code of a new account.
    var confirmation: String?
    /// The address that the person has asked to open.
    var opened: String?

    var texts: AccountTexts { AccountTexts(token.language) }
  }

  /// Begins a flow. It writes nothing.
  /// - Parameter problem: What became of the flow before.
  func beginConversation(
    _ kind: FlowKind, _ account: AccountExperience, for client: FlowClient, returnTo: String? = nil,
    after problem: FlowIssue.Code? = nil
  ) throws -> Conversation {
    let conversation = Self.fresh(kind, account, client)
    let target = returnTo.flatMap { ReturnTarget($0, origin: mails.origin, allowed: returnOrigins) }
    let (screen, flowKind) = (conversation.snapshot.screen, conversation.snapshot.flowKind)
    let token = FlowToken(
      kind: kind, browser: client.browser, returnTo: target?.url,
      language: AccountTexts.language(for: [screen.language]),
      expiresAt: now.addingTimeInterval(configuration.flowLifetime.timeInterval))
    var shown = Conversation(text: try seal.seal(token), token: token, screen: screen, flowKind: flowKind)
    if let problem { shown.tell(problem) }
    return shown
  }

  /// - Parameter language: The flow's, for a client that names none.
  private static func fresh(
    _ kind: FlowKind, _ account: AccountExperience, _ client: FlowClient, language: String? = nil
  ) -> ExperienceConversation {
    let languages = client.languages.isEmpty ? [language].compactMap { $0 } : client.languages
    return ExperienceConversation(account.experience, as: kind.experienceKind, languages: languages)
  }

  /// A flow as it is now; nil for one that is over, and for one of the server's own forms.
  func currentConversation(
    _ kind: FlowKind, _ account: AccountExperience, _ text: String, for client: FlowClient
  ) async throws -> Conversation? {
    switch try await find(kind, text, client) {
    case .refused(let outcome): return try beginAgain(kind, account, text, outcome, client).shown
    case .known(let known):
      if let row = known.row, row.conversation == nil { return nil }
      let (conversation, state) = rest(known, account, client)
      return shown(known, conversation, state)
    }
  }

  /// A new flow in place of one that can't go on, and the old one's token if that has expired.
  private func beginAgain(
    _ kind: FlowKind, _ account: AccountExperience, _ text: String, _ outcome: FlowOutcome, _ client: FlowClient
  ) throws -> (shown: Conversation, old: FlowToken?) {
    let old = outcome.problem == .flowExpired ? seal.open(text) : nil
    var shown = try beginConversation(kind, account, for: client, returnTo: old?.returnTo, after: outcome.problem)
    shown.status = outcome.status
    return (shown, old)
  }

  private func shown(
    _ known: Known, _ conversation: ExperienceConversation, _ state: ConversationState
  ) -> Conversation {
    let snapshot = conversation.snapshot
    return Conversation(
      text: known.text, token: known.token, screen: snapshot.screen, flowKind: snapshot.flowKind, turn: state.turn,
      news: state.news)
  }

  /// The conversation of a flow: as it rests in the row, or as it begins where there is none, or where the document is another by now.
  private func rest(
    _ known: Known, _ account: AccountExperience, _ client: FlowClient
  ) -> (ExperienceConversation, ConversationState) {
    if let sealed = known.row?.conversation, let state = seal.open(state: sealed, of: known.key),
      let conversation = ExperienceConversation(account.experience, record: state.record)
    {
      return (conversation, state)
    }
    let fresh = Self.fresh(known.token.kind, account, client, language: known.token.language)
    var state = ConversationState()
    // Forms of the turns before have been sent: a form of one of them would be taken for another content of theirs, for ever.
    state.turn = known.turn
    return (fresh, state)
  }

  /// Handles a page's form.
  /// - Parameter pairs: The form's names and values.
  /// - Returns: Nil if the flow has come to its end, or is one of the server's own forms.
  func submitConversation(
    _ kind: FlowKind, _ account: AccountExperience, _ text: String, _ pairs: [(name: String, value: String)],
    for client: FlowClient
  ) async throws -> Conversation? {
    let known: Known
    switch try await find(kind, text, client) {
    case .refused(let outcome):
      let (begun, old) = try beginAgain(kind, account, text, outcome, client)
      var shown = begun
      // What was typed need not be typed again.
      if let old { shown.keep(pairs, Self.fresh(kind, account, client, language: old.language)) }
      return shown
    case .known(let found): known = found
    }
    let mark = self.mark(pairs, of: known.token)
    if let handled: SubmissionStore.Handled<ConversationOutcome> = try await submissions.earlier(
      mark, knowing: known.history, in: storage)
    {
      return try await again(handled, mark, known, account, client)
    }
    if let row = known.row, row.conversation == nil { return nil }
    var (conversation, state) = rest(known, account, client)
    let screen = conversation.snapshot.screen
    guard let input = ExperienceInput(Self.newTry(pairs, of: screen), for: screen) else {
      // A form of an earlier page: the person goes on from where the one that came first has led, and is told so.
      var shown = shown(known, conversation, state)
      shown.tell(.flowOutOfOrder)
      shown.status = .conflict
      return shown
    }
    guard let flow = account.experience.flow(conversation.snapshot.flow) else { return nil }
    let page = shown(known, conversation, state)
    // A sign-in leaves no flow that goes on, and many people may have one address: only what else becomes of the page is counted.
    let signsIn = flow.kind == .login
    if !signsIn, let delay = try await mayNotBegin(known, client) { return waiting(delay, page) }
    state.news = []
    var client = client
    client.page = FlowPaths.page(kind, flow: text)
    // Another content of the same page is another submission, also after a server was killed in the midst of the first.
    let name = "\(input.turn) \(mark.digest.base64URL)"
    let delegate = AccountDelegate(self, known.token, client, flow: flow, submission: name, state)
    await conversation.submit(input, asking: delegate)
    let findings = delegate.findings
    if let failure = findings.failure { throw failure }
    // Nothing has happened: the same form may be sent again.
    if let status = findings.status, status == .tooManyRequests || status == .serviceUnavailable {
      var shown = shown(known, conversation, state)
      shown.screen.turn = input.turn
      shown.status = status
      shown.retryAfter = findings.retryAfter
      return shown
    }
    if signsIn, findings.signedIn == nil, let delay = try await mayNotBegin(known, client) {
      return waiting(delay, page)
    }
    let handled: SubmissionStore.Handled<ConversationOutcome>
    do {
      handled = try await keep(conversation, findings, mark, known, client)
    } catch let error as ServerError where error.code == .userChanged {
      return try await userChanged(findings.signedIn, known, account, client)
    }
    guard case .first(let outcome) = handled else { return try await again(handled, mark, known, account, client) }
    if outcome.hasSession, let user = findings.signedIn { client.sessions?.sessions.hasBegun(for: user) }
    var shown = shown(known, conversation, findings.state)
    shown.take(outcome)
    shown.turn = outcome.turn
    return outcome.hasSession ? try await signedIn(shown, mark, client) : shown
  }

  /// The page of a submission that has been handled before: what it led to, or where the person is by now.
  private func again(
    _ handled: SubmissionStore.Handled<ConversationOutcome>, _ mark: SubmissionMark, _ known: Known,
    _ account: AccountExperience, _ client: FlowClient
  ) async throws -> Conversation? {
    let current = try await currentConversation(known.token.kind, account, known.text, for: client)
    guard case .again(let outcome) = handled else {
      var shown = current
      shown?.tell(.formSent)
      shown?.status = .conflict
      return shown
    }
    guard var shown = current ?? (outcome.isOver ? blank(known, account, client) : nil) else { return nil }
    shown.take(outcome)
    guard outcome.hasSession else { return shown }
    var signedIn = try await signedIn(shown, mark, client)
    signedIn.session?.mayHaveReplaced = true
    guard signedIn.session == nil else { return signedIn }
    // Never begun again: it has ended if it isn't there.
    var fresh = try beginConversation(
      known.token.kind, account, for: client, returnTo: known.token.returnTo, after: .sessionEnded)
    fresh.status = .conflict
    return fresh
  }

  /// The same with the session that a submission has begun, if it is there.
  private func signedIn(
    _ shown: Conversation, _ mark: SubmissionMark, _ client: FlowClient
  ) async throws -> Conversation {
    var shown = shown
    if let sessions = client.sessions, let session = try await sessions.sessions.find(sessions.id(mark.proof)),
      let user = session.user
    {
      shown.session = FlowSession(user: user, proof: mark.proof, endsAt: session.endsAt)
    }
    return shown
  }

  /// The user was disabled, or given another password, since the password was verified.
  private func userChanged(
    _ user: User?, _ known: Known, _ account: AccountExperience, _ client: FlowClient
  ) async throws -> Conversation {
    let trail = AuditTrail(of: storage, at: now)
    try await storage.writeTogether { db in
      try trail.note(AuditEvent(.sessionRefused, .userChanged, user: user?.id), in: db)
    }
    var shown = try beginConversation(
      known.token.kind, account, for: client, returnTo: known.token.returnTo, after: .sessionRequired)
    shown.status = .conflict
    return shown
  }

  /// The end of a flow whose document has no screen after it, as the server's own page shows it: with what has succeeded.
  func end(_ shown: Conversation) -> FlowDocument {
    var document = document(shown.text, shown.token, step: .done)
    document.issues = shown.news
    return document
  }

  private func blank(_ known: Known, _ account: AccountExperience, _ client: FlowClient) -> Conversation {
    shown(known, Self.fresh(known.token.kind, account, client), ConversationState())
  }

  /// The mark of a page's form.
  private func mark(_ pairs: [(name: String, value: String)], of token: FlowToken) -> SubmissionMark {
    let turn = pairs.first { $0.name == Self.turnName }.flatMap { Int($0.value) } ?? 0
    let keys = submissions.keys(ofFlow: token.number, begunWith: token.key.number)
    return keys.mark(form: "screen", turn: turn, fields: pairs)
  }

  /// The name under which a page's form sends ``Conversation/turn``.
  static let turnName = ":count"

  /// A page's form, as one of the page that is shown now if that is the same screen. No form of the flow has been accepted since it
  /// was drawn: what lies between are refusals of the screen, after which another content is a new try.
  private static func newTry(
    _ pairs: [(name: String, value: String)], of screen: ScreenSnapshot
  ) -> [(name: String, value: String)] {
    guard let name = screen.turnPrefix else { return pairs }
    return pairs.map { pair in
      pair.name == ExperiencePage.turnName && pair.value.hasPrefix(name)
        ? (name: pair.name, value: screen.turn) : pair
    }
  }

  /// Counts a flow that begins; the wait before the next one if there were too many.
  private func mayNotBegin(_ known: Known, _ client: FlowClient) async throws -> Duration? {
    guard known.row == nil, let delay = try await beginners.reserve(ClientAddress(client.address), now: now) else {
      return nil
    }
    try await storage.noteRefusal(AuditEvent(.formRefused, .tooManyAttempts), at: now)
    return delay
  }

  private func waiting(_ delay: Duration, _ page: Conversation) -> Conversation {
    var shown = page
    shown.tell(.wait, ["seconds": Int(delay.timeInterval.rounded(.up))])
    shown.status = .tooManyRequests
    shown.retryAfter = delay
    return shown
  }

  /// Writes down where the person is. Of several equal submissions one does.
  private func keep(
    _ conversation: ExperienceConversation, _ findings: AccountDelegate.Findings, _ mark: SubmissionMark,
    _ known: Known, _ client: FlowClient
  ) async throws -> SubmissionStore.Handled<ConversationOutcome> {
    let passwords = findings.state.passwords
    let record = try conversation.record { flow, field in
      passwords[flow] != nil && (field.key == "password" || field.constraints.matches == "password")
    }
    let snapshot = conversation.snapshot
    var outcome = ConversationOutcome(status: 200, isOver: snapshot.outcome != nil)
    outcome.hasSession = outcome.isOver && findings.signedIn != nil && client.sessions != nil
    outcome.confirmation = outcome.isOver ? findings.confirmation : nil
    outcome.opened = conversation.opened?.absoluteString
    outcome.told = outcome.isOver ? findings.state.news.first?.code.rawValue : nil
    let isRefused = !snapshot.screen.messages.isEmpty || snapshot.screen.firstInvalidField != nil
    if isRefused, !outcome.isOver { outcome.status = HTTPResponse.Status.unprocessableContent.code }
    // An address that was opened led nowhere here: who comes back may change what was typed.
    let goesOn = outcome.isOver || !isRefused && outcome.opened == nil
    let (before, now, found) = (known.row?.conversation, now, outcome)
    let trail = AuditTrail(of: storage, at: now)
    return try await storage.write { db -> SubmissionStore.Handled<ConversationOutcome> in
      try submissions.handle(mark, until: known.token.expiresAt, now: now, in: db) {
        next -> (outcome: ConversationOutcome, fate: SubmissionStore.Fate) in
        var (outcome, state) = (found, findings.state)
        outcome.turn = next
        state.turn = next
        state.record = record ?? Data()
        let stored = try FlowRow.findForUse(known.key, in: db)
        // Another form of the same page came first: this one is for nothing.
        guard stored?.conversation == before, stored?.step != .done else {
          return (ConversationOutcome(status: 200, isOver: false), .forgotten)
        }
        var row =
          stored
          ?? FlowRow(
            key: known.key, kind: known.token.kind, step: known.token.kind.firstStep, now: now,
            expiresAt: known.token.expiresAt)
        row.conversation = record == nil ? nil : try seal.seal(state, for: known.key)
        if record == nil { row.step = .done }
        if stored != nil {
          try row.update(in: db)
        } else if try row.insert(in: db) {
          try FlowHousekeeping.run(now: now, in: db)
        } else {
          return (ConversationOutcome(status: 200, isOver: false), .forgotten)
        }
        if outcome.hasSession, let user = findings.signedIn, let sessions = client.sessions {
          _ = try sessions.sessions.begin(for: user, derivedID: sessions.id(mark.proof), trail, in: db)
        }
        return (outcome, goesOn ? .accepted : .refused)
      }
    }
  }
}

/// What a submission led to, for one that is sent again.
struct ConversationOutcome: Codable, Sendable {
  var status: Int
  /// Whether the experience is over.
  var isOver: Bool
  var hasSession = false
  var confirmation: String?
  var opened: String?
  /// The code of what has succeeded, where no screen of the document tells it any more.
  var told: String?
  /// The turn of the forms that are drawn now.
  var turn = 0
}

extension FlowService.Conversation {
  fileprivate mutating func take(_ outcome: ConversationOutcome) {
    status = HTTPResponse.Status(code: outcome.status)
    isOver = outcome.isOver
    confirmation = outcome.confirmation
    opened = outcome.opened
    if let told = outcome.told.flatMap({ FlowIssue.Code(rawValue: $0) }) { news = [FlowIssue(told)] }
  }

  /// Says a problem above the page.
  fileprivate mutating func tell(_ code: FlowIssue.Code, _ parameters: [String: Int] = [:]) {
    let (text, texts) = (FlowIssue(code, parameters).text(in: texts), texts)
    screen.messages.append(text)
    if texts.language != screen.language { screen.messageLanguages[text] = texts.language }
  }

  /// Shows what a page sent that has expired, if it was a page of this screen.
  fileprivate mutating func keep(_ pairs: [(name: String, value: String)], _ fresh: ExperienceConversation) {
    guard let name = screen.turnPrefix else { return }
    guard pairs.contains(where: { $0.name == ExperiencePage.turnName && $0.value.hasPrefix(name) }) else { return }
    var conversation = fresh
    for (name, value) in pairs { conversation.enter(value, in: name) }
    let told = screen
    screen = conversation.snapshot.screen
    screen.messages = told.messages
    screen.messageLanguages = told.messageLanguages
  }
}

extension ScreenSnapshot {
  /// The turn without the number of the showing: that of every showing of the screen begins with it.
  fileprivate var turnPrefix: Substring? { turn.lastIndex(of: "/").map { turn[...$0] } }
}
