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
    case verify(Ticket, Known)
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
  /// The proofs that the server has refused, to this process or to another one that said so in the store.
  var refusedProofs: Set<ProofDigest> = []
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

  static func moment(_ seconds: Double) -> Moment {
    Moment(wall: Date(timeIntervalSince1970: seconds), uptime: Uptime(boot: "boot", seconds: seconds))
  }

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
    issued: Moment? = nil, begun: Moment? = nil, tokens: UInt8 = 0
  ) -> Known {
    let version = ProofVersion(lineage: lineage, revision: revision)
    return Known(
      prepared: TestProof(number: number, version: version), version: version, user: .init(id: user),
      digest: ProofDigest(bytes: [UInt8(truncatingIfNeeded: number)]), tokens: ProofDigest(bytes: [tokens]),
      issued: issued ?? Moment(wall: Date(timeIntervalSince1970: 0)), begun: begun ?? issued, lifetime: lifetime,
      margin: 0)
  }

  /// A session that begins now.
  func new(_ number: Int, _ lineage: UUID, revision: UInt64, user: String = "ann") -> Known {
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
      if !entry.refused.isSubset(of: refusedProofs) {
        broken = "an entry says of a proof that it was refused, which was not"
      }
    case .ask(let ticket, _, _, _):
      pending.append(.ask(ticket))
      if hasAlternative { broken = "asks a person while there is proof that the server has not refused" }
    case .exchange(let ticket, _, _): pending.append(.exchange(ticket))
    case .identify(let ticket, _): pending.append(.identify(ticket))
    case .renew(let ticket, _, let known):
      pending.append(.renew(ticket, known))
      if !isHolding { broken = "renews without exclusive access" }
      if machine.writing.owesProof { broken = "renews while an earlier proof is not stored" }
    case .verify(let ticket, let known): pending.append(.verify(ticket, known))
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
    case .tell(.signedOut, let cause, let known, _): judge(cause, known)
    case .tell, .discard, .forget, .forgetCredential, .endAtServer, .endReplaced: break
    }
  }

  /// Whether the machine keeps another proof of the sign-in that is not known to be refused, and goes on with a refused one.
  private var hasAlternative: Bool {
    guard machine.session.usable == nil, let known = machine.session.known else { return false }
    return machine.alternatives.contains { $0.digest != known.digest && !refusedProofs.contains($0.digest) }
  }

  private mutating func judge(_ cause: Cause, _ known: Known?) {
    switch cause {
    case .requestedByApp: if !hasSignedOut { broken = "the user did not sign out" }
    case .rejectedByServer, .credentialRefused, .declined:
      if !hasRefused, !hasEndedElsewhere { broken = "the server refused nothing: \(cause)" }
      if let known, !refusedProofs.contains(known.digest), !hasEndedElsewhere {
        broken = "the server refused another proof: \(cause)"
      }
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

  // MARK: Small things

  static func label(_ timer: SessionTimer) -> String {
    switch timer {
    case .work: "the work's time passes"
    case .writing: "the writing's time passes"
    case .ending: "the ending's time passes"
    case .signOut: "the sign-out's time passes"
    case .absorbing: "the absorbing's time passes"
    case .patience: "the patience is over"
    }
  }

  /// The server has refused a proof, or a credential.
  mutating func noteRefused(_ known: Known?) {
    hasRefused = true
    if let known { refusedProofs.insert(known.digest) }
  }

  mutating func freshCaller() -> UInt64 {
    nextCaller += 1
    return nextCaller
  }

  mutating func freshNumber() -> Int {
    nextProof += 1
    return nextProof
  }

  /// What comes now is no reason to end a session. One that is good now needs another from now on.
  mutating func forgetReasons() {
    if machine.session.usable != nil { (hasRefused, hasEndedElsewhere) = (false, false) }
  }

  /// Newer proof of the same sign-in.
  mutating func newer(than known: Known) -> Known {
    new(freshNumber(), known.lineage, revision: known.version.revision + 1, user: known.user.id)
  }

  mutating func call(_ input: (UInt64) -> Input) {
    let caller = freshCaller()
    waiting.append(caller)
    step(input(caller))
  }

  static func data(_ known: Known) -> Data {
    Data([
      known.lineage.uuid.0, UInt8(truncatingIfNeeded: known.version.revision),
      UInt8(truncatingIfNeeded: known.prepared.number),
    ])
  }
}
