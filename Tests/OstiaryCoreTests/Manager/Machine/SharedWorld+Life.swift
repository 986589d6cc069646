import Foundation
import OstiaryTesting

@testable import OstiaryCore

// A life, and what must hold at its end.
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
    case 91..<93 where processes[index].machine.session.known == nil:
      need(index, .signIn(byHandler: chance(50)))
    case 93..<95: fault(index)
    case 95: if let last = server.families.indices.last { server.endGrace(last) }
    case 96: cancel(index)
    case 97: step(index, .flush(caller: 0))
    case 98:
      // The store is told of it when it has been told long ago; nothing of the proof is new.
      if let known = processes[index].machine.session.usable { step(index, .used(known.version)) }
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
    need(0, .signIn(byHandler: false))
    settle()
    for _ in 0..<steps where broken == nil {
      happen()
      judgeClaim()
    }
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

  /// A claim goes with its renewal: a process that is at rest has none in the store.
  private mutating func judgeClaim() {
    guard case .session(_, _, let claim?) = stored,
      let process = processes.first(where: { $0.machine.settings.writer == claim.writer })
    else { return }
    if process.pending.isEmpty, process.timers.isEmpty, process.machine.work == .idle {
      broken = broken ?? "a claim stays behind its renewal"
    }
  }

  mutating func judge() {
    if rules.hasTokens,
      let family = outAtServer.first(where: { server.families[$0].isLive && !excused.contains($0) })
    {
      broken = broken ?? "session \(family) lives on at the server after the user signed out"
    }
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

  func of(_ process: Process) -> Int? {
    process.machine.session.known.map { server.family(of: $0.prepared.number) }
  }
}
