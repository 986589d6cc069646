import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import TestSupport

/// Judges a life by one sentence: a session ends only if its server said so of this session, or the user did; no used
/// one-time token is shown while its successor is in the store, in a living process, or on its way to one; when all is
/// quiet no session has been given up that its server still accepts by a value that is in one of these places; and no
/// user's request is answered with another user's data.
struct Referee {
  let life: WholeLife
  private var ledger: Ledger { life.ledger }

  // MARK: While the life goes on

  /// Judges the end of a session as it is told.
  static func judge(_ event: SessionEvent, of process: LifeProcess, layer: Int, in life: WholeLife) {
    let ledger = life.ledger
    let families = ledger.families.indices.filter {
      ledger.families[$0].layer == layer && ledger.families[$0].isEstablished
    }
    let isTop = layer == life.servers.topLayer
    func expect(_ condition: Bool) {
      if !condition {
        ledger.broken.append("P\(process.number).\(layer): a session ended for no reason that counts: \(event)")
      }
    }
    switch event.cause {
    case .requestedByApp: expect(isTop && !life.signOuts.isEmpty)
    case .superseded: expect(families.count > 1)
    case .anotherProcess:
      expect(!life.signOuts.isEmpty || families.count > 1 || families.contains { ledger.families[$0].over != nil })
    case .rejectedByServer, .credentialRefused, .declined:
      // What the process itself showed is what the server must have refused.
      let good = (life.lastShown[process.number] ?? []).filter { value in
        guard let family = ledger.family(of: value), ledger.families[family].layer == layer else { return false }
        return ledger.accepts(value) && ledger.given[value]?.kind != "A" && ledger.families[family].user == event.user
      }
      if !good.isEmpty {
        ledger.broken.append("P\(process.number).\(layer): ended, though the server accepts \(good): \(event)")
      }
    default: expect(false)
    }
  }

