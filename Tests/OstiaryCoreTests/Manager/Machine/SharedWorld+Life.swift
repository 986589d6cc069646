import Foundation
import OstiaryTesting

@testable import OstiaryCore

// A life: what happens in it, and that everything comes to rest in the end.
extension SharedWorld {
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
    case 91..<93 where maySignIn(index): need(index, .signIn(byHandler: chance(50)))
    case 93..<95: fault(index)
    case 95: if let last = server.families.indices.last { server.endGrace(last) }
    case 96: cancel(index)
    case 97: step(index, .flush(caller: 0))
    case 98:
      // The store is told of it when it has been told long ago; nothing of the proof is new.
      if let known = processes[index].machine.session.usable { step(index, .used(known.version)) }
    case 99: writeFromOutside()
    default: break
    }
  }

  private func maySignIn(_ index: Int) -> Bool {
    let session = processes[index].machine.session
    return rules.signsInAnew ? session.usable?.isFresh(at: now) != true : session.known == nil
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

  private mutating func writeFromOutside() {
    switch (rules.putsBack, rules.hasOlderVersion) {
    case (true, true): if chance(50) { putEarlierBack() } else { writeByOlderVersion() }
    case (true, false): putEarlierBack()
    case (false, true): writeByOlderVersion()
    case (false, false): break
    }
  }

  /// Lives, then lets everything come to rest and judges what is left.
  mutating func live(steps: Int) {
    need(0, .signIn(byHandler: false))
    settle()
    for _ in 0..<steps where broken == nil {
      happen()
      judgeClaim()
    }
    note("— settles —")
    isSettling = true
    for _ in 0..<3 where broken == nil {
      settle()
      if mayJump { elapsed += 2000 }
      look()
      for index in processes.indices where broken == nil {
        request(index)
        settle()
        request(index)
        settle()
      }
    }
    // All that one process has still to tell the other is told by now.
    for _ in 0..<3 { look() }
    let writes = history.count
    for _ in 0..<2 { look() }
    if history.count > writes { broken = broken ?? "the processes write over each other for ever" }
    judgeClaim()
    if broken == nil { judge() }
  }

  private mutating func look() {
    for index in processes.indices where broken == nil {
      need(index, .look)
      settle()
    }
  }

  private mutating func settle() {
    for _ in 0..<600 where broken == nil {
      if let index = processes.indices.first(where: { index in
        processes[index].pending.contains { if case .claim = $0 { holder == nil } else { true } }
      }),
        let place = processes[index].pending.firstIndex(where: { if case .claim = $0 { holder == nil } else { true } })
      {
        elapsed += 0.001
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
    var found = processes[index].machine.session.known?.prepared.number
    if case .session(let known, _, _) = stored, found == nil { found = known.prepared.number }
    if let found {
      let family = server.family(of: found)
      outForGood.insert(family)
      // Of what was put back the process may know the older proof alone.
      if !putBack.contains(family) { outAtServer.insert(family) }
    } else if case .ended(let entry) = stored {
      outForGood.insert(Int(entry.lineage.uuid.0))
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
      case .renew(_, let proof) where rules.hasTokens && chance(50): _ = server.renew(proof, rolls: chance(30))
      default: break
      }
    }
    excuseReturned(old)
    // A sign-out that was owed dies with it.
    if old.machine.ending != nil { outForGood = [] }
    outAtServer = []
    if holder == index { holder = nil }
    started += 1
    processes[index] = Self.process(started, rules)
    excuseLost()
  }

  /// Whether time may pass in which a claim would count as left behind: its writer is not at work.
  var mayJump: Bool {
    processes.allSatisfy { process in
      if process.machine.writing.owesProof { return false }
      switch process.machine.work.stage {
      case nil, .reading, .asking, .claiming, .claimPause, .unclaimed, .lookingAgain: return true
      default: return false
      }
    }
  }

  mutating func cancel(_ index: Int) {
    // The user has taken the sign-in back, and with it what the server has given for it.
    if processes[index].machine.canBeCancelled, processes[index].machine.hasGrant, let kept = processes[index].kept {
      out.insert(server.family(of: kept))
    }
    step(index, .cancelled(OstiaryError(.interactionCancelled, "Cancelled."), .declined))
  }

  mutating func jump() {
    guard mayJump else { return }
    note("time passes")
    elapsed += 120
  }
}
