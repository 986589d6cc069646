import Foundation
import OstiaryTesting

@testable import OstiaryCore

// What can happen in a world.
extension MachineWorld {
  /// Something that can happen now: what it is called, and what it changes.
  typealias Choice = (label: String, change: (inout MachineWorld) -> Void)

  func after(_ label: String, _ change: @escaping (inout MachineWorld) -> Void) -> Choice { (label, change) }

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
  func results(_ index: Int) -> [Choice] {
    results(of: pending[index]).map { after(index, $0) }
  }

  func after(_ index: Int, _ result: Choice) -> Choice {
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
      ("sign in", .signIn(byHandler: false)),
    ]
    var all = needs.map { label, need in
      after(label) { world in world.call { .needed(need, caller: $0, stamp: nil) } }
    }
    all.append(after("flush") { world in world.call { .flush(caller: $0) } })
    guard let known = machine.session.known else { return all + lateChoices() }
    all.append(
      after("confirm") { world in world.call { .needed(.confirm(known.version), caller: $0, stamp: nil) } })
    all.append(
      after("newer tokens") { world in world.call { .needed(.newer(than: known.tokens), caller: $0, stamp: nil) } })
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
        world.noteRefused(known)
        world.step(.refused(known.version, reason: "401"))
      },
      after("a late refusal") { world in
        let late = ProofVersion(lineage: Self.stranger)
        // Where the stranger's session was taken over, it is no late one.
        if known.version == late { world.noteRefused(known) }
        world.step(.refused(late, reason: "401"))
      },
      after("used") { $0.step(.used(known.version)) },
    ]
  }

  private func userChoices() -> [Choice] {
    var all = [
      after("cancel") { world in
        world.step(.cancelled(OstiaryError(.interactionCancelled, "Cancelled."), .declined))
      }
    ]
    if machine.signOut == nil { all.append(after("a sign-out begins") { $0.step(.signingOut) }) }
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
}
