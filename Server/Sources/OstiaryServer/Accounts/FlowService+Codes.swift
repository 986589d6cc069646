import Crypto
import Foundation
import OstiaryCore

/// Codes. Only the right code makes a new account. An attacker therefore can't take an address of another person, and
/// the answer to the first step need not tell whether the address is taken.
extension FlowService {
  // MARK: Asking for one

  /// The details of a new account. The password is hashed before the server checks whether the address is taken.
  func signUp(_ values: [String: String], _ known: Known, _ client: FlowClient) async throws -> FlowOutcome {
    guard let email = values["email"].flatMap(MailAddress.typed) else {
      return refusal([FlowProblem("email", .emailInvalid)], known, client)
    }
    if let delay = try await mayNotSend(client) {
      return try await meanwhile(known, client) ?? wait(delay, known, client, keeping: values)
    }
    let hash = try await identity.newHash(
      Secret(values["password"] ?? ""), from: ClientAddress(client.address),
      refusal: AuditEvent(.accountRefused, .overloaded, name: NameKey(email.description)))
    return try await signUp(
      email, name: values["display_name"], PendingPassword(hash), known, client)
  }

  /// The details of a new account whose password has been hashed.
  func signUp(
    _ email: MailAddress, name: String?, _ password: PendingPassword, _ known: Known, _ client: FlowClient
  ) async throws -> FlowOutcome {
    let name = name.flatMap { try? PersonName.validated($0) } ?? email.description
    var row = newRow(known, .code, subject: NameKey(email.description))
    row.pending = PendingAccount(
      email: email.description, displayName: name, password: password.phc, work: password.work)
    return try await begin(row, known, client)
  }

  /// The address of an account whose password is lost.
  func sendCode(_ values: [String: String], _ known: Known, _ client: FlowClient) async throws -> FlowOutcome {
    guard let email = values["email"].flatMap(MailAddress.typed) else {
      return refusal([FlowProblem("email", .emailInvalid)], known, client)
    }
    if let delay = try await mayNotSend(client) {
      return try await meanwhile(known, client) ?? wait(delay, known, client, keeping: values)
    }
    return try await begin(newRow(known, .code, subject: NameKey(email.description)), known, client, typed: email)
  }

  private func newRow(_ known: Known, _ step: FlowStep, subject: NameKey) -> FlowRow {
    var row = FlowRow(key: known.key, kind: known.token.kind, step: step, now: now, expiresAt: known.token.expiresAt)
    row.subject = subject.data
    row.browser = known.token.browser.map { Data(SHA256.hash(data: Data($0.utf8))) }
    return row
  }

  func mayNotSend(_ client: FlowClient) async throws -> Duration? {
    guard let delay = try await senders.reserve(ClientAddress(client.address), now: now) else { return nil }
    try await storage.noteRefusal(AuditEvent(.mailRefused, .tooManyAttempts), at: now)
    return delay
  }

  /// Stores the flow and mails its first code. Of two submissions at once one does.
  private func begin(
    _ new: FlowRow, _ known: Known, _ client: FlowClient, typed: MailAddress? = nil
  ) async throws -> FlowOutcome {
    let now = now
    let source = client.source
    let trail = AuditTrail(of: storage, at: now)
    let outcome = try await settle(known, client) { db in
      var row = new
      if let typed { row.userID = try UserRow.owner(ofAddress: typed.description, in: db)?.user.id }
      guard try row.insert(in: db) else {
        return outOfOrder(known, client, row: try FlowRow.find(new.key, in: db) ?? new)
      }
      let owner = try owner(of: row, in: db)
      if let other = try row.otherWithCode(now: now, in: db), isLive(other, owner, now: now) {
        // The browser has a code already; the new one is discarded.
        row.codeFlow = other.key
        row.follow(other)
        try trail.note(row.event(.mailRefused, .tooManyMails), in: db)
      } else {
        try mailCode(&row, known, owner, source, now: now, trail, in: db)
      }
      try row.update(in: db)
      try FlowHousekeeping.run(now: now, in: db)
      return advanced(known, row, client)
    }
    dispatcher?.ring()
    return outcome
  }

