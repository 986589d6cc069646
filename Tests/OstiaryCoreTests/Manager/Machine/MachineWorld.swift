import Foundation
import OstiaryTesting

@testable import OstiaryCore

/// A session of the machine's tests: its proof is a number.
struct TestProof: PreparedValue {
  var number: Int
  var version: ProofVersion

  func revised(_ version: ProofVersion) -> TestProof { TestProof(number: number, version: version) }
}

/// A machine and everything around it that its inputs come from: the actions under way, the store, and what the server and
/// the user have said. It judges each step.
struct MachineWorld: Sendable, Hashable {
  typealias Machine = SessionMachine<TestProof>
  typealias Known = KnownSession<TestProof>
  typealias Action = SessionAction<TestProof>
  typealias Input = SessionInput<TestProof>

  /// An action whose result has not come yet.
  enum Pending: Sendable, Hashable {
    case claim(Ticket)
    case read(Ticket)
    case save(Ticket, Known)
    case end(Ticket)
    case ask(Ticket)
    case exchange(Ticket)
    case identify(Ticket)
    case renew(Ticket, Known)
    case verify(Ticket)
    case prepare(Ticket, over: Known?, isRenewal: Bool)
  }

  var machine: Machine
  var pending: [Pending] = []
  var timers: Set<SessionTimer> = []
  var waiting: [UInt64] = []
  var signingOut: [UInt64] = []
  var isHolding = false
  var nextCaller: UInt64 = 1
  var nextProof = 1
  /// What may end a session.
  var hasRefused = false
  var hasSignedOut = false
  var hasEndedElsewhere = false
  /// The last session that was known, which an answer on its way may still be about.
  var lastKnown: Known?
  /// Whether the user has signed out since then.
  var lastIsOut = false
  /// What was broken, in words.
  var broken: String?
  /// The seconds that have passed, and by which the user has set the wall clock.
  var elapsed = 0.0
  var wallOffset = 0.0
  /// How long sessions are good, in seconds; `nil` for those whose end only the server knows.
  private let lifetime: Double?

  static let first = lineage(1)
  static let stranger = lineage(2)

