import Foundation
import OstiaryTesting

@testable import OstiaryCore

// What the actions that are under way lead to.
extension SharedWorld {
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
      // The driver keeps a grant of the same credential whose user is not known yet.
      if processes[index].machine.hasGrant, processes[index].kept != nil, chance(50) {
        return reply(index, .result(.exchanged(ticket, isIdentified: false, isKept: true)))
      }
      // The new sign-in replaces what was there.
      excused.formUnion(server.families.indices)
      let proof = server.signIn(user)
      given[proof] = elapsed
      reply(index, .given(ticket, proof, isRenewal: false))
    case .identify(let ticket):
      if fails { return reply(index, .result(.failed(ticket, Failure(error: down(mayHaveExecuted: false))))) }
      guard let kept = processes[index].kept, elapsed - given[kept, default: elapsed] < 100 else {
        return reply(index, .result(.failed(ticket, Failure(error: OstiaryError(.invalidCredentials, "Too old.")))))
      }
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
        index,
        .result(
          .prepared(
            ticket,
            known(
              kept, (isRenewal ? over?.version.next : nil) ?? fresh, issued: now,
              begun: isRenewal && over != nil ? over?.begun : now))))
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

  mutating func renew(_ index: Int, _ ticket: Ticket, _ proof: Int, fails: Bool) {
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
    if let new, let base = machine.session.changeable, base.lineage == version.lineage {
      var next = known(new, base.version.next, issued: base.issued, begun: base.begun)
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
}
