import Foundation
import OstiaryTesting

@testable import OstiaryCore

/// Two machines on one modelled store, with one modelled server. Everything takes two steps: it happens, and its answer arrives;
/// between them anything else may happen.
///
/// The referee: a session ends only if the server said so of it, or the user did; no used one-time token is shown while its
/// successor is in the store, in a living process, or on its way to one; when all is quiet, no session has been given up that
/// the server accepts by a proof in one of these places.
struct SharedWorld {
  typealias Known = KnownSession<TestProof>
  typealias Action = SessionAction<TestProof>
  typealias Input = SessionInput<TestProof>

  enum Stored: Hashable {
    case session(Known, others: [Known], claim: RenewalClaim?)
    case ended(EndedEntry)
  }

  /// What has been asked for and has not happened yet, or has happened and is on its way.
  enum Pending {
    case claim(Ticket)
    case read(Ticket)
    case save(Ticket, Stored, StoreExpectation)
    case exchange(Ticket, user: String)
    case identify(Ticket)
    case renew(Ticket, Int)
    case request(Int, ProofVersion, verifies: Ticket?)
    case prepare(Ticket, base: Known?, over: Known?, isRenewal: Bool)
    case result(Input)
    case given(Ticket, Int, isRenewal: Bool)
    case answer(ProofVersion, isAccepted: Bool, jar: Int?, verifies: Ticket?)
  }

  struct Process {
    var machine: SessionMachine<TestProof>
    var pending: [Pending] = []
    var timers: Set<SessionTimer> = []
    /// What the server gave, until it is a session.
    var kept: Int?
    var holds = false
    var lastCaller: UInt64 = 0
    /// How many requests of the app are on their way.
    var requests = 0
    /// The newest tokens of each family that it has had.
    var seen: [Int: Int] = [:]

    /// The proofs in this process and on their way to it, jars alone aside.
    var held: [Int] {
      var held = machine.alternatives.map(\.prepared.number)
      if let kept { held.append(kept) }
      if let known = machine.session.known { held.append(known.prepared.number) }
      if case .running(_, .saving(let known, _, _)) = machine.work { held.append(known.prepared.number) }
      for pending in pending {
        switch pending {
        case .given(_, let proof, _): held.append(proof)
        case .save(_, let stored, _): held += stored.held
        default: break
        }
      }
      return held
    }
  }

  let rules: StrictServer.Rules
  var server: StrictServer
  var processes: [Process] = []
  var stored: Stored?
  /// Who has exclusive access.
  var holder: Int?
  var random: SplitMix64
  var elapsed = 0.0
  /// Whether the rest of the life has no faults.
  var isSettling = false
  /// Families that the user has signed out of, and those of them of which the sign-out must last.
  var out: Set<Int> = []
  var outForGood: Set<Int> = []
  /// Those of them that a living process ends at the server.
  var outAtServer: Set<Int> = []
  /// When each grant was given.
  var given: [Int: Moment] = [:]
  /// Families of which the newest proof went with a process or an answer, and those that a later sign-in has replaced.
  var excused: Set<Int> = []
  /// Proofs that a machine has had, and those that the server was told of at a sign-out.
  var landed: Set<Int> = []
  var told: Set<Int> = []
  /// Families of which an earlier entry was put back.
  var putBack: Set<Int> = []
  /// What has been stored, in order.
  var history: [Stored] = []
  var broken: String?
  var way: [String] = []
  let isTracing: Bool
  var bytes: [Stored: Int] = [:]
  var faults = 6
  /// How many processes there have been; each has a name of its own.
  var started = 2

  init(_ rules: StrictServer.Rules, seed: UInt64, isTracing: Bool = false) {
    self.rules = rules
    self.isTracing = isTracing
    server = StrictServer(rules)
    random = SplitMix64(seed: seed)
    processes = (0..<2).map { Self.process($0, rules) }
  }

  static func process(_ number: Int, _ rules: StrictServer.Rules) -> Process {
    var settings = SessionSettings()
    settings.retry = RetryPolicy(attempts: 1, base: .seconds(1))
    settings.storePatience = .seconds(5)
    settings.writer = MachineWorld.lineage(UInt8(200 + number))
    settings.accessCanBeLost = rules.accessCanBeLost
    return Process(machine: SessionMachine(settings: settings))
  }

  var now: Moment {
    Moment(wall: Date(timeIntervalSince1970: elapsed), uptime: Uptime(boot: "boot", seconds: elapsed))
  }

  func known(_ number: Int, _ version: ProofVersion, issued: Moment, begun: Moment?) -> Known {
    let user = server.families[server.family(of: number)].user
    return Known(
      prepared: TestProof(number: number, version: version), version: version, user: .init(id: user),
      digest: Self.digest(number), tokens: Self.digest(server[number].tokens), issued: issued, begun: begun,
      lifetime: rules.hasTokens ? 100 : nil, margin: 0)
  }

  static func digest(_ number: Int) -> ProofDigest { ProofDigest(bytes: [UInt8(number >> 8), UInt8(number & 255)]) }

  mutating func note(_ text: @autoclosure () -> String) { if isTracing { way.append(text()) } }

  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  // MARK: The machine's actions

