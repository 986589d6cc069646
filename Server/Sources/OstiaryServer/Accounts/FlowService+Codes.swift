import Foundation
import OstiaryCore

/// What is done with codes. A new account is made by the right code and by nothing before it, so that nobody can take an
/// address that isn't theirs, and the answer to the first step need not tell whether it is taken.
extension FlowService {
  // MARK: Asking for one

  /// The details of a new account. The password is hashed before anybody looks whether the address is taken.
  func signUp(_ values: [String: String], _ known: Known, _ client: FlowClient) async throws -> FlowOutcome {
    guard let email = values["email"].flatMap({ MailAddress(String($0.trimmingBlanks)) }) else {
      return refusal([FlowProblem("email", .emailInvalid)], known, client)
    }
    if let delay = try await mayNotSend(client) { return wait(delay, known, client, keeping: values) }
    let hash = try await identity.newHash(Secret(values["password"] ?? ""))
    let name = values["display_name"].flatMap { $0.isEmpty ? nil : $0 } ?? email.description
    var row = newRow(known, .code, subject: NameKey(email.description))
    row.pending = PendingAccount(
      email: email.description, displayName: name, password: hash.phc, work: hash.parameters.work)
    return try await begin(row, known, client)
  }

  /// The address of an account whose password is lost.
  func sendCode(_ values: [String: String], _ known: Known, _ client: FlowClient) async throws -> FlowOutcome {
    guard let email = values["email"].flatMap({ MailAddress(String($0.trimmingBlanks)) }) else {
      return refusal([FlowProblem("email", .emailInvalid)], known, client)
    }
    if let delay = try await mayNotSend(client) { return wait(delay, known, client, keeping: values) }
    return try await begin(newRow(known, .code, subject: NameKey(email.description)), known, client, typed: email)
  }

  private func newRow(_ known: Known, _ step: FlowStep, subject: NameKey) -> FlowRow {
    var row = FlowRow(key: known.key, kind: known.token.kind, step: step, now: now, expiresAt: known.token.expiresAt)
    row.subject = subject.data
    return row
  }

  private func mayNotSend(_ client: FlowClient) async throws -> Duration? {
    guard let delay = ClientAddress(client.address).flatMap({ senders.reserve($0, now: now) }) else { return nil }
    try await storage.noteRefusal(AuditEvent(.mailRefused, .tooManyAttempts), at: now)
    return delay
  }

  /// Stores the flow and mails its first code. Of two submissions at once one does.
  private func begin(
    _ new: FlowRow, _ known: Known, _ client: FlowClient, typed: MailAddress? = nil
  ) async throws -> FlowOutcome {
    let now = now
    let trail = AuditTrail(of: storage, at: now)
    let (row, isFirst) = try await storage.write { db in
      var row = new
      if let typed { row.userID = try UserRow.owner(ofAddress: typed.description, in: db)?.user.id }
      guard try row.insert(in: db) else { return (try FlowRow.find(new.key, in: db) ?? new, false) }
      try mailCode(&row, known, now: now, trail, in: db)
      try row.update(in: db)
      try FlowHousekeeping.run(now: now, in: db)
      return (row, true)
    }
    dispatcher?.ring()
    return isFirst ? advanced(known, row, client) : outOfOrder(known, client, row: row)
  }

  /// Another code in place of the last one.
  func resend(_ known: Known, _ client: FlowClient) async throws -> FlowOutcome {
    if let delay = try await mayNotSend(client) { return wait(delay, known, client, keeping: [:]) }
    let now = now
    let trail = AuditTrail(of: storage, at: now)
    let (row, problem) = try await storage.write { db -> (FlowRow?, FlowProblem?) in
      guard var row = try FlowRow.findForUse(known.key, in: db), row.step == .code else { return (nil, nil) }
      guard row.sends < Self.mostSends else { return (row, FlowProblem(nil, .resendExhausted)) }
      let rest = Self.resendInterval - now.timeIntervalSince(row.sentAt)
      guard rest <= 0 else {
        return (row, FlowProblem(nil, .resendTooSoon, ["seconds": Int(min(rest, Self.resendInterval).rounded(.up))]))
      }
      try mailCode(&row, known, now: now, trail, in: db)
      try row.update(in: db)
      return (row, nil)
    }
    guard let row else { return outOfOrder(known, client) }
    if problem != nil {
      try await storage.noteRefusal(AuditEvent(.mailRefused, .tooManyMails, user: row.userID), trail)
    }
    if let problem { return refusal([problem], known, client, row: row) }
    dispatcher?.ring()
    return advanced(known, row, client)
  }

