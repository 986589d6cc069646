import Foundation
import HTTPTypes
import OstiaryCore

/// An app's backend, as the app's delegate calls it: the fields of a flow as one JSON object; the answer is 200, or 422
/// with messages for fields. Other fields belong to the app, and are ignored.
extension PrimerDoor {
  private static func text(_ name: String, _ fields: [String: JSONValue]) -> String {
    String((fields[name]?.string ?? "").trimmingBlanks)
  }

  private static func password(_ fields: [String: JSONValue]) -> Secret { Secret(fields["password"]?.string ?? "") }

  /// Counts a request whose answer tells whether an account exists.
  private func count(_ request: DoorRequest) async throws {
    if let delay = try await askers.reserve(ClientAddress(request.clientAddress), now: now) {
      throw PrimerRefusal.wait(delay).telling(AuditEvent(.accountRefused, .tooManyAttempts))
    }
  }

  // MARK: Log-in

  /// Takes `email` or `username`, and `password`. Unknown, wrong, disabled and without a password get the same answer,
  /// after the same amount of work; see ``IdentityService``.
  @Sendable
  func logIn(_ request: DoorRequest) async throws -> DoorResponse {
    let fields = try members(of: request)
    let key = fields["email"] == nil && fields["username"] != nil ? "username" : "email"
    let (name, password) = (Self.text(key, fields), Self.password(fields))
    var missing: [String: FlowIssue] = [:]
    if name.isEmpty { missing[key] = FlowIssue(.fieldRequired) }
    if password.isEmpty { missing["password"] = FlowIssue(.fieldRequired) }
    guard missing.isEmpty else { throw PrimerRefusal(missing) }
    let user = try await identity.user(loginName: name, tenants: [nil])
    let decision = await identity.verify(
      PasswordAttempt(
        username: user?.name ?? name, typed: name, password: password, source: GuessSource(request),
        pathway: "primer.login", requestID: request.id))
    switch decision {
    case .accepted(let user): return try .json(.object(["userId": .string(user.id)]))
    case .refused: throw PrimerRefusal(.unprocessableContent, FlowIssue(.credentialsWrong))
    case .wait(let delay): throw PrimerRefusal.wait(delay)
    case .overloaded(let delay): throw PrimerRefusal.overloaded(delay)
    case .unavailable(let error): throw error
    }
  }

  // MARK: Sign-up

  /// Validates the fields of a new account that are present; with `isComplete` a missing field is wrong, too.
  private func issues(_ fields: [String: JSONValue], isComplete: Bool) async throws -> [String: FlowIssue] {
    var issues: [String: FlowIssue] = [:]
    if fields["email"] != nil || isComplete {
      let text = Self.text("email", fields)
      if text.isEmpty {
        issues["email"] = FlowIssue(.fieldRequired)
      } else if let address = MailAddress(text) {
        let isTaken = try await identity.storage.read { db in
          try UserRow.exists(anyOf: [NameKey(address.description)], in: db)
        }
        if isTaken { issues["email"] = FlowIssue(.emailTaken) }
      } else {
        issues["email"] = FlowIssue(.emailInvalid)
      }
    }
    if fields["password"] != nil || isComplete {
      issues["password"] = Self.issue(ofNew: Self.password(fields), identity.passwordPolicy)
    }
    let name = fields["name"]?.string ?? ""
    if !name.isEmpty, (try? PersonName.validated(name)) == nil { issues["name"] = FlowIssue(.fieldCharacters) }
    return issues
  }

  /// The problem of a new password; nil if it is acceptable.
  static func issue(ofNew password: Secret, _ policy: PasswordPolicy) -> FlowIssue? {
    guard !password.isEmpty else { return FlowIssue(.fieldRequired) }
    do {
      try policy.check(password)
      return nil
    } catch {
      return FlowValidator.problem("password", error, policy).issue
    }
  }

  /// Validates the fields of a new account that are present. It has no other effect.
  @Sendable
  func validate(_ request: DoorRequest) async throws -> DoorResponse {
    let fields = try members(of: request)
    try await count(request)
    let issues = try await issues(fields, isComplete: false)
    guard issues.isEmpty else { throw PrimerRefusal(issues) }
    return try .json(.object([:]))
  }

  /// Makes an account, at once, of `email`, `password` and, if present, `name`. Of two requests for one address one makes the account.
  @Sendable
  func signUp(_ request: DoorRequest) async throws -> DoorResponse {
    let fields = try members(of: request)
    guard offersSignUp else { throw PrimerRefusal(.unprocessableContent, FlowIssue(.flowDisabled)) }
    try await count(request)
    let issues = try await issues(fields, isComplete: true)
    guard issues.isEmpty, let address = MailAddress(Self.text("email", fields)) else {
      let isTaken = issues["email"]?.code == .emailTaken
      throw isTaken ? taken(fields, issues) : PrimerRefusal(issues)
    }
    let hash: PasswordHash
    do {
      hash = try await identity.newHash(
        Self.password(fields), from: ClientAddress(request.clientAddress),
        refusal: AuditEvent(.accountRefused, .overloaded, name: NameKey(address.description)))
    } catch {
      guard error.code == .overloaded else { throw error }
      throw PrimerRefusal.overloaded(error.retryAfter ?? .seconds(1))
    }
    let (name, now) = (fields["name"]?.string ?? "", now)
    let trail = AuditTrail(of: identity.storage, at: now)
    let id = try await identity.storage.write { [identity] db -> String? in
      let key = NameKey(address.description)
      // Checked again inside the transaction: another request may have come first.
      guard try !UserRow.exists(anyOf: [key], in: db) else { return nil }
      // Not judged as a user name: see FlowService.
      let id = try UserRow.insert(
        name: address.description, tenant: nil,
        displayName: name.isEmpty ? address.description : try PersonName.validated(name), email: address.description,
        attributes: [:], hash: hash, origin: .selfMade(isEmailVerified: false), now: now, in: db)
      try identity.forgetGuesses(at: address.description, in: db)
      try trail.note(AuditEvent(.accountMade, .requestedByApp, user: id), in: db)
      return id
    }
    guard let id else { throw taken(fields, ["email": FlowIssue(.emailTaken)]) }
    identity.audit.record(
      "account made", pathway: "primer.signup", target: address.description,
      address: ClientAddress(request.clientAddress), requestID: request.id, at: now)
    return try .json(.object(["userId": .string(id)]))
  }

  private func taken(_ fields: [String: JSONValue], _ issues: [String: FlowIssue]) -> PrimerRefusal {
    PrimerRefusal(issues).telling(AuditEvent(.accountRefused, .alreadyTaken, name: NameKey(Self.text("email", fields))))
  }

  // MARK: A lost password

  /// Takes `email`, and mails a code to an address that has an account. The answer is the same for every address, and
  /// its `flow` names the recovery. With that `flow`, takes `code` and `password`, together or one after the other.
  @Sendable
  func recover(_ request: DoorRequest) async throws -> DoorResponse {
    let fields = try members(of: request)
    guard let flows, flows.offers(.recover) else {
      throw PrimerRefusal(.unprocessableContent, FlowIssue(.flowDisabled))
    }
    let recovery = PrimerRecovery(
      flows: flows,
      client: FlowClient(browser: nil, user: nil, address: request.clientAddress, requestID: request.id))
    let flow =
      if let flow = fields["flow"]?.string {
        try await recovery.goOn(flow, code: fields["code"]?.string, password: fields["password"]?.string)
      } else {
        try await recovery.begin(Self.text("email", fields))
      }
    return try .json(.object(flow.map { ["flow": .string($0)] } ?? [:]))
  }
}
