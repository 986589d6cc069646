package import CoreMetrics
import Foundation
package import Logging
package import OstiaryCore

/// Knows the users and decides whether a password is right. Every door asks it.
///
/// **Equal work.** An unknown name, a wrong password, a disabled user, a user without a password and a user with a hash
/// of older parameters all cost the same: the cost of the most expensive hash in the database or of today's parameters,
/// whichever is greater. The part of it that a stored hash does not use is filled with discarded hashes (see
/// `EqualWork`). Only a right password costs more, when its hash is renewed.
public final class IdentityService: Sendable {
  let storage: ServerStorage
  /// Notified of every user whose sessions this service has ended.
  let changes: UserChanges
  let clock: any SessionClock
  let configuration: IdentityConfiguration
  let hasher: PasswordHasher
  /// Every guess goes through this service.
  let guesses: GuessService
  let audit: AuditLog

  /// The rules for new passwords.
  package var passwordPolicy: PasswordPolicy { configuration.passwordPolicy }

  /// Makes the service over `storage`.
  /// - Parameter metrics: makes the metrics of the threads that hash.
  /// - Throws: `hashingFailed` if the hash function can't be used on this machine.
  package convenience init(
    storage: ServerStorage, configuration: IdentityConfiguration = .standard, clock: any SessionClock = .system,
    logger: Logger, metrics: any MetricsFactory = NOOPMetricsHandler.instance
  ) throws(ServerError) {
    try self.init(
      storage: storage, configuration: configuration, clock: clock, logger: logger, hashObserver: nil, metrics: metrics)
  }

  /// - Parameters:
  ///   - equalWork: gives every check the same cost; nil: `EqualWork`.
  ///   - hashObserver: called with the cost of every hash that is computed.
  init(
    storage: ServerStorage, configuration: IdentityConfiguration, clock: any SessionClock, logger: Logger,
    equalWork: (any WorkFilling)? = nil, hashObserver: (@Sendable (HashParameters) -> Void)?,
    metrics: any MetricsFactory = NOOPMetricsHandler.instance
  ) throws(ServerError) {
    try Argon2.prepare()
    self.storage = storage
    changes = UserChanges.of(storage)
    self.clock = clock
    self.configuration = configuration
    let pool = HashPool(workers: configuration.hashWorkers, queue: configuration.hashQueue, metrics: metrics)
    hasher = PasswordHasher(
      parameters: configuration.hashParameters, pool: pool, equalWork: equalWork, observer: hashObserver)
    guesses = GuessService(storage, limits: configuration.loginLimits, clock: clock)
    audit = AuditLog(logger: logger)
    if configuration.hashParameters.isInsecure {
      logger.warning("Password hashes are cheap to break: this is for development alone.")
    }
    if configuration.passwordPolicy.minimumLength < 8 {
      logger.warning("Passwords shorter than 8 characters are accepted: this is for development alone.")
    }
  }

  /// Decides whether `password` is the password of `username`.
  ///
  /// The work is completed even if the calling task is cancelled: a client that disconnects saves no count of a guess.
  /// - Parameters:
  ///   - tenant: the user's tenant; nil for a user without one.
  ///   - address: the client's address, if it is certain; without it only the account is limited.
  ///   - pathway: the door that asks; logged.
  ///   - requestID: the request's id; logged.
  package func verify(
    username: String, tenant: String? = nil, password: Secret, address: ClientAddress?, pathway: Pathway,
    requestID: String? = nil
  ) async -> LoginDecision {
    await verify(
      PasswordAttempt(
        username: username, tenant: tenant, password: password, source: GuessSource(address: address), pathway: pathway,
        requestID: requestID))
  }

  /// As ``verify(username:tenant:password:address:pathway:requestID:)``, for a door that does not admit every user.
  /// - Parameter admits: whether the door admits a user. The decision does not depend on it; the recorded outcome does.
  func verify(
    _ attempt: PasswordAttempt, admits: @escaping @Sendable (User) -> Bool = { _ in true }
  ) async -> LoginDecision {
    await Task {
      let (name, address) = (attempt.username, attempt.source.address)
      let trail = AuditTrail(
        of: storage, at: clock.now, address: address, place: attempt.pathway, requestID: attempt.requestID)
      let told: Told = (trail, admits, attempt.keepRefusal)
      let decision = await noted(await decide(attempt, told), attempt.key, trail)
      audit.record(
        decision.auditResult(admits), pathway: attempt.pathway, target: attempt.tenant.map { "\($0)/\(name)" } ?? name,
        address: address, requestID: attempt.requestID, at: clock.now, error: decision.error)
      return decision
    }.value
  }