  mutating func step(_ index: Int, _ input: Input) {
    if isTracing { way.append("\(index) ‹ \(input)") }
    let before = of(processes[index])
    let actions = processes[index].machine.step(input, at: now, jitter: 1)
    // Two users' sign-ins can't share one place: the one that the store has goes on.
    if let before, let after = of(processes[index]), after != before { excused.insert(before) }
    // Another process's sign-out counts for more than a sign-in of which the user is not known yet.
    if let kept = processes[index].kept, actions.contains(where: Self.isEndElsewhere) {
      out.insert(server.family(of: kept))
    }
    for action in actions { perform(action, of: index) }
    let process = processes[index]
    for known in [process.machine.session.known].compactMap({ $0 }) + process.machine.alternatives {
      landed.insert(known.prepared.number)
      saw(known.prepared.number, index)
    }
    if process.machine.hasGrant, process.kept == nil { broken = broken ?? "the flag is set for a grant that is gone" }
  }

  private static func isEndElsewhere(_ action: Action) -> Bool {
    if case .tell(.signedOut, .anotherProcess, _, _) = action { true } else { false }
  }

  mutating func saw(_ proof: Int, _ index: Int) {
    let content = server[proof]
    processes[index].seen[content.family] = max(processes[index].seen[content.family] ?? 0, content.tokens)
  }

  private mutating func perform(_ action: Action, of index: Int) {
    switch action {
    case .claim(let ticket): processes[index].pending.append(.claim(ticket))
    case .release:
      processes[index].holds = false
      if holder == index { holder = nil }
    case .read(let ticket): processes[index].pending.append(.read(ticket))
    case .save(let ticket, let known, let others, let claim, let expectation):
      processes[index].pending.append(.save(ticket, .session(known, others: others, claim: claim), expectation))
    case .writeEnded(let ticket, let entry, let expectation):
      processes[index].pending.append(.save(ticket, .ended(entry), expectation))
    case .ask: broken = "asks, and must not"
    case .exchange(let ticket, _, _):
      processes[index].pending.append(.exchange(ticket, user: chance(50) ? "ann" : "ben"))
    case .identify(let ticket, _): processes[index].pending.append(.identify(ticket))
    case .renew(let ticket, _, let known): processes[index].pending.append(.renew(ticket, known.prepared.number))
    case .verify(let ticket, let known):
      processes[index].pending.append(.request(known.prepared.number, known.version, verifies: ticket))
    case .prepare(let ticket, _, let base, let over, let isRenewal):
      processes[index].pending.append(.prepare(ticket, base: base, over: over, isRenewal: isRenewal))
    case .discard:
      if let kept = processes[index].kept {
        drop(kept, index)
        discard(kept)
      }
      processes[index].kept = nil
    case .forget:
      guard !processes[index].machine.hasGrant else { return }
      if let kept = processes[index].kept { drop(kept, index) }
      processes[index].kept = nil
    case .wake(_, .failure(let error)):
      if error.code == .invalidCredentials { broken = broken ?? "\(index) calls a right credential wrong" }
    case .forgetCredential, .wake: break
    case .endAtServer(let sessions), .finishSignOut(_, let sessions, _):
      for session in sessions {
        let family = server.family(of: session.prepared.number)
        if server.families[family].isLive, !out.contains(family) {
          broken = broken ?? "\(index) ends session \(family) at the server, of which the user has not signed out"
        }
        told.insert(session.prepared.number)
        server.end(with: session.prepared.number)
      }
    case .endReplaced(let sessions):
      for session in sessions {
        let family = server.family(of: session.prepared.number)
        if server.families[family].isLive, !out.contains(family), !excused.contains(family) {
          broken = broken ?? "\(index) ends session \(family) at the server, which no sign-in has replaced"
        }
        server.end(family)
      }
    case .schedule(let timer, _): processes[index].timers.insert(timer)
    case .unschedule(let timer): processes[index].timers.remove(timer)
    case .tell(let kind, let cause, let known, let detail):
      if isTracing { way.append("    \(index) tells \(kind) \(cause) \(known?.prepared.number ?? -1) \(detail ?? "")") }
      if kind == .signedOut, let known { judge(index, cause, known) }
    }
  }

  mutating func judge(_ index: Int, _ cause: Cause, _ known: Known) {
    let family = server.family(of: known.prepared.number)
    if isOver(family) { return }
    broken = broken ?? "\(index) ends session \(family), which the server has not refused: \(cause)"
  }

  /// A grant that comes too late is ended at the server.
  mutating func discard(_ proof: Int) {
    let family = server.family(of: proof)
    if landed.contains(where: { server.family(of: $0) == family }), server.families[family].isLive, !isOver(family) {
      broken = broken ?? "the session \(family) is ended at the server by an answer that came late"
    }
    server.end(family)
  }

  /// What the server gave is dropped only where there is a session, or none is wanted any more.
  private mutating func drop(_ proof: Int, _ index: Int) {
    let machine = processes[index].machine
    guard machine.session.usable == nil, !isOver(server.family(of: proof)) else { return }
    if machine.session.known?.prepared.number != proof {
      broken = broken ?? "\(index) drops what the server gave: \(proof)"
    }
  }

  func isOver(_ family: Int) -> Bool {
    out.contains(family) || excused.contains(family) || server.families[family].hasRefused
  }
}
