import Crypto
import Foundation
internal import OstiaryCore

/// Proves that a guess was counted and may be verified. Every function that verifies a guessable thing takes a permit of its
/// kind, and only `GuessService` makes permits: no guess is verified without being counted. A permit can't be stored.
struct GuessPermit<Thing: Guessable>: ~Copyable, Sendable {
  fileprivate init() {}
}

/// The result of verifying a guess.
enum GuessVerdict<Value: Sendable>: Sendable {
  /// The guess was right. The closure writes its consequences in the transaction in which the guess gets its outcome; the count is taken
  /// back in the same one, or right after it. If the closure returns nil, the guess was wrong after all.
  case right(@Sendable (StorageConnection) throws -> Value?)
  /// The guess was wrong. The closure writes its consequences in the transaction in which the guess gets its outcome. It returns false
  /// for a guess that was looked at before and counts already: the same submission, sent again.
  case wrong(@Sendable (StorageConnection) throws -> Bool)
}

/// The outcome of a guess.
enum GuessOutcome<Value: Sendable>: Sendable {
  case right(Value)
  case wrong
  /// The guess was not verified.
  case wait(Duration)
}

/// Every guess goes through this service: it counts a guess before the guess is verified, and lets it wait after too many. See
/// `GuessBudget` for the limits.
struct GuessService: Sendable {
  private let storage: ServerStorage
  private let clock: any SessionClock
  private let limits: LoginLimits
  private let table: GuessTable
  private let gate: GuessGate
  private var deviceKeys: PurposeKeys { storage.key.keys(for: "limits.device") }

  init(_ storage: ServerStorage, limits: LoginLimits = .standard, clock: any SessionClock) {
    self.storage = storage
    self.clock = clock
    self.limits = limits
    table = GuessTable(storage.key)
    gate = .of(storage)
  }

  private func budget<Thing: Guessable>(_ thing: Thing.Type) -> GuessBudget { GuessBudget(rules: Thing.rules(limits)) }

  // MARK: Looking

  /// Handles a guess whose verification takes long.
  /// - Parameters:
  ///   - account: reads the value to compare the guess with, and the account under which its devices are known.
  ///   - verify: compares. If it throws, the guess was not verified, and does not count.
  func look<Thing: Guessable, Found: Sendable, Value: Sendable>(
    at guess: Guess<Thing>,
    account: @escaping @Sendable (StorageConnection) throws -> (found: Found, account: String?),
    verify: (borrowing GuessPermit<Thing>, Found) async throws(ServerError) -> GuessVerdict<Value>
  ) async throws(ServerError) -> GuessOutcome<Value> {
    let budget = budget(Thing.self)
    let turn = guess.source.address.map { Data($0.bucket) } ?? guess.subject
    let (answer, found) = try await gate.certainAnswer(turn: turn) { () async throws(ServerError) in
      let now = clock.now
      let isTidyingDue = gate.isTidyingDue(now: now, most: limits.mostKeys)
      let key = table.onlyKey
      let count: @Sendable (StorageConnection) throws -> Counted<Found> = { [self] db in
        let (found, account) = try account(db)
        let device = knownDevice(guess.source, account)
        let (answer, lost) = try table.reserveForLater(guess, device: device, budget, key, now: now, in: db)
        return Counted(answer: answer, lostBeside: lost, found: found)
      }
      var result = try await key == nil ? storage.write(count) : storage.writeLocking(count)
      if let anchor = result.lostBeside {
        // By itself: it locks counts of other names, before those of the network.
        _ = try await storage.writeLocking { [table] db in
          try table.takeBackLost(beside: anchor, now: now.timeIntervalSince1970, in: db)
        }
        result = try await key == nil ? storage.write(count) : storage.writeLocking(count)
      }
      if isTidyingDue {
        // By itself: it locks the rows of others. After a failure the next one does it.
        _ = try? await storage.write { [limits] db in try GuessTable.tidy(now: now, most: limits.mostKeys, in: db) }
      }
      return (answer: result.answer, found: result.found)
    }
    switch answer {
    case .wait(let wait, _): return .wait(wait)
    case .counted(let ticket):
      defer { gate.settle(ticket) }
      let verdict: GuessVerdict<Value>
      do throws(ServerError) {
        verdict = try await verify(GuessPermit(), found)
      } catch {
        // A failure here leaves the count until the guess is given up as lost.
        _ = try? await storage.writeLocking { [table] db in try table.release(ticket, isRight: false, in: db) }
        throw error
      }
      return try await conclude(verdict, ticket)
    }
  }