  /// Gives the flow a new code and puts the mail about it into the outbox: the code itself, to the owner that there is an
  /// account already, or nothing. Where the code isn't sent to anybody nobody knows it.
  private func mailCode(
    _ row: inout FlowRow, _ known: Known, now: Date, _ trail: AuditTrail, in db: StorageConnection
  ) throws {
    let code = FlowCode.make()
    row.codeHash = code.hash(flow: row.key, key: codeKey)
    row.codeExpiresAt = min(now.addingTimeInterval(Self.codeLifetime), row.expiresAt)
    row.attempts = 0
    row.sends += 1
    row.sentAt = now
    let link = known.token.browser.map { _ in
      "\(mails.origin)\(FlowPaths.page(row.kind))?flow=\(known.text)"
    }
    let isAllowed = try row.subject.map { try MailLimits.take(NameKey(stored: $0), now: now, in: db) } ?? false
    try trail.note(
      AuditEvent(
        isAllowed ? .codeAsked : .mailRefused, isAllowed ? nil : .tooManyMails, user: row.userID,
        name: row.userID == nil ? row.subject.map { NameKey(stored: $0) } : nil), in: db)
    // Asked for, and written, whether or not there is somebody: it would take longer otherwise.
    let owner = try UserRow.find(id: row.userID ?? "", in: db)?.user
    row.generation = owner?.generation
    var recipient: MailAddress?
    var message = mails.recovery(code, to: .nobody, link: link)
    if let pending = row.pending {
      let existing = try UserRow.owner(ofAddress: pending.email, in: db)?.user
      recipient = existing.map { $0.email.flatMap(MailAddress.init) } ?? MailAddress(pending.email)
      let address = recipient ?? .nobody
      // A code that could make an account beside another is sent to nobody.
      let unknown = FlowCode.make().hash(flow: row.key, key: codeKey)
      if existing != nil { row.codeHash = unknown }
      message =
        existing != nil ? mails.alreadyRegistered(to: address) : mails.confirmation(code, to: address, link: link)
    } else if let owner, !owner.isDisabled, let address = owner.email.flatMap(MailAddress.init) {
      recipient = address
      message = mails.recovery(code, to: address, link: link)
    }
    if isAllowed, row.kind == .recover {
      // One code of an account is good at a time.
      try db.run(FlowStatements.sql.endOtherCodes, row.subject, row.key)
    }
    try outbox.add(message, isBlank: !isAllowed || recipient == nil, now: now, expiresAt: row.codeExpiresAt, in: db)
  }

  // MARK: Showing one

  private enum Shown: Sendable {
    case elsewhere(FlowRow?)
    case problem(FlowProblem, FlowRow)
    /// The code was not looked at.
    case unseen(AuditCause, FlowProblem, FlowRow)
    case proven(FlowRow)
    case created(User, FlowRow)
    case exists(FlowRow)

    /// What is to be told of a code that was not looked at.
    var unwrittenRefusal: AuditEvent? {
      guard case .unseen(let cause, _, let row) = self else { return nil }
      return row.event(.codeRefused, cause)
    }
  }

  /// The code. A right one is used up with this call, whoever else shows it at the same time.
  func checkCode(_ values: [String: String], _ known: Known, _ client: FlowClient) async throws -> FlowOutcome {
    guard let code = values["code"].flatMap({ FlowCode(typed: $0) }) else {
      try await storage.noteRefusal(AuditEvent(.codeRefused, .wrong), at: now)
      return refusal([FlowProblem("code", .codeWrong)], known, client)
    }
    let now = now
    let trail = AuditTrail(of: storage, at: now)
    let shown = try await storage.write { db in try show(code, known.key, now: now, trail, in: db) }
    if let refusal = shown.unwrittenRefusal { try await storage.noteRefusal(refusal, trail) }
    switch shown {
    case .elsewhere(let row): return outOfOrder(known, client, row: row)
    case .problem(let problem, let row), .unseen(_, let problem, let row):
      return refusal([problem], known, client, row: row)
    case .proven(let row): return advanced(known, row, client)
    case .created(let user, let row): return signedIn(user, known, row, client, FlowIssue(.accountCreated))
    case .exists(let row): return advanced(known, row, client, FlowIssue(.accountExists))
    }
  }

  private func show(
    _ code: FlowCode, _ key: Data, now: Date, _ trail: AuditTrail, in db: StorageConnection
  ) throws -> Shown {
    guard var row = try FlowRow.findForUse(key, in: db), row.step == .code else {
      return .elsewhere(try FlowRow.find(key, in: db))
    }
    guard row.attempts < Self.mostAttempts else {
      return .unseen(.tooManyAttempts, FlowProblem("code", .codeExhausted), row)
    }
    guard now < row.codeExpiresAt else { return .unseen(.expired, FlowProblem("code", .codeExpired), row) }
    let hash = code.hash(flow: row.key, key: codeKey)
    var isRight = row.codeHash.map { ConstantTime.isEqual($0, hash) } ?? false
    if row.kind == .recover {
      // What has ended the user's sessions since, another recovery among it, has ended the code. The user is looked for
      // where there is none, too: it would take less time otherwise.
      let owner = try UserRow.find(id: row.userID ?? "", in: db)?.user
      isRight = isRight && owner.map { $0.generation == row.generation && !$0.isDisabled } ?? false
    }
    guard isRight else {
      row.attempts += 1
      try row.update(in: db)
      try trail.note(row.event(.codeRefused, .wrong), in: db)
      let isLast = row.attempts >= Self.mostAttempts
      return .problem(FlowProblem("code", isLast ? .codeExhausted : .codeWrong), row)
    }
    row.codeHash = nil
    try trail.note(row.event(.codeAccepted), in: db)
    guard let pending = row.pending else {
      row.step = .password
      row.codeExpiresAt = min(now.addingTimeInterval(Self.codeLifetime), row.expiresAt)
      try row.update(in: db)
      return .proven(row)
    }
    row.step = .done
    row.pending = nil
    try row.update(in: db)
    // The address is theirs; whether it has an account by now is their business.
    guard try !UserRow.exists(anyOf: [NameKey(pending.email)], in: db) else {
      try trail.note(row.event(.accountRefused, .alreadyTaken), in: db)
      return .exists(row)
    }
    let id = try UserRow.insert(
      name: try UserName.validated(pending.email), tenant: nil, displayName: pending.displayName, email: pending.email,
      attributes: [:], hash: PasswordHash(phc: pending.password), origin: .selfMade(isEmailVerified: true), now: now,
      in: db)
    try trail.note(AuditEvent(.accountMade, .requestedByApp, user: id), in: db)
    try identity.accounts.reset(NameKey(pending.email), in: db)
    guard let user = try UserRow.find(id: id, in: db)?.user else { return .exists(row) }
    return .created(user, row)
  }
}
