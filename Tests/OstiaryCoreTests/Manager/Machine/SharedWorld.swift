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
    case prepare(Ticket, over: Known?, isRenewal: Bool)
    case result(Input)
    case given(Ticket, Int, isRenewal: Bool)
    case answer(ProofVersion, isAccepted: Bool, new: Int?, verifies: Ticket?)
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

    /// The proofs in this process and on their way to it.
    func holds(_ proof: Int) -> Bool {
      if kept == proof || machine.session.known?.prepared.number == proof { return true }
      if machine.alternatives.contains(where: { $0.prepared.number == proof }) { return true }
      if case .running(_, .saving(let known, _, _)) = machine.work, known.prepared.number == proof { return true }
      return pending.contains { pending in
        switch pending {
        case .given(_, proof, _), .answer(_, _, proof, _): true
        case .save(_, let stored, _): stored.holds(proof)
        default: false
        }
      }
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
  /// Families of which the newest proof went with a process or an answer, and those that a later sign-in has replaced.
  var excused: Set<Int> = []
  /// Families that a machine has shown.
  var landed: Set<Int> = []
  var broken: String?
  var way: [String] = []
  let isTracing: Bool
  private var bytes: [Stored: Int] = [:]
  private var faults = 6
  /// How many processes there have been; each has a name of its own.
  private var started = 2

  init(_ rules: StrictServer.Rules, seed: UInt64, isTracing: Bool = false) {
    self.rules = rules
    self.isTracing = isTracing
    server = StrictServer(rules)
    random = SplitMix64(seed: seed)
    processes = (0..<2).map { Self.process($0, rules) }
  }

  private static func process(_ number: Int, _ rules: StrictServer.Rules) -> Process {
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

  private func known(_ number: Int, _ version: ProofVersion, issued: Moment) -> Known {
    let user = server.families[server.family(of: number)].user
    return Known(
      prepared: TestProof(number: number, version: version), version: version, user: .init(id: user),
      digest: ProofDigest(bytes: [UInt8(number >> 8), UInt8(number & 255)]),
      tokens: ProofDigest(bytes: rules.hasTokens ? [UInt8(number >> 8), UInt8(number & 255)] : []), issued: issued,
      lifetime: rules.hasTokens ? 100 : nil, margin: 0)
  }

  /// As it comes out of the store.
  private func read(_ known: Known) -> Known { self.known(known.prepared.number, known.version, issued: known.issued) }

  mutating func note(_ text: @autoclosure () -> String) { if isTracing { way.append(text()) } }

  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  // MARK: The machine's actions

  mutating func step(_ index: Int, _ input: Input) {
    if isTracing { way.append("\(index) ‹ \(input)") }
    let before = of(processes[index])
    let actions = processes[index].machine.step(input, at: now, jitter: 1)
    // Two users' sign-ins can't share one place: the one that the store has goes on.
    if let before, let after = of(processes[index]), after != before { excused.insert(before) }
    for action in actions { perform(action, of: index) }
    let process = processes[index]
    if let known = process.machine.session.known { landed.insert(server.family(of: known.prepared.number)) }
    if process.machine.hasGrant, process.kept == nil { broken = broken ?? "the flag is set for a grant that is gone" }
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
    case .prepare(let ticket, _, _, let over, let isRenewal):
      processes[index].pending.append(.prepare(ticket, over: over, isRenewal: isRenewal))
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
    case .forgetCredential, .wake: break
    case .endAtServer(let sessions), .finishSignOut(_, let sessions, _):
      for session in sessions {
        let family = server.family(of: session.prepared.number)
        if server.families[family].isLive, !out.contains(family) {
          broken = broken ?? "\(index) ends session \(family) at the server, of which the user has not signed out"
        }
        server.end(family)
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

  private mutating func judge(_ index: Int, _ cause: Cause, _ known: Known) {
    let family = server.family(of: known.prepared.number)
    if isOver(family) { return }
    broken = broken ?? "\(index) ends session \(family), which the server has not refused: \(cause)"
  }

  /// A grant that comes too late is ended at the server.
  private mutating func discard(_ proof: Int) {
    let family = server.family(of: proof)
    if landed.contains(family), server.families[family].isLive, !isOver(family) {
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

  private func isOver(_ family: Int) -> Bool {
    out.contains(family) || excused.contains(family) || server.families[family].hasRefused
  }

  // MARK: What happens next

  /// Lets what was asked for happen, or its answer arrive.
  mutating func advance(_ index: Int, _ place: Int, fails: Bool) {
    let pending = processes[index].pending.remove(at: place)
    if isTracing { way.append("\(index) \(pending)\(fails ? " fails" : "")") }
    func unavailable() -> OstiaryError { OstiaryError(.storeUnavailable, "Locked.") }
    func down(mayHaveExecuted: Bool) -> OstiaryError {
      OstiaryError(.cannotConnect, "Down.", requestMayHaveExecuted: mayHaveExecuted)
    }
    switch pending {
    case .claim(let ticket):
      if fails { return step(index, .claimFailed(ticket, unavailable())) }
      guard holder == nil else { return processes[index].pending.append(pending) }
      holder = index
      processes[index].holds = true
      step(index, .claimed(ticket))
    case .read(let ticket):
      if fails { return reply(index, .result(.storeUnavailable(ticket, unavailable()))) }
      reply(index, .result(.storeRead(ticket, content())))
    case .save(let ticket, let new, let expectation):
      if fails {
        // It may have been written for all that.
        if chance(50), expectation.matches(data()) { put(new) }
        return reply(index, .result(.writeFailed(ticket, unavailable())))
      }
      guard expectation.matches(data()) else { return reply(index, .result(.writeFailed(ticket, .storeConflict))) }
      put(new)
      reply(index, .result(.written(ticket, data() ?? Data(), nil)))
    case .exchange(let ticket, let user):
      if fails { return reply(index, .result(.failed(ticket, Failure(error: down(mayHaveExecuted: false))))) }
      // The new sign-in replaces what was there.
      excused.formUnion(server.families.indices)
      let proof = server.signIn(user)
      // A sign-out that had not read the store when it was asked for ends what it finds there.
      if processes.contains(where: { $0.machine.ending?.endsAnything == true }) { out.insert(server.family(of: proof)) }
      reply(index, .given(ticket, proof, isRenewal: false))
    case .identify(let ticket):
      if fails { return reply(index, .result(.failed(ticket, Failure(error: down(mayHaveExecuted: false))))) }
      reply(index, .result(.exchanged(ticket, isIdentified: true)))
    case .renew(let ticket, let proof): renew(index, ticket, proof, fails: fails)
    case .request(let proof, let version, let verifies):
      if fails { return reply(index, .answer(version, isAccepted: true, new: nil, verifies: verifies)) }
      let (isAccepted, new) = server.answer(proof, rolls: chance(isSettling ? 0 : 40))
      reply(index, .answer(version, isAccepted: isAccepted, new: new, verifies: verifies))
    case .prepare(let ticket, let over, let isRenewal):
      guard let kept = processes[index].kept else {
        return step(index, .failed(ticket, Failure(error: SessionMachine<TestProof>.signedOutMeanwhile)))
      }
      let fresh = ProofVersion(lineage: MachineWorld.lineage(UInt8(server.family(of: kept) & 255)))
      reply(
        index, .result(.prepared(ticket, known(kept, (isRenewal ? over?.version.next : nil) ?? fresh, issued: now))))
    case .result(let input): step(index, input)
    case .given(let ticket, let proof, let isRenewal):
      guard processes[index].machine.workTicket == ticket else { return discard(proof) }
      if let earlier = processes[index].kept, earlier != proof { discard(earlier) }
      processes[index].kept = proof
      step(index, isRenewal ? .renewed(ticket) : .exchanged(ticket, isIdentified: chance(70)))
    case .answer(let version, let isAccepted, let new, let verifies):
      absorb(index, version, isAccepted, new, verifies)
    }
  }

  private mutating func reply(_ index: Int, _ reply: Pending) { processes[index].pending.append(reply) }

  private mutating func renew(_ index: Int, _ ticket: Ticket, _ proof: Int, fails: Bool) {
    let lost = OstiaryError(.cannotConnect, "Down.", requestMayHaveExecuted: true)
    guard rules.hasTokens else { return reply(index, .result(.notRenewable(ticket))) }
    // The request or its answer is lost.
    if fails, chance(50) { return reply(index, .result(.failed(ticket, Failure(error: lost)))) }
    switch server.renew(proof) {
    case .given(let new):
      guard fails else { return reply(index, .given(ticket, new, isRenewal: true)) }
      reply(index, .result(.failed(ticket, Failure(error: lost))))
      excuseLost()
    case .refused: reply(index, .result(.failed(ticket, Failure(error: OstiaryError(.invalidCredentials, "No.")))))
    case .reused:
      let family = server.family(of: proof)
      if !out.contains(family), isHeld(server.families[family].newest) {
        broken = broken ?? "\(index) shows the used token \(proof), whose successor is at hand"
      } else if !out.contains(family), !excused.contains(family) {
        broken = broken ?? "\(index) shows the used token \(proof), whose successor was dropped"
      }
      reply(index, .result(.failed(ticket, Failure(error: OstiaryError(.invalidCredentials, "No.")))))
    }
  }

  private mutating func absorb(
    _ index: Int, _ version: ProofVersion, _ isAccepted: Bool, _ new: Int?, _ verifies: Ticket?
  ) {
    if verifies == nil { processes[index].requests -= 1 }
    let machine = processes[index].machine
    if let new, let base = machine.session.known ?? machine.endedByRefusal, base.lineage == version.lineage {
      var next = known(new, base.version.next, issued: base.issued)
      next.isAccepted = true
      processes[index].lastCaller += 1
      step(
        index,
        .changed(
          next, over: base, isProof: true, shown: base.version == version ? base.digest : nil,
          waiter: processes[index].lastCaller))
    }
    if let verifies { return step(index, .verified(verifies, isValid: isAccepted, reason: "401")) }
    if isAccepted { return step(index, .accepted(version)) }
    if chance(30) { return need(index, .confirm(version)) }
    step(index, .refused(version, reason: "401"))
    need(index, .ensure(.rejectedByServer, failures: nil))
  }

  // MARK: The store

  private func data() -> Data? {
    guard let stored, let number = bytes[stored] else { return nil }
    return withUnsafeBytes(of: number) { Data($0) }
  }

  private mutating func put(_ new: Stored) {
    if bytes[new] == nil { bytes[new] = bytes.count }
    stored = new
  }

  private func content() -> StoreContent<TestProof> {
    switch stored {
    case nil: StoreContent(entry: .absent)
    case .ended(let entry): StoreContent(entry: .ended(entry), data: data())
    case .session(let known, let others, let claim):
      StoreContent(entry: .session(read(known), alternatives: others.map(read)), data: data(), claim: claim)
    }
  }

  func isHeld(_ proof: Int) -> Bool {
    stored?.holds(proof) == true || processes.contains { $0.holds(proof) }
  }

  /// What can't be saved: the only place that had the newest proof is gone.
  mutating func excuseLost() {
    for (index, family) in server.families.enumerated() where family.isLive && !isHeld(family.newest) {
      excused.insert(index)
    }
  }

  // MARK: Callers

  mutating func need(_ index: Int, _ need: Need) {
    processes[index].lastCaller += 1
    step(index, .needed(need, caller: processes[index].lastCaller, stamp: nil))
  }

  mutating func request(_ index: Int) {
    guard let known = processes[index].machine.session.usable, known.isFresh(at: now) else {
      return need(index, .ensure(.neededByRequest, failures: nil))
    }
    guard processes[index].requests < 2 else { return }
    processes[index].requests += 1
    processes[index].pending.append(.request(known.prepared.number, known.version, verifies: nil))
  }

  mutating func signOut(_ index: Int) {
    note("\(index) signs out")
    out.formUnion(server.families.indices)
    if let known = processes[index].machine.session.known {
      outForGood.insert(server.family(of: known.prepared.number))
    }
    processes[index].lastCaller += 1
    step(index, .signedOutHere(caller: processes[index].lastCaller))
  }

  /// The process dies, and another one starts in its place. What it was writing is written or not.
  mutating func kill(_ index: Int) {
    note("\(index) dies")
    let old = processes[index]
    for pending in old.pending {
      switch pending {
      case .save(_, let new, let expectation) where chance(50) && expectation.matches(data()): put(new)
      case .renew(_, let proof) where chance(50): _ = server.renew(proof)
      default: break
      }
    }
    // A sign-out that was owed dies with it.
    if old.machine.ending != nil { outForGood = [] }
    if holder == index { holder = nil }
    started += 1
    processes[index] = Self.process(started, rules)
    excuseLost()
  }

  /// Whether time may pass in which a claim would count as left behind: its writer is not at work.
  private var mayJump: Bool {
    processes.allSatisfy { process in
      if process.machine.writing.owesProof { return false }
      switch process.machine.work.stage {
      case nil, .reading, .asking, .claiming, .claimPause, .unclaimed, .lookingAgain: return true
      default: return false
      }
    }
  }

  private mutating func cancel(_ index: Int) {
    // The user has taken the sign-in back, and with it what the server has given for it.
    if processes[index].machine.canBeCancelled, processes[index].machine.hasGrant, let kept = processes[index].kept {
      out.insert(server.family(of: kept))
    }
    step(index, .cancelled(OstiaryError(.interactionCancelled, "Cancelled."), .declined))
  }

  private mutating func jump() {
    guard mayJump else { return }
    note("time passes")
    elapsed += 120
  }

  // MARK: A life

  /// One thing happens, of those that can happen now.
  mutating func happen() {
    elapsed += 0.05
    let index = Int.random(in: 0..<processes.count, using: &random)
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<58:
      guard let place = processes[index].pending.indices.randomElement(using: &random) else { return }
      advance(index, place, fails: chance(12))
    case 58..<70:
      if let timer = SessionTimer.allCases.filter(processes[index].timers.contains).randomElement(using: &random) {
        fire(index, timer)
      }
    case 70..<80: request(index)
    case 80..<84: need(index, .look)
    case 84..<88: need(index, .ensure(.neededByRequest, failures: nil))
    case 88..<91: jump()
    case 91..<93 where processes[index].machine.session.known == nil:
      need(index, .signIn(byHandler: chance(50), resumes: processes[index].machine.hasGrant))
    case 93..<95: fault(index)
    case 95: if let last = server.families.indices.last { server.endGrace(last) }
    case 96: cancel(index)
    case 97: step(index, .flush(caller: 0))
    default: break
    }
  }

  private mutating func fire(_ index: Int, _ timer: SessionTimer) {
    processes[index].timers.remove(timer)
    step(index, .timePassed(timer))
  }

  private mutating func fault(_ index: Int) {
    guard faults > 0 else { return }
    faults -= 1
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<3: kill(index)
    case 3..<6:
      guard rules.accessCanBeLost else { return kill(index) }
      note("exclusive access is lost")
      holder = nil
    case 6..<8: signOut(index)
    default: if let last = server.families.indices.last, chance(30) { server.revoke(last) }
    }
  }

  /// Lives, then lets everything come to rest and judges what is left.
  mutating func live(steps: Int) {
    need(0, .signIn(byHandler: false, resumes: false))
    settle()
    for _ in 0..<steps where broken == nil { happen() }
    isSettling = true
    for _ in 0..<3 where broken == nil {
      settle()
      if mayJump { elapsed += 2000 }
      for index in processes.indices { need(index, .look) }
      settle()
      for index in processes.indices where broken == nil {
        request(index)
        settle()
        request(index)
        settle()
      }
    }
    if broken == nil { judge() }
  }

  private mutating func settle() {
    for _ in 0..<600 where broken == nil {
      if let index = processes.indices.first(where: { index in
        processes[index].pending.contains { if case .claim = $0 { holder == nil } else { true } }
      }),
        let place = processes[index].pending.firstIndex(where: { if case .claim = $0 { holder == nil } else { true } })
      {
        advance(index, place, fails: false)
      } else if let index = processes.indices.first(where: { !processes[$0].timers.isEmpty }),
        let timer = processes[index].timers.first
      {
        elapsed += 1
        fire(index, timer)
      } else {
        return
      }
    }
    broken = broken ?? "nothing comes to rest"
  }

  private mutating func judge() {
    for (family, state) in server.families.enumerated() {
      if outForGood.contains(family), processes.contains(where: { of($0) == family }) {
        broken = broken ?? "session \(family) is back after the user signed out"
      }
      guard state.isLive, !out.contains(family), !excused.contains(family) else { continue }
      if !state.good.contains(where: isHeld) {
        broken = broken ?? "session \(family) was given up, and the server accepts it still"
      } else if let index = processes.indices.first(where: { of(processes[$0]) != family }) {
        broken = broken ?? "\(index) is signed out of session \(family), which the server accepts"
      } else if let index = processes.indices.first(where: {
        processes[$0].machine.session.known.map { !server.accepts($0.prepared.number) } ?? true
      }) {
        broken = broken ?? "\(index) goes on with a proof that the server does not accept"
      }
    }
  }

  private func of(_ process: Process) -> Int? {
    process.machine.session.known.map { server.family(of: $0.prepared.number) }
  }
}

extension SharedWorld.Stored {
  func holds(_ proof: Int) -> Bool {
    guard case .session(let known, let others, _) = self else { return false }
    return known.prepared.number == proof || others.contains { $0.prepared.number == proof }
  }
}