  /// What came of counting a guess.
  private struct Counted<Found: Sendable>: Sendable {
    let answer: GuessTable.Answer
    /// See ``GuessTable/reserveForLater(_:device:_:_:now:in:)``.
    let lostBeside: GuessTable.Row?
    let found: Found
  }

  /// Gives a guess its outcome. After a failure the caller has none either, and the guess is given up as lost later.
  private func conclude<Value: Sendable>(
    _ verdict: GuessVerdict<Value>, _ ticket: GuessTable.Ticket
  ) async throws(ServerError) -> GuessOutcome<Value> {
    let (now, isShared) = (clock.now, storage.isShared)
    switch verdict {
    case .right(let commit):
      let (outcome, isLeft) = try await storage.write { [table] db -> (GuessOutcome<Value>, isLeft: Bool) in
        let standing = try table.standing(of: ticket, now: now, in: db)
        if case .isTooLate(let wait) = standing { return (.wait(wait), false) }
        guard let value = try commit(db) else {
          try table.keep(ticket, in: db)
          return (.wrong, false)
        }
        // The counts of a network are changed by all of its log-ins, which would make such a transaction fail again and again.
        if isShared, case .counts = standing { return (.right(value), true) }
        try table.keep(ticket, in: db)
        try table.takeBack(ticket, isRight: true, in: db)
        return (.right(value), false)
      }
      if isLeft {
        // A failure here leaves the count until the guess is given up as lost.
        _ = try? await storage.writeLocking { [table] db in try table.release(ticket, isRight: true, in: db) }
      }
      return outcome
    case .wrong(let tell):
      return try await storage.writeTogether { [table] db -> GuessOutcome<Value> in
        if case .isTooLate(let wait) = try table.standing(of: ticket, now: now, in: db) { return .wait(wait) }
        try table.keep(ticket, in: db)
        if try !tell(db) { try table.takeBack(ticket, isRight: false, in: db) }
        return .wrong
      }
    }
  }

  /// Handles a guess whose verification is part of a transaction.
  /// - Parameters:
  ///   - account: the account under which its devices are known.
  ///   - verify: compares; nil if the guess is wrong.
  func look<Thing: Guessable, Value: Sendable>(
    at guess: Guess<Thing>, account: String? = nil, now: Date, in db: StorageConnection,
    verify: (borrowing GuessPermit<Thing>) throws -> Value?
  ) throws -> GuessOutcome<Value> {
    let device = knownDevice(guess.source, account)
    switch try table.reserve(guess, device: device, budget(Thing.self), now: now, in: db) {
    case .wait(let wait, _): return .wait(wait)
    case .counted(let ticket):
      guard let value = try verify(GuessPermit()) else { return .wrong }
      try table.takeBack(ticket, isRight: true, in: db)
      return .right(value)
    }
  }

  /// Handles a guess at a value that is too long to be guessed and is shown often: a right one needs no read of the database. A
  /// wrong one is counted there, and this process verifies none before the wait is over. It learns of other processes' waits with
  /// its next wrong guess.
  func lookFirst<Thing: Guessable>(
    at guess: Guess<Thing>, verify: (borrowing GuessPermit<Thing>) -> Bool
  ) async throws(ServerError) -> GuessOutcome<Bool> {
    let now = clock.now
    let key = guess.subject + Data(guess.source.address?.bucket ?? [])
    if let wait = gate.wait(key, now: now) { return .wait(wait) }
    if verify(GuessPermit()) { return .right(true) }
    let budget = budget(Thing.self)
    let next = try await storage.write { [table] db -> Duration? in
      if case .wait(let wait, _) = try table.reserve(guess, device: nil, budget, now: now, in: db) { return wait }
      return try table.wait(guess, device: nil, budget, now: now, in: db)
    }
    if let next { gate.remember(next, key, now: now) }
    return .wrong
  }

