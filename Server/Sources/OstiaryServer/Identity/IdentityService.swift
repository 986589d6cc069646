import Foundation
public import Logging
public import OstiaryCore

/// Knows the users and decides whether a password is right: the one place every pathway asks.
///
/// **Equal work.** An unknown name, a wrong password, a disabled user, a user without a password and one whose hash is
/// of older parameters all cost the same: as much as the dearest hash in the database or today's parameters, whichever
/// is more. What a stored hash leaves of that is hashed for nothing (see `EqualWork`). Only a right password costs
/// more, when its hash is renewed.
public final class IdentityService: Sendable {
  let storage: ServerStorage
  /// Told of every user whose sessions have ended here.
  let changes: UserChanges
  let clock: any SessionClock
  let configuration: IdentityConfiguration
  let hasher: PasswordHasher
  let accounts: AccountThrottle
  let addresses: AddressThrottle
  let gate = AttemptGate<NameKey>()
  let addressGate = AttemptGate<[UInt8]>()
  let audit: AuditLog

  /// What new passwords must be.
  public var passwordPolicy: PasswordPolicy { configuration.passwordPolicy }

  /// Makes the service over `storage`.
  /// - Throws: `hashingFailed` if the hash function can't be used on this machine.
  public convenience init(
    storage: ServerStorage, configuration: IdentityConfiguration = .standard, clock: any SessionClock = .system,
    logger: Logger
  ) throws(ServerError) {
    try self.init(storage: storage, configuration: configuration, clock: clock, logger: logger, hashObserver: nil)
  }

  /// - Parameters:
  ///   - equalWork: what makes every password cost the same; nil: ``EqualWork``.
  ///   - hashObserver: told the cost of every hash that is computed.
  init(
    storage: ServerStorage, configuration: IdentityConfiguration, clock: any SessionClock, logger: Logger,
    equalWork: (any WorkFilling)? = nil, hashObserver: (@Sendable (HashParameters) -> Void)?
  ) throws(ServerError) {
    try Argon2.prepare()
    self.storage = storage
    changes = UserChanges.of(storage)
    self.clock = clock
    self.configuration = configuration
    let pool = HashPool(workers: configuration.hashWorkers, queue: configuration.hashQueue)
    hasher = PasswordHasher(
      parameters: configuration.hashParameters, pool: pool, equalWork: equalWork, observer: hashObserver)
    accounts = AccountThrottle(limits: configuration.loginLimits)
    addresses = AddressThrottle(limits: configuration.loginLimits)
    audit = AuditLog(logger: logger)
    if configuration.hashParameters.isInsecure {
      logger.warning("Password hashes are cheap to break: this is for development alone.")
    }
    if configuration.passwordPolicy.minimumLength < 8 {
      logger.warning("Passwords shorter than 8 characters are accepted: this is for development alone.")
    }
  }

  /// Decides whether `password` is `username`'s.
  ///
  /// The work is done to its end even if the calling task is cancelled, so that going away is no way to try for free.
  /// - Parameters:
  ///   - tenant: whose user it is; without one it is a user without one.
  ///   - address: where the request came from, as far as that is certain; without it only the account is limited.
  ///   - pathway: which door asks; logged.
  ///   - requestID: the request's id; logged.
  public func verify(
    username: String, tenant: String? = nil, password: Secret, address: ClientAddress?, pathway: Pathway,
    requestID: String? = nil
  ) async -> LoginDecision {
    await verify(
      username: username, tenant: tenant, password: password, address: address, pathway: pathway, requestID: requestID,
      admits: { _ in true })
  }

  /// As ``verify(username:tenant:password:address:pathway:requestID:)``, for a door that not every user may come in by.
  /// - Parameter admits: whether a user may; the decision does not depend on it, but what is told of it does.
  func verify(
    username: String, tenant: String? = nil, password: Secret, address: ClientAddress?, pathway: Pathway,
    requestID: String?, admits: @escaping @Sendable (User) -> Bool
  ) async -> LoginDecision {
    await Task {
      let trail = AuditTrail(of: storage, at: clock.now, address: address, place: pathway, requestID: requestID)
      let key = NameKey(username, tenant: tenant)
      let decision = await noted(await decide(key, password: password, address: address, (trail, admits)), key, trail)
      audit.record(
        decision.auditResult(admits), pathway: pathway, target: tenant.map { "\($0)/\(username)" } ?? username,
        address: address, requestID: requestID,
        at: clock.now, error: decision.error)
      return decision
    }.value
  }

  /// How long a name has to wait before its next password is looked at, whether or not somebody has that name.
  func wait(forName name: String, tenant: String? = nil) async throws(ServerError) -> Duration? {
    let (key, now) = (NameKey(name, tenant: tenant), clock.now)
    return try await storage.read { [accounts] db in try accounts.wait(key, now: now, in: db) }
  }

  /// Notes what was decided without a look at the password. What was decided with one has been noted with it.
  private func noted(_ decision: LoginDecision, _ key: NameKey, _ trail: AuditTrail) async -> LoginDecision {
    let cause: AuditCause
    switch decision {
    case .wait: cause = .tooManyAttempts
    case .overloaded: cause = .overloaded
    case .accepted, .refused, .unavailable: return decision
    }
    do {
      try await storage.noteRefusal(AuditEvent(.passwordRefused, cause, name: key), trail)
      return decision
    } catch {
      return .unavailable(error)
    }
  }

  /// Where outcomes are told, and whether the user may come in by the door that asks.
  private typealias Told = (trail: AuditTrail, admits: @Sendable (User) -> Bool)

