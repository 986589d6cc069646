import Foundation
import OstiaryTesting

@testable import OstiaryCore

// The store of both, and what writes into it beside them.
extension SharedWorld {
  func data() -> Data? {
    guard let stored, let number = bytes[stored] else { return nil }
    return withUnsafeBytes(of: number) { Data($0) }
  }

  mutating func put(_ new: Stored) {
    if bytes[new] == nil { bytes[new] = bytes.count }
    stored = new
    history.append(new)
  }

  mutating func content() -> StoreContent<TestProof> {
    switch stored {
    case nil: StoreContent(entry: .absent)
    case .ended(let entry): StoreContent(entry: .ended(entry), data: data())
    case .session(let known, let others, let claim):
      StoreContent(entry: .session(read(known), alternatives: read(others, beside: known)), data: data(), claim: claim)
    }
  }

  /// As it comes out of the store.
  private func read(_ known: Known) -> Known {
    var read = self.known(known.prepared.number, known.version, issued: known.issued, begun: known.begun)
    read.trail = known.trail
    return read
  }

  /// The store keeps the jars of the others alone.
  private mutating func read(_ others: [Known], beside known: Known) -> [Known] {
    var version = known.version
    return others.map { other in
      version = version.next
      let proof = server.beside(known.prepared.number, other.prepared.number)
      return self.known(proof, version, issued: known.issued, begun: known.begun)
    }
  }

  func isHeld(_ isWanted: (Int) -> Bool) -> Bool {
    stored?.held.contains(where: isWanted) == true || processes.contains { $0.held.contains(where: isWanted) }
  }

  /// Whether the newest proof of a family is in the store, in a process, or on its way to one.
  func hasNewest(_ family: Int) -> Bool {
    if isHeld({ server.family(of: $0) == family && server.isNewest($0) }) { return true }
    guard !rules.hasTokens else { return false }
    return processes.contains { process in
      process.pending.contains { pending in
        if case .answer(let version, _, let jar?, _) = pending {
          version.lineage == MachineWorld.lineage(UInt8(family & 255)) && server.families[family].jar == jar
        } else {
          false
        }
      }
    }
  }

  /// What can't be saved: the only place that had the newest proof is gone.
  mutating func excuseLost() {
    for (index, family) in server.families.enumerated() where family.isLive && !hasNewest(index) {
      excused.insert(index)
    }
  }

  /// That the server has gone back to a cookie is known to the process alone that was told so, though others have the value.
  mutating func excuseReturned(_ dead: Process) {
    guard rules.returns, let known = dead.machine.session.known else { return }
    let isTold = dead.pending.contains { if case .answer(_, _, _?, _) = $0 { true } else { false } }
    if isTold || dead.machine.writing.owesProof { excused.insert(server.family(of: known.prepared.number)) }
  }

  // MARK: Other writers

  /// Something puts an earlier entry of the stored sign-in back: a backup, or a process that has seen nothing since.
  mutating func putEarlierBack() {
    guard case .session(let known, _, _) = stored else { return }
    let earlier = history.filter { old in
      if case .session(let before, _, _) = old { before.lineage == known.lineage && old != stored } else { false }
    }
    guard let old = earlier.randomElement(using: &random), case .session(let before, let others, _) = old else {
      return
    }
    note("\(before.prepared.number) is put back over \(known.prepared.number)")
    let family = server.family(of: known.prepared.number)
    putBack.insert(family)
    // A sign-out ends what it finds.
    outAtServer.remove(family)
    put(.session(before, others: others, claim: nil))
    excuseLost()
  }

  /// A process of the version before writes the entry as it is, without the time of the sign-in. Where a sign-out found the
  /// store unreadable, it counts for more than a sign-in of which it can't be told whether it came later.
  mutating func writeByOlderVersion() {
    note("the version before writes")
    let family: Int
    switch stored {
    case .session(var known, let others, let claim):
      family = server.family(of: known.prepared.number)
      known.begun = nil
      put(.session(known, others: others, claim: claim))
    case .ended(var entry):
      family = Int(entry.lineage.uuid.0)
      entry.begun = nil
      put(.ended(entry))
    case nil: return
    }
    if processes.contains(where: { $0.machine.ending?.endsBefore != nil }) { out.insert(family) }
  }
}

extension SharedWorld.Stored {
  var held: [Int] {
    guard case .session(let known, let others, _) = self else { return [] }
    return [known.prepared.number] + others.map(\.prepared.number)
  }
}