  // MARK: Counts

  /// Counts a request that costs the server something; see `ask(_:subject:from:_:now:in:)`.
  func ask(
    _ label: StaticString, subject: Data, from source: GuessSource, _ bucket: GuessRules.Bucket, now: Date,
    in db: StorageConnection
  ) throws -> Duration? {
    var rules = GuessRules(limits)
    rules.network = bucket
    return try table.ask(
      label, subject: subject, from: source.address.map(GuessNetwork.init), GuessBudget(rules: rules), now: now, in: db)
  }

  /// Counts a request of one address, and not of the networks around it. A wait that this process knows of is answered from memory:
  /// nothing makes it shorter.
  func ask(
    _ label: StaticString, from address: ClientAddress, _ bucket: GuessRules.Bucket, now: Date
  ) async throws(ServerError) -> Duration? {
    // No client's name begins like this.
    let key = Data([0]) + Data(label.description.utf8) + Data(address.bucket)
    if let wait = gate.wait(key, now: now) { return wait }
    var rules = GuessRules(limits)
    rules.network = bucket
    let budget = GuessBudget(rules: rules)
    let isTidyingDue = gate.isTidyingDue(now: now, most: limits.mostKeys)
    let wait = try await storage.writeTogether { [table, limits] db -> Duration? in
      if isTidyingDue { try GuessTable.tidy(now: now, most: limits.mostKeys, in: db) }
      return try table.ask(
        label, subject: Data(), from: GuessNetwork(address), budget, [.hostOfAll], now: now, in: db)
    }
    if let wait { gate.remember(wait, key, now: now) }
    return wait
  }

  /// The wait before the next guess, without counting one; nil if a guess may be made.
  func wait<Thing: Guessable>(
    _ guess: Guess<Thing>, account: @escaping @Sendable (StorageConnection) throws -> String?
  ) async throws(ServerError) -> Duration? {
    let now = clock.now
    return try await storage.read { [self] db in
      let device = knownDevice(guess.source, try account(db))
      return try table.wait(guess, device: device, budget(Thing.self), now: now, in: db)
    }
  }

  /// Resets a subject's counts.
  func forget<Thing: Guessable>(_ thing: Thing.Type, _ subject: Data, in db: StorageConnection) throws {
    try table.forget(thing, subject, in: db)
  }

  /// How many waits this process remembers, for what is looked at before it is counted.
  var mostWaits: Int { gate.mostWaits }

  /// How many it did not remember, because there was no room.
  var unrememberedWaits: Int { gate.unrememberedWaits }

  /// How many counts have a guess under way.
  var countUnderWay: Int { gate.count }

  // MARK: Devices

  /// Whether a request comes from a known device of an account.
  func isKnown(_ source: GuessSource, to account: String?) -> Bool { knownDevice(source, account) != nil }

  private func knownDevice(_ source: GuessSource, _ account: String?) -> KnownDevice? {
    // A missing account is compared as well: the time must not show whether it exists.
    guard let device = source.device else { return nil }
    let isKnown = deviceKeys.all.reduce(false) { device.isKnown(to: account ?? "", key: $1.key) || $0 }
    return isKnown && account != nil ? device : nil
  }

  /// The line of `Set-Cookie` that makes a browser a known device of an account.
  func deviceCookie(_ known: KnownDevice?, account: String, isSecure: Bool) -> String {
    KnownDevice.setting(known, account: account, key: deviceKeys.current.key, isSecure: isSecure)
  }
}