  static func lineage(_ number: UInt8) -> UUID {
    UUID(uuid: (number, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  }

  init(source: SessionSettings.Source, accessCanBeLost: Bool = false, lifetime: Double? = nil) {
    self.lifetime = lifetime
    var settings = SessionSettings()
    settings.source = source
    settings.retry = RetryPolicy(attempts: 1, base: .seconds(1))
    settings.writer = Self.lineage(9)
    settings.accessCanBeLost = accessCanBeLost
    settings.looks = 2
    machine = Machine(settings: settings)
  }

  static func known(
    _ number: Int, _ lineage: UUID, revision: UInt64, user: String = "ann", lifetime: Double? = nil,
    issued: Moment? = nil
  ) -> Known {
    let version = ProofVersion(lineage: lineage, revision: revision)
    return Known(
      prepared: TestProof(number: number, version: version), version: version, user: .init(id: user),
      digest: ProofDigest(bytes: [UInt8(truncatingIfNeeded: number)]), tokens: ProofDigest(bytes: [0]),
      issued: issued ?? Moment(wall: Date(timeIntervalSince1970: 0)), lifetime: lifetime, margin: 0)
  }

  /// A session that begins now.
  private func new(_ number: Int, _ lineage: UUID, revision: UInt64, user: String = "ann") -> Known {
    Self.known(number, lineage, revision: revision, user: user, lifetime: lifetime, issued: lifetime.map { _ in now })
  }

  var now: Moment {
    Moment(
      wall: Date(timeIntervalSince1970: elapsed + wallOffset), uptime: Uptime(boot: "boot", seconds: elapsed))
  }

  // MARK: Steps

  /// Takes an input in and judges what the machine asks for.
  mutating func step(_ input: Input, jitter: Double = 1) {
    let before = machine
    let actions = machine.step(input, at: now, jitter: jitter)
    for action in actions { note(action, before) }
    if let known = machine.session.known { (lastKnown, lastIsOut) = (known, false) }
    judge()
  }

  private mutating func note(_ action: Action, _ before: Machine) {
    switch action {
    case .claim(let ticket): pending.append(.claim(ticket))
    case .release:
      if !isHolding { broken = "released what was not held" }
      isHolding = false
    case .read(let ticket): pending.append(.read(ticket))
    case .save(let ticket, let known, _, _, _): pending.append(.save(ticket, known))
    case .writeEnded(let ticket, let entry, _):
      pending.append(.end(ticket))
      if entry.refused.isEmpty, !hasSignedOut { broken = "an entry says that the user signed out, who did not" }
    case .ask(let ticket, _, _, _): pending.append(.ask(ticket))
    case .exchange(let ticket, _, _): pending.append(.exchange(ticket))
    case .identify(let ticket, _): pending.append(.identify(ticket))
    case .renew(let ticket, _, let known):
      pending.append(.renew(ticket, known))
      if !isHolding { broken = "renews without exclusive access" }
      if machine.writing.owesProof { broken = "renews while an earlier proof is not stored" }
    case .verify(let ticket, _): pending.append(.verify(ticket))
    case .prepare(let ticket, _, _, let over, let isRenewal):
      pending.append(.prepare(ticket, over: over, isRenewal: isRenewal))
    case .finishSignOut(let callers, _, _): signingOut.removeAll { callers.contains($0) }
    case .schedule(let timer, let wait):
      timers.insert(timer)
      if wait < .zero { broken = "waits for less than nothing" }
    case .unschedule(let timer): timers.remove(timer)
    case .wake(let caller, _):
      if !waiting.contains(caller) { broken = "wakes a caller that does not wait: \(caller)" }
      waiting.removeAll { $0 == caller }
    case .tell(.signedOut, let cause, _, _): judge(cause)
    case .tell, .discard, .forget, .forgetCredential, .endAtServer, .endReplaced: break
    }
  }

  private mutating func judge(_ cause: Cause) {
    switch cause {
    case .requestedByApp: if !hasSignedOut { broken = "the user did not sign out" }
    case .rejectedByServer, .credentialRefused, .declined:
      if !hasRefused, !hasEndedElsewhere { broken = "the server refused nothing: \(cause)" }
    case .anotherProcess: if !hasEndedElsewhere { broken = "no other process ended it" }
    case .superseded: break
    default: broken = "not on the list of causes: \(cause)"
    }
  }

  private mutating func judge() {
    let store = pending.filter { pending in
      switch pending {
      case .read, .save, .end: true
      default: false
      }
    }
    if store.count > 1 { broken = "two store actions at once" }
    if machine.access == .held, !isHolding { broken = "believes in exclusive access that is gone" }
    let isQuiet = pending.isEmpty && timers.isEmpty
    if isQuiet, !waiting.isEmpty { broken = "a caller waits for nothing: \(machine.work), \(machine.writing)" }
    if isQuiet, !signingOut.isEmpty { broken = "a sign-out waits for nothing" }
    if isQuiet, isHolding { broken = "exclusive access is kept for nothing" }
    if isQuiet, machine.writing != .clean { broken = "the store stays behind: \(machine.writing)" }
  }

  // MARK: Inputs

  /// Something that can happen now: what it is called, and what it changes.
  typealias Choice = (label: String, change: (inout MachineWorld) -> Void)

  private func after(_ label: String, _ change: @escaping (inout MachineWorld) -> Void) -> Choice { (label, change) }

  /// Everything that can happen now.
  /// - Parameter callers: how many may wait at the same time.
  func choices(callers: Int = 2) -> [Choice] {
    pending.indices.flatMap(results) + timerChoices() + callerChoices(callers) + answerChoices() + userChoices()
  }

  /// One thing that can happen now. Only what is chosen from is made, for there are many lives.
  func choice(using random: inout SplitMix64) -> Choice? {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<55 where !pending.isEmpty:
      let index = Int.random(in: pending.indices, using: &random)
      if case .read(let ticket) = pending[index] {
        return after(index, read(ticket, Int.random(in: 0...Self.contents, using: &random)))
      }
      return results(of: pending[index]).randomElement(using: &random).map { after(index, $0) }
    case 55..<65 where !timers.isEmpty: return timerChoices().randomElement(using: &random)
    case 92...: return userChoices().randomElement(using: &random)
    case let kind: return (kind % 3 == 0 ? answerChoices() : callerChoices(2)).randomElement(using: &random)
    }
  }

  /// The results that a pending action may have.
  private func results(_ index: Int) -> [Choice] {
    results(of: pending[index]).map { after(index, $0) }
  }

  private func after(_ index: Int, _ result: Choice) -> Choice {
    after(result.label) { world in
      world.pending.remove(at: index)
      result.change(&world)
    }
  }

  private func timerChoices() -> [Choice] {
    SessionTimer.allCases.filter(timers.contains).map { timer in
      after(Self.label(timer)) { world in
        world.timers.remove(timer)
        world.step(.timePassed(timer))
      }
    }
  }

  /// What callers may need.
  private func callerChoices(_ callers: Int) -> [Choice] {
    guard waiting.count < callers else { return [] }
    let needs: [(String, Need)] = [
      ("restore", .restore), ("look", .look), ("settled", .settled), ("renew", .renew),
      ("ensure", .ensure(.neededByRequest, failures: machine.failedSignIns.count)),
      ("sign in", .signIn(byHandler: false, resumes: machine.hasGrant)),
    ]
    var all = needs.map { label, need in
      after(label) { world in world.call { .needed(need, caller: $0, stamp: nil) } }
    }
    all.append(after("flush") { world in world.call { .flush(caller: $0) } })
    guard let known = machine.session.known else { return all + lateChoices() }
    all.append(
      after("confirm") { world in world.call { .needed(.confirm(known.version), caller: $0, stamp: nil) } })
    all.append(
      after("a cookie") { world in
        let new = world.newer(than: known)
        world.call { .changed(new, over: known, isProof: true, shown: known.digest, waiter: $0) }
      })
    all.append(
      after("a cookie for an older proof") { world in
        let new = world.newer(than: known)
        world.call { .changed(new, over: known, isProof: true, shown: nil, waiter: $0) }
      })
    return all
  }

  /// What an answer may bring after the session has ended.
  private func lateChoices() -> [Choice] {
    guard let known = lastKnown else { return [] }
    return [
      after("a cookie, late") { world in
        let new = world.newer(than: known)
        let isOut = world.lastIsOut
        world.call { .changed(new, over: known, isProof: true, shown: known.digest, waiter: $0) }
        if isOut, world.machine.session.known != nil { world.broken = "a late cookie undoes the sign-out" }
      }
    ]
  }

  /// What answers to the app's requests may say.
  private func answerChoices() -> [Choice] {
    guard let known = machine.session.usable else { return [] }
    return [
      after("accepted") { $0.step(.accepted(known.version)) },
      after("refused") { world in
        world.hasRefused = true
        world.step(.refused(known.version, reason: "401"))
      },
      after("a late refusal") { $0.step(.refused(ProofVersion(lineage: Self.stranger), reason: "401")) },
      after("used") { $0.step(.used(known.version)) },
    ]
  }

  private func userChoices() -> [Choice] {
    var all = [
      after("cancel") { world in
        world.step(.cancelled(OstiaryError(.interactionCancelled, "Cancelled."), .declined))
      }
    ]
    if signingOut.isEmpty {
      all.append(
        after("sign-out") { world in
          world.hasSignedOut = true
          world.lastIsOut = true
          let caller = world.freshCaller()
          world.signingOut.append(caller)
          world.step(.signedOutHere(caller: caller))
        })
    }
    if let caller = waiting.first {
      all.append(
        after("a caller leaves") { world in
          world.waiting.removeFirst()
          world.step(.left(caller: caller))
        })
    }
    return all
  }

  private static func label(_ timer: SessionTimer) -> String {
    switch timer {
    case .work: "the work's time passes"
    case .writing: "the writing's time passes"
    case .ending: "the ending's time passes"
    case .signOut: "the sign-out's time passes"
    case .absorbing: "the absorbing's time passes"
    case .patience: "the patience is over"
    }
  }

  private mutating func freshCaller() -> UInt64 {
    nextCaller += 1
    return nextCaller
  }

  private mutating func freshNumber() -> Int {
    nextProof += 1
    return nextProof
  }

  /// What comes now is no reason to end a session. One that is good now needs another from now on.
  private mutating func forgetReasons() {
    if machine.session.usable != nil { (hasRefused, hasEndedElsewhere) = (false, false) }
  }

  /// Newer proof of the same sign-in.
  private mutating func newer(than known: Known) -> Known {
    new(freshNumber(), known.lineage, revision: known.version.revision + 1, user: known.user.id)
  }

  private mutating func call(_ input: (UInt64) -> Input) {
    let caller = freshCaller()
    waiting.append(caller)
    step(input(caller))
  }

  private static var unavailable: OstiaryError { OstiaryError(.storeUnavailable, "Locked.") }
  private static var passing: OstiaryError { OstiaryError(.cannotConnect, "Down.", requestMayHaveExecuted: false) }
  private static var refusal: OstiaryError { OstiaryError(.invalidCredentials, "No.") }

  private func results(of action: Pending) -> [(String, (inout MachineWorld) -> Void)] {
    switch action {
    case .claim(let ticket):
      return [
        (
          "claimed",
          { world in
            world.isHolding = true
            world.step(.claimed(ticket))
          }
        ),
        ("claim failed", { $0.step(.claimFailed(ticket, Self.unavailable)) }),
      ]
    case .read(let ticket):
      return (0...Self.contents).map { read(ticket, $0) }
    case .save(let ticket, let known):
      return [
        ("written", { $0.step(.written(ticket, Self.data(known), nil)) }),
        ("write failed", { $0.step(.writeFailed(ticket, Self.unavailable)) }),
        ("conflict", { $0.step(.writeFailed(ticket, .storeConflict)) }),
      ]
    case .end(let ticket):
      return [
        ("ended", { $0.step(.written(ticket, Data("ended".utf8), nil)) }),
        ("end failed", { $0.step(.writeFailed(ticket, Self.unavailable)) }),
        ("end conflict", { $0.step(.writeFailed(ticket, .storeConflict)) }),
      ]
    case .ask(let ticket):
      return [
        ("given", { $0.step(.credentialGiven(ticket)) }),
        ("declined", { $0.step(.declined(ticket, OstiaryError(.interactionCancelled, "No."))) }),
      ]
    case .exchange(let ticket):
      return failures(ticket) + [
        ("exchanged", { $0.step(.exchanged(ticket, isIdentified: true)) }),
        ("exchanged, unknown user", { $0.step(.exchanged(ticket, isIdentified: false)) }),
      ]
    case .identify(let ticket):
      return failures(ticket) + [("identified", { $0.step(.exchanged(ticket, isIdentified: true)) })]
    case .renew(let ticket, _):
      return failures(ticket) + [
        ("renewed", { $0.step(.renewed(ticket)) }), ("not renewable", { $0.step(.notRenewable(ticket)) }),
        (
          "unclear",
          { world in
            world.forgetReasons()
            world.step(.failed(ticket, Failure(error: OstiaryError(.unclearRefusal, "400."), mayRepeat: false)))
          }
        ),
      ]
    case .verify(let ticket):
      return [
        ("valid", { $0.step(.verified(ticket, isValid: true, reason: "")) }),
        (
          "invalid",
          { world in
            world.hasRefused = true
            world.step(.verified(ticket, isValid: false, reason: "over"))
          }
        ),
        ("can't be verified", { $0.step(.verificationFailed(ticket, Self.passing)) }),
      ]
    case .prepare(let ticket, let over, let isRenewal):
      return [
        (
          "prepared",
          { world in
            let number = world.freshNumber()
            let new =
              isRenewal && over != nil
              ? world.new(
                number, over?.lineage ?? Self.first, revision: (over?.version.revision ?? 0) + 1,
                user: over?.user.id ?? "ann")
              : world.new(number, Self.lineage(UInt8(truncatingIfNeeded: 100 + number)), revision: 0)
            world.step(.prepared(ticket, new))
          }
        )
      ]
    }
  }

  private func failures(_ ticket: Ticket) -> [(String, (inout MachineWorld) -> Void)] {
    [
      ("fails for now", { $0.step(.failed(ticket, Failure(error: Self.passing))) }),
      (
        "is refused",
        { world in
          world.hasRefused = true
          world.step(.failed(ticket, Failure(error: Self.refusal)))
        }
      ),
      (
        "lower layer",
        { world in
          world.forgetReasons()
          world.step(
            .failed(ticket, Failure(error: OstiaryError(.interactionCancelled, "No."), isLowerLayer: true)))
        }
      ),
    ]
  }

  /// How many things a reading may find; it may fail, too.
  private static let contents = 10

  private func read(_ ticket: Ticket, _ number: Int) -> Choice {
    guard let (label, content, isEnding) = content(number) else {
      return after("store unavailable") { $0.step(.storeUnavailable(ticket, Self.unavailable)) }
    }
    return after("read: \(label)") { world in
      if isEnding { world.hasEndedElsewhere = true }
      world.step(.storeRead(ticket, content))
    }
  }

  /// What a reading may find, and whether it may end the session.
  private func content(_ number: Int) -> (String, StoreContent<TestProof>, Bool)? {
    let mine = machine.session.known ?? new(1, Self.first, revision: 0)
    func session(_ known: Known, _ others: [Known] = []) -> StoreContent<TestProof> {
      StoreContent(entry: .session(known, alternatives: others), data: Self.data(known))
    }
    func ended(_ cause: Cause, _ refused: Set<ProofDigest>) -> StoreContent<TestProof> {
      let entry = EndedEntry(
        lineage: mine.lineage, cause: cause, date: Date(timeIntervalSince1970: 0), refused: refused)
      return StoreContent(entry: .ended(entry), data: Data([255, UInt8(truncatingIfNeeded: number)]))
    }
    let next = mine.version.revision + 1
    switch number {
    case 0: return ("absent", StoreContent(entry: .absent), true)
    case 1: return ("damaged", StoreContent(entry: .damaged, data: Data([254])), false)
    case 2: return ("the own session", session(mine), false)
    case 3: return ("a newer one", session(new(50, mine.lineage, revision: next, user: mine.user.id)), false)
    case 4:
      return (
        "another of the same age", session(new(51, mine.lineage, revision: mine.version.revision, user: mine.user.id)),
        false
      )
    case 5: return ("both", session(mine, [new(52, mine.lineage, revision: next, user: mine.user.id)]), false)
    case 6: return ("a stranger's", session(new(60, Self.stranger, revision: 0, user: "ben")), true)
    case 7: return ("ended by the user", ended(.requestedByApp, []), true)
    case 8: return ("ended, refused", ended(.rejectedByServer, [mine.digest]), true)
    case 9: return ("ended, another refused", ended(.rejectedByServer, [ProofDigest(bytes: [99])]), true)
    default: return nil
    }
  }

  static func data(_ known: Known) -> Data {
    Data([
      known.lineage.uuid.0, UInt8(truncatingIfNeeded: known.version.revision),
      UInt8(truncatingIfNeeded: known.prepared.number),
    ])
  }
}
