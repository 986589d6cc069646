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
      let content = content()
      reply(index, .result(.storeRead(ticket, content)))
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
      reply(index, .given(ticket, proof, isRenewal: false))
    case .identify(let ticket):
      if fails { return reply(index, .result(.failed(ticket, Failure(error: down(mayHaveExecuted: false))))) }
      guard let kept = processes[index].kept, now.seconds(since: given[kept] ?? now) < 100 else {
        // It is over at the server, too.
        if let kept = processes[index].kept { server.revoke(server.family(of: kept)) }
        return reply(index, .result(.failed(ticket, Failure(error: OstiaryError(.invalidCredentials, "Too old.")))))
      }
      reply(index, .result(.exchanged(ticket, isIdentified: true)))
    case .renew(let ticket, let proof): renew(index, ticket, proof, fails: fails)
    case .request(let proof, let version, let verifies):
      if fails { return reply(index, .answer(version, isAccepted: true, jar: nil, verifies: verifies)) }
      let back = rules.returns && chance(40) ? Int.random(in: 0..<8, using: &random) : nil
      let (isAccepted, jar) = server.answer(proof, rolls: chance(isSettling ? 0 : 40), back: back)
      note("    the server \(isAccepted ? "accepts" : "refuses") \(proof), jar \(jar ?? 0)")
      reply(index, .answer(version, isAccepted: isAccepted, jar: jar, verifies: verifies))
    case .prepare(let ticket, let base, let over, let isRenewal):
      guard let kept = processes[index].kept else {
        return step(index, .failed(ticket, Failure(error: SessionMachine<TestProof>.signedOutMeanwhile)))
      }
      let fresh = ProofVersion(lineage: MachineWorld.lineage(UInt8(server.family(of: kept) & 255)))
      let renewed = isRenewal ? over : nil
      let proof = renewed.map { merge(kept, base ?? $0, $0) } ?? kept
      let issued = given[kept] ?? now
      reply(
        index,
        .result(
          .prepared(
            ticket,
            known(proof, renewed?.version.next ?? fresh, issued: issued, begun: renewed.map(\.begun) ?? issued))))
    case .result(let input): step(index, input)
    case .given(let ticket, let proof, let isRenewal):
      guard processes[index].machine.workTicket == ticket else { return discard(proof) }
      if let earlier = processes[index].kept, earlier != proof { discard(earlier) }
      processes[index].kept = proof
      given[proof] = now
      saw(proof, index)
      step(index, isRenewal ? .renewed(ticket) : .exchanged(ticket, isIdentified: chance(70)))
    case .answer(let version, let isAccepted, let jar, let verifies):
      absorb(index, version, isAccepted, jar, verifies)
    }
  }

  private mutating func reply(_ index: Int, _ reply: Pending) { processes[index].pending.append(reply) }

  /// What a renewal gave, with the jar that another answer has brought meanwhile, unless the renewal brought one.
  private mutating func merge(_ kept: Int, _ base: Known, _ over: Known) -> Int {
    let (given, before, meanwhile) = (server[kept], server[base.prepared.number], server[over.prepared.number])
    guard given.jar == before.jar else { return kept }
    return meanwhile.jar == given.jar ? kept : server.beside(kept, over.prepared.number)
  }

  mutating func renew(_ index: Int, _ ticket: Ticket, _ proof: Int, fails: Bool) {
    let lost = OstiaryError(.cannotConnect, "Down.", requestMayHaveExecuted: true)
    guard rules.hasTokens else { return reply(index, .result(.notRenewable(ticket))) }
    // The request or its answer is lost.
    if fails, chance(50) { return reply(index, .result(.failed(ticket, Failure(error: lost)))) }
    switch server.renew(proof, rolls: !isSettling && chance(30)) {
    case .given(let new):
      guard fails else { return reply(index, .given(ticket, new, isRenewal: true)) }
      reply(index, .result(.failed(ticket, Failure(error: lost))))
      excuseLost()
    case .refused: reply(index, .result(.failed(ticket, Failure(error: OstiaryError(.invalidCredentials, "No.")))))
    case .reused:
      judgeUsed(index, proof)
      reply(index, .result(.failed(ticket, Failure(error: OstiaryError(.invalidCredentials, "No.")))))
    }
  }

  private mutating func absorb(
    _ index: Int, _ version: ProofVersion, _ isAccepted: Bool, _ jar: Int?, _ verifies: Ticket?
  ) {
    if verifies == nil { processes[index].requests -= 1 }
    let machine = processes[index].machine
    if let jar, let base = machine.session.changeable, base.lineage == version.lineage {
      change(index, base, to: jar, shown: version)
    }
    if let verifies { return step(index, .verified(verifies, isValid: isAccepted, reason: "401")) }
    if isAccepted { return step(index, .accepted(version)) }
    if chance(30) { return need(index, .confirm(version)) }
    step(index, .refused(version, reason: "401"))
    need(index, .ensure(.rejectedByServer, failures: nil))
  }

  private mutating func change(_ index: Int, _ base: Known, to jar: Int, shown: ProofVersion) {
    let before = server[base.prepared.number]
    // An answer that sets what is known already is no news to the driver, though the server may have gone back to it.
    guard before.jar != jar else {
      excused.insert(before.family)
      return
    }
    let proof = server.proof(.init(family: before.family, tokens: before.tokens, jar: jar))
    var next = known(proof, base.version.next, issued: base.issued, begun: base.begun)
    next.isAccepted = true
    processes[index].lastCaller += 1
    step(
      index,
      .changed(
        next, over: base, isProof: true, shown: base.version == shown ? base.digest : nil,
        waiter: processes[index].lastCaller))
  }
}