  /// The wait before the next password for a name from that source is verified, whether or not a user has that name.
  func wait(forName name: String, from source: GuessSource) async throws(ServerError) -> Duration? {
    let key = NameKey(name)
    return try await guesses.wait(Guess<PasswordGuess>(subject: key.data, source: source)) { db in
      try UserRow.find(key, in: db)?.user.deviceAccount
    }
  }

  /// Records a decision made without verifying the password. A decision made by verifying has been recorded with it.
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

  /// Where outcomes are recorded, whether the door that asks admits the user, and how it keeps a refusal.
  private typealias Told = (
    trail: AuditTrail, admits: @Sendable (User) -> Bool, keepRefusal: (@Sendable (StorageConnection) throws -> Bool)?
  )

  private func decide(_ attempt: PasswordAttempt, _ told: Told) async -> LoginDecision {
    let share = PoolShare(account: attempt.subject, address: attempt.source.address)
    do {
      // Too long for any account: the answer says nothing about this account.
      guard let password = try? NormalizedPassword(attempt.password) else {
        try await storage.noteRefusal(AuditEvent(.passwordRefused, .wrong, name: attempt.key), told.trail)
        return .refused
      }
      let outcome = try await hasher.pool.withPlace(for: share) { place async throws(ServerError) in
        try await look(at: password, attempt, place, told)
      }
      switch outcome {
      case .right(let user): return .accepted(user)
      case .wrong: return .refused
      case .wait(let wait): return .wait(retryAfter: wait)
      }
    } catch {
      return error.code == .overloaded
        ? .overloaded(retryAfter: error.retryAfter ?? .seconds(1)) : .unavailable(error)
    }
  }

  /// The values that a password is compared with.
  private struct Kept: Sendable {
    let row: UserRow?
    /// The work that every answer has to cost.
    let work: Int
  }

  private func look(
    at password: NormalizedPassword, _ attempt: PasswordAttempt, _ place: HashPool.Place, _ told: Told
  ) async throws(ServerError) -> GuessOutcome<User> {
    let key = attempt.key
    let current = configuration.hashParameters.work
    return try await guesses.look(
      at: Guess<PasswordGuess>(subject: attempt.subject, source: attempt.source),
      account: { db in
        let row = try UserRow.find(key, in: db)
        return (Kept(row: row, work: max(current, try UserRow.mostWork(in: db))), row?.user.deviceAccount)
      },
      verify: { permit, kept async throws(ServerError) in
        try await judge(password, against: kept, of: key, place, told, permit)
      })
  }

  /// Whether a stored hash is replaced by one of today's parameters. A safe hash is never replaced by a cheap one of
  /// development: a development server may run on real users' data.
  private func isOutdated(_ stored: HashParameters) -> Bool {
    stored != hasher.parameters && (stored.isInsecure || !hasher.parameters.isInsecure)
  }

  /// Accepts if the password is the user's and the user may sign in.
  private func judge(
    _ password: NormalizedPassword, against kept: Kept, of key: NameKey, _ place: HashPool.Place, _ told: Told,
    _ permit: borrowing GuessPermit<PasswordGuess>
  ) async throws(ServerError) -> GuessVerdict<User> {
    if let row = kept.row, row.phc != nil, row.password == nil {
      audit.logger.error(
        "A stored password hash can't be read; give the user a new password.", metadata: ["user": "\(row.user.id)"])
    }
    let isRight = try await hasher.verify(password, against: kept.row?.password, work: kept.work, place, permit)
    guard isRight, let row = kept.row, let old = row.password, !row.user.isDisabled else {
      let known = kept.row?.user
      let event = AuditEvent(
        .passwordRefused, isRight && known?.isDisabled == true ? .userDisabled : .credentialRefused, user: known?.id,
        name: known == nil ? key : nil)
      return .wrong { db in
        guard try told.keepRefusal?(db) ?? true else { return false }
        try told.trail.note(event, in: db)
        return true
      }
    }
    let renewed = isOutdated(old.parameters) ? try await hasher.hash(password, place) : nil
    let now = clock.now
    return .right { db in
      // Disabled, deleted or given a new password while the old one was being verified.
      guard let latest = try UserRow.find(id: row.user.id, in: db), latest.user.generation == row.user.generation,
        !latest.user.isDisabled
      else {
        if try told.keepRefusal?(db) ?? true {
          try told.trail.note(AuditEvent(.passwordRefused, .userChanged, user: row.user.id), in: db)
        }
        return nil
      }
      try told.trail.note(AuditEvent(.passwordAccepted, user: row.user.id), in: db)
      if !told.admits(latest.user) {
        try told.trail.note(AuditEvent(.admissionRefused, .notOnTheList, user: row.user.id), in: db)
      }
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
