import OstiaryTesting

@testable import OstiaryCore

// What must hold in a life, and at its end.
extension SharedWorld {
  /// A claim goes with its renewal: a process that is at rest has none in the store.
  mutating func judgeClaim() {
    guard case .session(_, _, let claim?) = stored,
      let process = processes.first(where: { $0.machine.settings.writer == claim.writer })
    else { return }
    if process.pending.isEmpty, process.timers.isEmpty, process.machine.work == .idle {
      broken = broken ?? "a claim stays behind its renewal"
    }
  }

  /// Used tokens are shown. A process that has not had their successor can't know that something else has put them back.
  mutating func judgeUsed(_ index: Int, _ proof: Int) {
    let family = server.family(of: proof)
    if out.contains(family) { return }
    if putBack.contains(family), processes[index].seen[family, default: 0] <= server[proof].tokens {
      excused.insert(family)
    } else if hasNewest(family) {
      broken = broken ?? "\(index) shows the used token \(proof), whose successor is at hand"
    } else if !excused.contains(family) {
      broken = broken ?? "\(index) shows the used token \(proof), whose successor was dropped"
    }
  }

  mutating func judge() {
    // A cookie that the server goes back to with a late answer can't be told from the one that was ended.
    if !rules.returns, let family = outAtServer.first(where: { server.families[$0].isLive && !excused.contains($0) }),
      let proof = landed.first(where: { server.family(of: $0) == family && server.isNewest($0) && !told.contains($0) })
    {
      broken = broken ?? "session \(family) lives on at the server by \(proof) after the user signed out"
    }
    for (family, state) in server.families.enumerated() {
      if outForGood.contains(family), processes.contains(where: { of($0) == family }) {
        broken = broken ?? "session \(family) is back after the user signed out"
      }
      guard state.isLive, !out.contains(family), !excused.contains(family) else { continue }
      if !isHeld({ server.family(of: $0) == family && server.goesOn(with: $0) }) {
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