  /// The code again, or another one if it is no longer valid.
  func resend(_ known: Known, _ client: FlowClient) async throws -> FlowOutcome {
    if let delay = try await mayNotSend(client) {
      return try await meanwhile(known, client) ?? wait(delay, known, client, keeping: [:])
    }
    let now = now
    let source = client.source
    let trail = AuditTrail(of: storage, at: now)
    let outcome = try await settle(known, client) { db in
      guard var row = try FlowRow.findForUse(known.key, in: db), row.step == .code else {
        return outOfOrder(known, client)
      }
      let owner = try owner(of: row, in: db)
      // The flow of this browser that has the code; the flow itself if none has.
      var holder = try row.codeFlow.flatMap { try FlowRow.findForUse($0, in: db) } ?? row
      if holder.key != row.key, !isLive(holder, owner, now: now) {
        row.codeFlow = nil
        holder = row
      }
      guard holder.sends < Self.mostSends else {
        return refusal([FlowProblem(nil, .resendExhausted)], known, client, row: row)
      }
      let rest = Self.resendInterval - now.timeIntervalSince(holder.sentAt)
      guard rest <= 0 else {
        let seconds = Int(min(rest, Self.resendInterval).rounded(.up))
        return refusal([FlowProblem(nil, .resendTooSoon, ["seconds": seconds])], known, client, row: row)
      }
      try mailCode(&holder, known, owner, source, now: now, trail, in: db)
      try holder.update(in: db)
      if holder.key == row.key { return advanced(known, holder, client) }
      row.follow(holder)
      try row.update(in: db)
      return advanced(known, row, client)
    }
    if outcome.problem == .resendExhausted || outcome.problem == .resendTooSoon {
      try await storage.noteRefusal(AuditEvent(.mailRefused, .tooManyMails, user: known.row?.userID), trail)
    }
    dispatcher?.ring()
    return outcome
  }

  /// The owner of the flow's account. Asked for whether or not there is one: the time must not differ.
  private func owner(of row: FlowRow, in db: StorageConnection) throws -> User? {
    try UserRow.find(id: row.userID ?? "", in: db)?.user
  }

  /// Whether a flow's code may still be shown, or could be if there were an account: a code that was not sent gives the
  /// same answers, or these would tell whether an account exists.
  private func isLive(_ row: FlowRow, _ owner: User?, now: Date) -> Bool {
    guard row.step == .code, row.sends > 0, row.attempts < Self.mostAttempts, now < row.codeExpiresAt else {
      return false
    }
    guard row.generation == owner?.generation else { return false }
    // An earlier version of the server made other codes, which can't be mailed again.
    let key = keyOfCode(row)
    return row.codeHash == nil || key != nil
  }

  /// The key with which the code of a flow was made; nil if it was none that counts.
  private func keyOfCode(_ row: FlowRow) -> SymmetricKey? {
    var found: SymmetricKey?
    for key in codeKeys.all {
      // The same work for a flow without a code: its time must not tell.
      let hash = code(of: row, key.key).hash(flow: row.key, key: key.key)
      if hash == row.codeHash { found = key.key }
    }
    return found
  }

  private func code(of row: FlowRow, _ key: SymmetricKey) -> FlowCode {
    .make(flow: row.key, until: row.codeExpiresAt, key: key)
  }