  private func decide(
    _ key: NameKey, password: Secret, address: ClientAddress?, _ told: Told
  ) async -> LoginDecision {
    do {
      // Too long for anybody, whatever the name: says nothing about an account.
      guard let password = try? NormalizedPassword(password) else {
        try await storage.noteRefusal(AuditEvent(.passwordRefused, .wrong, name: key), told.trail)
        return .refused
      }
      return try await hasher.pool.withPlace { () async throws(ServerError) in
        guard let address else { return try await attempt(password, key: key, told) }
        return try await attempt(password, key: key, from: address, told)
      }
    } catch {
      return error.code == .overloaded
        ? .overloaded(retryAfter: error.retryAfter ?? .seconds(1)) : .unavailable(error)
    }
  }

  /// Makes the attempt if the address may make another. Only a wrong password counts in the end.
  private func attempt(
    _ password: NormalizedPassword, key: NameKey, from address: ClientAddress, _ told: Told
  ) async throws(ServerError) -> LoginDecision {
    let outcome = try await addressGate.run(
      address.bucket,
      ask: { () async throws(ServerError) in
        let wait = addresses.reserve(address, now: clock.now)
        return wait.map { .blocked($0) } ?? .granted(())
      },
      attempt: { (_: Void) async throws(ServerError) in
        var isWrong = false
        defer { if !isWrong { addresses.refund(address, now: clock.now) } }
        let decision = try await attempt(password, key: key, told)
        if case .refused = decision { isWrong = true }
        return decision
      })
    switch outcome {
    case .blocked(let wait): return .wait(retryAfter: wait)
    case .made(let decision): return decision
    }
  }

  /// Makes the attempt if the account may be tried once more.
  private func attempt(
    _ password: NormalizedPassword, key: NameKey, _ told: Told
  ) async throws(ServerError) -> LoginDecision {
    let outcome = try await gate.run(
      key,
      ask: { () async throws(ServerError) in try await reserve(key) },
      attempt: { attempt async throws(ServerError) in try await judge(password, key: key, attempt: attempt, told) })
    switch outcome {
    case .blocked(let wait): return .wait(retryAfter: wait)
    case .made(let user?): return .accepted(user)
    case .made(nil): return .refused
    }
  }

  /// What is known when an attempt has been counted and may be made.
  private struct Attempt: Sendable {
    let row: UserRow?
    /// The work every answer has to cost.
    let work: Int
  }

  private func reserve(_ key: NameKey) async throws(ServerError) -> AttemptGate<NameKey>.Answer<Attempt> {
    let now = clock.now
    let current = configuration.hashParameters.work
    return try await storage.write { [accounts] db in
      if let wait = try accounts.reserve(key, now: now, in: db) { return .blocked(wait) }
      return .granted(
        Attempt(row: try UserRow.find(key, in: db), work: max(current, try UserRow.mostWork(in: db))))
    }
  }

  /// Whether a stored hash gives way to one of today's parameters. A safe one never does to the cheap ones of
  /// development: a development server may be run on real users' data.
  private func isOutdated(_ stored: HashParameters) -> Bool {
    stored != hasher.parameters && (stored.isInsecure || !hasher.parameters.isInsecure)
  }

  /// The user if the password is theirs and they may sign in.
  private func judge(
    _ password: NormalizedPassword, key: NameKey, attempt: Attempt, _ told: Told
  ) async throws(ServerError) -> User? {
    if let row = attempt.row, row.phc != nil, row.password == nil {
      audit.logger.error(
        "A stored password hash can't be read; give the user a new password.", metadata: ["user": "\(row.user.id)"])
    }
    let isRight = try await hasher.verify(password, against: attempt.row?.password, work: attempt.work)
    guard isRight, let row = attempt.row, let old = row.password, !row.user.isDisabled else {
      let known = attempt.row?.user
      let event = AuditEvent(
        .passwordRefused, isRight && known?.isDisabled == true ? .userDisabled : .credentialRefused, user: known?.id,
        name: known == nil ? key : nil)
      try await storage.writeTogether { db in try told.trail.note(event, in: db) }
      return nil
    }
    let renewed = isOutdated(old.parameters) ? try await hasher.hash(password) : nil
    let now = clock.now
    return try await storage.write { [accounts] db in
      // Disabled, deleted or given a new password while the old one was being verified.
      guard let latest = try UserRow.find(id: row.user.id, in: db), latest.user.generation == row.user.generation,
        !latest.user.isDisabled
      else {
        try told.trail.note(AuditEvent(.passwordRefused, .userChanged, user: row.user.id), in: db)
        return nil
      }
      try told.trail.note(AuditEvent(.passwordAccepted, user: row.user.id), in: db)
      if !told.admits(latest.user) {
        try told.trail.note(AuditEvent(.admissionRefused, .notOnTheList, user: row.user.id), in: db)
      }
      try accounts.reset(key, in: db)
      if let renewed, let phc = row.phc {
        try UserRow.replace(phc, with: renewed, of: row.user.id, now: now, in: db)
      }
      return latest.user
    }
  }
}

extension LoginDecision {
  fileprivate func auditResult(_ admits: (User) -> Bool) -> String {
    switch self {
    case .accepted(let user): admits(user) ? "accepted" : "not admitted"
    case .refused: "refused"
    case .wait: "wait"
    case .overloaded: "overloaded"
    case .unavailable: "unavailable"
    }
  }

  fileprivate var error: ServerError? {
    if case .unavailable(let error) = self { error } else { nil }
  }
}