  /// Judges the answer to a request of the app.
  /// - Returns: whether it was carried out.
  static func judge(_ text: String, of number: String, in life: WholeLife) -> Bool {
    guard let range = text.range(of: #""owner":""#) else { return false }
    let owner = String(text[range.upperBound...].prefix { $0 != "\"" })
    let users = life.servers.shownFor[number] ?? []
    if users.contains(where: { $0 != owner }) {
      life.ledger.broken.append("request \(number) of \(users) was answered with the data of \(owner)")
    }
    return true
  }

  // MARK: When all is quiet

  func judge() -> [String] {
    heal()
    var broken: [String] = []
    for layer in 0...life.servers.topLayer { broken += judge(layer) }
    broken += orphans()
    if broken.isEmpty, ledger.broken.isEmpty { broken += judgeSignOut() }
    return broken
  }

  private func heal() {
    life.simulation.note("all is well again")
    life.weather.trouble = 0
    life.store.trouble = 0
    life.store.isLocked = false
    life.servers.rolling = 0
    life.servers.flooding = 0
    // What would end while the life is judged ends now.
    life.servers.endOld(within: 7_200)
    openGateway()
    life.declines = 1
    if life.simulation.chance(0.5) { life.simulation.wallOffset = 0 }
    for process in life.processes {
      for manager in process.layers {
        _ = life.finish(Task { try? await manager.flush() })
      }
    }
    // Everything that is owed is done within ten minutes.
    _ = life.simulation.live(horizon: 600, limit: 3_000)
    // A pause that no task sleeps through passes, too.
    life.simulation.pass(60)
  }

  /// Lets the gateway in that had refused the password: what it has ended is begun anew.
  private func openGateway() {
    guard life.servers.isGatewayClosed else { return }
    life.servers.isGatewayClosed = false
    for process in life.processes {
      // A session that the gateway has dropped would still count as signed in.
      _ = life.finish(
        Task {
          _ = await process.layers[0].verify()
          _ = try? await process.layers[0].signIn(with: WholeLife.password("gate"))
        })
    }
  }

  /// The sessions of a layer that must still be there.
  private func required(_ layer: Int) -> [Int] {
    ledger.living(layer).filter { ledger.isAlive($0) && life.shownFamilies.contains($0) && !life.isExcused($0) }
  }

  private func judge(_ layer: Int) -> [String] {
    let isTop = layer == life.servers.topLayer
    let required = required(layer)
    let asked = life.isAsked
    let signIns = life.servers.signIns
    var users: [String?] = []
    for round in 0..<4 {
      users = []
      for process in life.processes {
        let manager = process.layers[layer]
        let isAnswered = Locked(false)
        _ = life.finish(
          Task {
            let answered =
              isTop ? await life.request(process, .get, WholeLife.path(life.kind)) : await Self.check(manager, layer)
            isAnswered.withLock { $0 = answered }
          })
        users.append(isAnswered.withLock { $0 } ? manager.current?.user.id : nil)
      }
      if round < 3, Set(users).count > 1 || users.contains(nil) {
        _ = life.simulation.live(horizon: 600, limit: 3_000)
      } else {
        break
      }
    }
    var broken: [String] = []
    if !required.isEmpty {
      // Where the store was damaged, a process can't know that another has the session.
      if life.damages == 0 ? users.contains(nil) : users.allSatisfy({ $0 == nil }) {
        broken.append("layer \(layer): \(users), though the server accepts F\(required)")
      }
      if life.servers.signIns > signIns, life.damages == 0 {
        broken.append("layer \(layer): signed in again, though the server accepts F\(required)")
      }
      if life.isAsked > asked, life.damages == 0 {
        broken.append("layer \(layer): a person was asked, though the server accepts F\(required)")
      }
    }
    // Without stamps a process learns of another's sign-out when it reads the store or the server refuses it.
    let mayDiffer = life.damages > 0 || (isTop && !life.store.hasStamps && !life.signOuts.isEmpty)
    if Set(users).count > 1, !mayDiffer { broken.append("layer \(layer): the processes disagree: \(users)") }
    for process in life.processes {
      if case .unknown(let error) = process.layers[layer].status {
        broken.append("layer \(layer): left in doubt: \(error)")
      }
    }
    return broken
  }

  private static func check(_ manager: SessionManager, _ layer: Int) async -> Bool {
    guard let request = try? TransportRequest.get(WholeLife.url("/gate\(layer)/check")) else { return false }
    let response = try? await AuthenticatedTransport(manager).send(request)
    return response.map { String(decoding: $0.body, as: UTF8.self).contains("checked") } ?? false
  }

  /// What a server has given whole for a sign-in is used, or ended.
  private func orphans() -> [String] {
    guard life.servers.gates == 0, [.oauth, .pega].contains(life.kind), life.dead.isEmpty, life.damages == 0 else {
      return []
    }
    let places = Set(life.processes.flatMap(\.shown))
    return ledger.families.indices.compactMap { index in
      let family = ledger.families[index]
      guard ledger.isAlive(index), !family.isEndAsked else { return nil }
      // A user's own later sign-in leaves the earlier one: many servers end all of a user's sessions with one.
      // It is that one which a third user's sign-in replaces.
      // What was given first may land later.
      let next = life.shownOrder.drop { $0 != index }.dropFirst().first
      let isReplaced = next.map { ledger.families[$0].user != family.user } ?? false
      let isLeft = life.shownFamilies.contains(index) && !isReplaced
      let isHeld = ledger.values(of: index).contains {
        places.contains($0) || life.isStored($0, life.processes.first?.layers ?? [])
      }
      return isHeld || isLeft ? nil : "F\(index) was given and is neither used nor ended"
    }
  }

  /// Sign-out is the last word.
  private func judgeSignOut() -> [String] {
    let first = life.processes[0]
    // Processes that learn of each other by reading alone may have different sign-ins.
    let families = life.processes.map { Set($0.top.current.map { [$0.version.lineage] } ?? []) }
    guard Set(families).count == 1 else { return [] }
    _ = life.finish(Task { await life.signOut(first) })
    // What is still owed is finished later.
    _ = life.simulation.live(horizon: 600, limit: 3_000)
    var broken: [String] = []
    if first.top.current != nil { broken.append("a session is left after sign-out") }
    if life.store.entries[first.top.key].map({ $0.data != nil && !$0.isEnded }) == true {
      broken.append("a session is stored after sign-out")
    }
    guard life.store.hasStamps else { return broken }
    for process in life.processes {
      let isAnswered = Locked(false)
      _ = life.finish(
        Task {
          let answered = await life.request(process, .get, WholeLife.path(life.kind))
          isAnswered.withLock { $0 = answered }
        })
      // With a credential given up front a process may sign in again.
      if isAnswered.withLock({ $0 }), !life.signsInByItself {
        broken.append("P\(process.number): a request was carried out after sign-out")
      }
    }
    return broken
  }
}