  /// Puts the mail about a flow's code into the outbox: the code itself, or a note to the owner that the account exists
  /// already, or a blank. A code that is still valid is mailed again; otherwise the flow gets another one. A code that
  /// was not mailed is never valid.
  private func mailCode(
    _ row: inout FlowRow, _ known: Known, _ owner: User?, _ source: GuessSource, now: Date, _ trail: AuditTrail,
    in db: StorageConnection
  ) throws {
    let isNew = !isLive(row, owner, now: now)
    if isNew {
      row.codeExpiresAt = min(now.addingTimeInterval(Self.codeLifetime), row.expiresAt)
      row.attempts = 0
      row.generation = owner?.generation
    }
    row.sends += 1
    row.sentAt = now
    // A code that is mailed again is the same, also after a change of the server's key.
    let codeKey = (isNew ? nil : keyOfCode(row)) ?? codeKeys.current.key
    let code = code(of: row, codeKey)
    let link = known.token.browser.map { _ in
      "\(mails.origin)\(known.page ?? FlowPaths.page(row.kind, flow: known.text))"
    }
    // A known device's mails are counted separately: requests from other devices can't use them up.
    let isKnown = identity.guesses.isKnown(source, to: owner?.deviceAccount)
    let isAllowed =
      try row.subject.map { subject in
        let key = isKnown ? Data(SHA256.hash(data: subject + Data((source.device?.id ?? "").utf8))) : subject
        return try MailLimits.take(NameKey(stored: key), now: now, in: db)
      } ?? false
    try trail.note(
      row.event(isAllowed ? .codeAsked : .mailRefused, isAllowed ? nil : .tooManyMails), in: db)
    let texts = known.texts
    var recipient: MailAddress?
    var message = mails.recovery(code, to: .nobody, link: link, in: texts)
    var isSent = false
    if let pending = row.pending {
      let existing = try UserRow.owner(ofAddress: pending.email, in: db)?.user
      recipient = existing.map { $0.email.flatMap(MailAddress.init) } ?? MailAddress(pending.email)
      let address = recipient ?? .nobody
      // A code that could make a second account for the address is not sent.
      isSent = existing == nil
      message =
        existing != nil
        ? mails.alreadyRegistered(to: address, in: texts)
        : mails.confirmation(code, to: address, link: link, in: texts)
    } else if let owner, !owner.isDisabled, let address = owner.email.flatMap(MailAddress.init) {
      recipient = address
      isSent = true
      message = mails.recovery(code, to: address, link: link, in: texts)
    }
    if isNew {
      row.codeHash = isSent && isAllowed && recipient != nil ? code.hash(flow: row.key, key: codeKey) : nil
      // If the mail limit prevented the mail, the client may ask again at once.
      if !isAllowed { row.codeExpiresAt = now }
    }
    let expiry = max(row.codeExpiresAt, now.addingTimeInterval(1))
    try outbox.add(message, isBlank: !isAllowed || recipient == nil, now: now, expiresAt: expiry, in: db)
  }

  // MARK: Showing one

  private enum Shown: Sendable {
    case elsewhere(FlowRow?)
    case problem(FlowProblem, FlowRow)
    /// The code was not verified.
    case unseen(AuditCause, FlowProblem, FlowRow)
    case proven(FlowRow)
    case created(User, FlowRow)
    case exists(FlowRow)
    /// There were too many guesses.
    case wait(Duration, FlowRow)

    /// The result in the log.
    var result: String? {
      switch self {
      case .problem(let problem, _), .unseen(_, let problem, _):
        problem.issue.code == .codeExpired ? "code expired" : "code refused"
      case .proven, .created, .exists: "code accepted"
      case .wait: "code waits"
      case .elsewhere: nil
      }
    }

    /// The event for a code that was not verified.
    var unwrittenRefusal: AuditEvent? {
      switch self {
      case .unseen(let cause, _, let row): row.event(.codeRefused, cause)
      case .wait(_, let row): row.event(.codeRefused, .tooManyAttempts)
      case .elsewhere, .problem, .proven, .created, .exists: nil
      }
    }
  }

  /// Verifies a code. A right one is used up by this call, even if two requests show it at the same time.
  func checkCode(_ values: [String: String], _ known: Known, _ client: FlowClient) async throws -> FlowOutcome {
    guard let code = values["code"].flatMap({ FlowCode(typed: $0) }) else {
      try await storage.noteRefusal(AuditEvent(.codeRefused, .wrong), at: now)
      return refusal([FlowProblem("code", .codeWrong)], known, client)
    }
    let now = now
    let source = client.source
    let trail = AuditTrail(of: storage, at: now)
    let (outcome, rest) = try await settleAndTell(known, client) {
      db -> (outcome: FlowOutcome, rest: (Shown, String)) in
      var target = "-"
      let shown = try show(code, known.key, source, now: now, trail, in: db, target: &target)
      return (try answer(to: shown, known, client, trail, in: db), (shown, target))
    }
    guard let (shown, target) = rest else { return outcome }
    if let refusal = shown.unwrittenRefusal { try await storage.noteRefusal(refusal, trail) }
    if let result = shown.result {
      identity.audit.record(
        result, pathway: Pathway(rawValue: "account.\(known.token.kind.rawValue)"), target: target,
        address: source.address, requestID: client.requestID, at: now)
    }
    return outcome
  }

  private func answer(
    to shown: Shown, _ known: Known, _ client: FlowClient, _ trail: AuditTrail, in db: StorageConnection
  ) throws -> FlowOutcome {
    switch shown {
    case .wait(let delay, _): wait(delay, known, client, keeping: [:])
    case .elsewhere(let row): outOfOrder(known, client, row: row)
    case .problem(let problem, let row), .unseen(_, let problem, let row):
      refusal([problem], known, client, row: row)
    case .proven(let row): advanced(known, row, client)
    case .created(let user, let row):
      try signedIn(user, known, row, client, FlowIssue(.accountCreated), trail, in: db)
    case .exists(let row): advanced(known, row, client, FlowIssue(.accountExists))
    }
  }

  private func show(
    _ code: FlowCode, _ key: Data, _ source: GuessSource, now: Date, _ trail: AuditTrail, in db: StorageConnection,
    target: inout String
  ) throws -> Shown {
    guard var row = try FlowRow.findForUse(key, in: db), row.step == .code else {
      return .elsewhere(try FlowRow.find(key, in: db))
    }
    let shared = try row.codeFlow.flatMap { try FlowRow.findForUse($0, in: db) }
    var holder = shared ?? row
    let owner = try owner(of: row, in: db)
    target = owner?.name ?? row.pending?.email ?? target
    /// The flow with the state of its code.
    func current() -> FlowRow {
      guard shared != nil else { return holder }
      var copy = row
      copy.follow(holder)
      return copy
    }
    guard holder.attempts < Self.mostAttempts else {
      return .unseen(.tooManyAttempts, FlowProblem("code", .codeExhausted), current())
    }
    guard now < holder.codeExpiresAt, holder.step == .code else {
      return .unseen(.expired, FlowProblem("code", .codeExpired), current())
    }
    let guess = Guess<MailedCodeGuess>(subject: row.subject ?? key, source: source)
    let outcome = try identity.guesses.look(at: guess, account: owner?.deviceAccount, now: now, in: db) { permit in
      var isRight = false
      for key in codeKeys.all where code.isRight(holder.codeHash, flow: holder.key, key: key.key, permit) {
        isRight = true
      }
      // An event that has ended the user's sessions since, such as another recovery, has also ended the code.
      let isCurrent = owner.map { $0.generation == holder.generation && !$0.isDisabled } ?? false
      return isRight && (row.kind != .recover || isCurrent) ? true : nil
    }
    switch outcome {
    case .wait(let delay): return .wait(delay, row)
    case .wrong:
      holder.attempts += 1
      try holder.update(in: db)
      try trail.note(row.event(.codeRefused, .wrong), in: db)
      let isLast = holder.attempts >= Self.mostAttempts
      return .problem(FlowProblem("code", isLast ? .codeExhausted : .codeWrong), current())
    case .right: break
    }
    if shared != nil {
      holder.codeHash = nil
      holder.codeExpiresAt = now
      try holder.update(in: db)
    }
    row.codeHash = nil
    try trail.note(row.event(.codeAccepted), in: db)
    guard let pending = row.pending else {
      row.step = .password
      row.generation = holder.generation
      row.codeExpiresAt = min(now.addingTimeInterval(Self.codeLifetime), row.expiresAt)
      try row.update(in: db)
      return .proven(row)
    }
    row.step = .done
    row.pending = nil
    try row.update(in: db)
    // The client has proven the address; whether it has an account by now may be told.
    guard try !UserRow.exists(anyOf: [NameKey(pending.email)], in: db) else {
      try trail.note(row.event(.accountRefused, .alreadyTaken), in: db)
      return .exists(row)
    }
    // Not judged as a user name: an address that is proven is its owner's, with all its signs and directions.
    let id = try UserRow.insert(
      name: pending.email, tenant: nil, displayName: pending.displayName, email: pending.email,
      attributes: [:], hash: PasswordHash(phc: pending.password), origin: .selfMade(isEmailVerified: true), now: now,
      in: db)
    try trail.note(AuditEvent(.accountMade, .requestedByApp, user: id), in: db)
    try identity.forgetGuesses(at: pending.email, in: db)
    guard let user = try UserRow.find(id: id, in: db)?.user else { return .exists(row) }
    return .created(user, row)
  }
}

extension FlowRow {
  /// Takes over the state of another flow's code.
  fileprivate mutating func follow(_ holder: FlowRow) {
    codeExpiresAt = holder.codeExpiresAt
    attempts = holder.attempts
    sends = holder.sends
    sentAt = holder.sentAt
    generation = holder.generation
  }
}
