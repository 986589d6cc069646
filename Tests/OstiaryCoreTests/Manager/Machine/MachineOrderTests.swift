import Foundation
import Testing

@testable import OstiaryCore

/// Orders in which a session or a sign-out was lost once, found by reading.
@Suite("The machine in rare orders") struct MachineOrderTests {
  private typealias Known = KnownSession<TestProof>

  private func session(
    _ number: Int, _ lineage: UUID = MachineWorld.first, revision: UInt64, user: String = "ann", lifetime: Double? = 10,
    issued: Double = 0, begun: Double = 0, tokens: UInt8
  ) -> Known {
    MachineWorld.known(
      number, lineage, revision: revision, user: user, lifetime: lifetime, issued: MachineWorld.moment(issued),
      begun: MachineWorld.moment(begun), tokens: tokens)
  }

  @Test("L31: sign-out while a renewal's result is written, after two cookies", arguments: [1, 2])
  func signOutWhileSaving(cookies: Int) throws {
    let old = session(1, revision: 0, tokens: 1)
    var probe = MachineProbe()
    probe.step(.renewed(try probe.renewing(old)))
    let new = session(2, revision: 1, lifetime: 100, issued: 20, tokens: 2)
    probe.step(.prepared(try probe.ticket(), new))
    let save = try probe.ticket()
    var last = old
    for number in 0..<cookies {
      let next = session(10 + number, revision: last.version.revision + 1, tokens: 1)
      probe.cookie(next, over: last)
      last = next
    }
    probe.step(.signedOutHere(caller: 12))
    var told = probe.endsAtServer
    let wasDiscarded = probe.discards
    probe.step(.written(save, MachineWorld.data(new), nil))
    told += probe.endsAtServer
    try probe.read(new)
    told += probe.endsAtServer
    probe.step(.written(try probe.ticket(), Data("ended".utf8), nil))
    told += probe.endsAtServer
    #expect(!wasDiscarded)
    #expect(told.first?.digest == new.digest, "told: \(told.map(\.prepared.number))")
  }

  @Test("L32: sign-out with renewed tokens unsaved, and another process's cookie on the used ones in the store")
  func signOutUnsaved() throws {
    let old = session(1, revision: 0, tokens: 1)
    var probe = MachineProbe()
    probe.step(.renewed(try probe.renewing(old)))
    let new = session(2, revision: 1, lifetime: 100, issued: 20, tokens: 2)
    probe.step(.prepared(try probe.ticket(), new))
    probe.fail(try probe.ticket())
    probe.step(.signedOutHere(caller: 12))
    var told = probe.endsAtServer
    try probe.read(session(10, revision: 5, tokens: 1))
    told += probe.endsAtServer
    probe.step(.written(try probe.ticket(), Data("ended".utf8), nil))
    told += probe.endsAtServer
    #expect(told.first?.digest == new.digest, "told: \(told.map(\.prepared.number))")
  }

  /// Two machines at one store, each looking in turn; what they write is written.
  private func alternate(
    _ probes: inout [MachineProbe], _ put: Known, from: Int, rounds: Int = 20
  ) throws -> (writes: Int, numbers: [Int]) {
    var content = MachineProbe.content(put)
    var count = 0
    var caller: UInt64 = 1000
    var history: [Int] = []
    for round in 0..<rounds {
      let index = (from + round) % 2
      caller += 1
      probes[index].step(.needed(.look, caller: caller, stamp: nil))
      probes[index].step(.storeRead(try probes[index].ticket(), content))
      while let (ticket, known, others) = probes[index].actions.lazy.compactMap({ action -> (Ticket, Known, [Known])? in
        if case .save(let ticket, let known, let others, _, _) = action { (ticket, known, others) } else { nil }
      }).first {
        count += 1
        history.append(known.prepared.number)
        content = MachineProbe.content(known, others: others)
        probes[index].step(.written(ticket, MachineWorld.data(known), nil))
      }
    }
    return (count, history)
  }

  /// One that has renewed from tokens 1 to 2, and one that has read the newer ones only.
  private func renewerAndReader() throws -> ([MachineProbe], Known) {
    let old = session(1, revision: 0, tokens: 1)
    var renewer = MachineProbe()
    renewer.step(.renewed(try renewer.renewing(old)))
    let new = session(2, revision: 1, lifetime: 1_000, issued: 20, tokens: 2)
    renewer.step(.prepared(try renewer.ticket(), new))
    try renewer.written(new)
    var reader = MachineProbe()
    reader.elapsed = 21
    reader.step(.needed(.restore, caller: 1, stamp: nil))
    try reader.read(new)
    return ([renewer, reader], new)
  }

  @Test(
    "L33: used tokens put back (a damaged entry, a backup), read first by a process that has not seen them used",
    arguments: [UInt64(0), 1, 9])
  func putBack(revision: UInt64) throws {
    var (probes, new) = try renewerAndReader()
    let (writes, numbers) = try alternate(
      &probes, session(1, revision: revision, lifetime: 1_000, tokens: 1), from: 1)
    #expect(writes <= 3, "\(numbers)")
    #expect(probes.map { $0.machine.session.known?.tokens } == [new.tokens, new.tokens])
  }

  @Test("L34: a server that takes a cookie away again: two machines with the same two jars")
  func toggledCookie() throws {
    let first = session(1, revision: 0, lifetime: nil, tokens: 0)
    var one = MachineProbe()
    one.step(.needed(.restore, caller: 1, stamp: nil))
    try one.read(first)
    let second = session(2, revision: 1, lifetime: nil, tokens: 0)
    one.cookie(second, over: first)
    try one.written(second)
    var two = MachineProbe()
    two.step(.needed(.restore, caller: 1, stamp: nil))
    try two.read(second)
    // The server takes the second cookie away: the jar is the first one again.
    let third = session(1, revision: 2, lifetime: nil, tokens: 0)
    two.cookie(third, over: second)
    try two.written(third)
    var probes = [one, two]
    let (writes, numbers) = try alternate(&probes, third, from: 0)
    #expect(writes <= 3, "\(numbers)")
  }

  @Test("L35: a refusal of another sign-in, which had taken this one's place, met during a renewal")
  func refusalOfAnotherSignIn() throws {
    let old = session(1, revision: 0, tokens: 1)
    var probe = MachineProbe()
    let renewal = try probe.renewing(old)
    let cookie = session(3, revision: 1, tokens: 1)
    probe.cookie(cookie, over: old)
    probe.step(.writeFailed(try probe.ticket(), .storeConflict))
    let ben = session(60, MachineWorld.stranger, revision: 0, user: "ben", begun: 15, tokens: 9)
    probe.step(.storeRead(try probe.ticket(), MachineProbe.ended(MachineWorld.stranger, refused: [ben], begun: 15)))
    probe.step(.failed(renewal, Failure(error: OstiaryError(.serverUnavailable, "Later."), mayRepeat: false)))
    #expect(probe.machine.session.known == nil, "ben's sign-in had taken ann's place")
    probe.elapsed += 1000
    probe.step(.needed(.ensure(.neededByRequest, failures: nil), caller: 9, stamp: nil))
    let content = MachineProbe.ended(MachineWorld.stranger, refused: [ben], begun: 15)
    probe.step(.storeRead(try probe.ticket(), content))
    #expect(!probe.saves, "ann is put back into the store")
    #expect(probe.woke(9) == false)
  }

  /// A machine that owes a sign-out of the first session to the store, and a later sign-in that could not be written.
  private func owing(signsOut: Bool) throws -> (MachineProbe, Known, Known) {
    let first = session(1, revision: 0, lifetime: signsOut ? nil : 10, tokens: 0)
    var probe = MachineProbe()
    probe.step(.needed(.restore, caller: 1, stamp: nil))
    try probe.read(first)
    probe.elapsed = 20
    if signsOut {
      probe.step(.signedOutHere(caller: 2))
      try probe.read(first)
      probe.fail(try probe.ticket())
    }
    probe.step(.needed(.signIn(byHandler: false), caller: 11, stamp: nil))
    try probe.read(first)
    probe.step(.claimed(try probe.ticket()))
    try probe.read(first)
    probe.step(.exchanged(try probe.ticket(), isIdentified: true))
    let new = session(70, MachineWorld.lineage(7), revision: 0, lifetime: nil, issued: 20, begun: 20, tokens: 0)
    probe.step(.prepared(try probe.ticket(), new))
    probe.fail(try probe.ticket())
    return (probe, first, new)
  }

  /// The server refuses the session, and its renewal.
  private func refuse(_ probe: inout MachineProbe, _ own: Known, store first: Known) throws {
    probe.step(.refused(own.version, reason: "401"))
    probe.step(.needed(.ensure(.rejectedByServer, failures: nil), caller: 12, stamp: nil))
    try probe.read(first)
    probe.step(.claimed(try probe.ticket()))
    try probe.read(first)
    try probe.written(own)
    probe.refuse(try probe.ticket())
    try probe.read(first)
  }

  @Test("L36: a sign-out that is owed, a refused sign-in, a late cookie for that, and its refusal again")
  func takenUpAgain() throws {
    var (probe, first, own) = try owing(signsOut: true)
    try refuse(&probe, own, store: first)
    try probe.read(first)
    #expect(probe.endedEntry?.lineage == first.lineage)
    probe.fail(try probe.ticket())
    let cookie = session(71, MachineWorld.lineage(7), revision: 1, lifetime: nil, issued: 20, begun: 20, tokens: 0)
    probe.step(.changed(cookie, over: own, isProof: true, shown: own.digest, waiter: nil))
    #expect(probe.machine.session.usable?.digest == cookie.digest)
    probe.fail(try probe.ticket())
    try refuse(&probe, cookie, store: first)
    try probe.read(first)
    #expect(probe.endedEntry?.lineage == first.lineage, "the user has signed out of it")
  }

  @Test("L38: an unsaved sign-in that took another's place is refused: the replaced one is in the store still")
  func replacedInStore() throws {
    var (probe, first, own) = try owing(signsOut: false)
    try refuse(&probe, own, store: first)
    try probe.read(first)
    #expect(probe.endedEntry != nil)
  }

  @Test("L37: a refusal in the store of the sign-in that is known here is no earlier sign-out's")
  func refusalOfTheKnown() throws {
    var probe = MachineProbe()
    probe.elapsed = 10
    probe.step(.signedOutHere(caller: 1))
    probe.step(.storeUnavailable(try probe.ticket(), OstiaryError(.storeUnavailable, "Locked.")))
    probe.elapsed = 30
    let later = session(2, revision: 0, lifetime: nil, issued: 20, begun: 20, tokens: 0)
    probe.step(.needed(.look, caller: 2, stamp: nil))
    try probe.read(later)
    #expect(probe.machine.session.usable?.digest == later.digest)
    let cookie = session(3, revision: 1, lifetime: nil, issued: 20, begun: 20, tokens: 0)
    probe.cookie(cookie, over: later)
    probe.step(.writeFailed(try probe.ticket(), .storeConflict))
    // A process of the version before was refused the older proof.
    let content = MachineProbe.ended(later.lineage, refused: [later])
    probe.step(.storeRead(try probe.ticket(), content))
    if let reading = probe.readTicket {
      probe.step(.storeRead(reading, content))
      #expect(probe.endedEntry == nil, "a sign-out of what the user signed in to later")
    }
    #expect(probe.machine.session.usable?.digest == cookie.digest)
  }

  @Test("L39: another jar that the store shows beside the one that was ended at the server is ended, too")
  func otherAfterReport() throws {
    let known = session(1, revision: 0, tokens: 0)
    var probe = MachineProbe()
    probe.step(.needed(.restore, caller: 1, stamp: nil))
    try probe.read(known)
    probe.step(.signedOutHere(caller: 2))
    let reading = try probe.ticket()
    probe.step(.timePassed(.signOut))
    #expect(probe.endsAtServer.map(\.digest) == [known.digest])
    let other = session(2, revision: 4, tokens: 0)
    probe.step(
      .storeRead(
        reading,
        MachineProbe.content(known.revised(ProofVersion(lineage: MachineWorld.first, revision: 3)), others: [other])))
    var told = probe.endsAtServer
    probe.step(.written(try probe.ticket(), Data("ended".utf8), nil))
    told += probe.endsAtServer
    #expect(told.map(\.digest) == [other.digest])
  }

  @Test("L40: newer proof of a refused session after a sign-out, with a look between", arguments: [false, true])
  func newerProofAfterLook(looks: Bool) throws {
    let old = session(1, revision: 0, tokens: 0)
    let newer = session(3, revision: 1, lifetime: nil, issued: 1, tokens: 0)
    var probe = MachineProbe()
    probe.refuse(try probe.renewing(old))
    try probe.read(old)
    try probe.read(old)
    probe.step(.written(try probe.ticket(), Data("ended".utf8), nil))
    probe.step(.signedOutHere(caller: 12))
    var told: [Known] = []
    if looks {
      probe.step(.storeUnavailable(try probe.ticket(), OstiaryError(.storeUnavailable, "Locked.")))
      probe.step(.needed(.look, caller: 13, stamp: nil))
      probe.step(.storeRead(try probe.ticket(), MachineProbe.ended(old.lineage, refused: [old], begun: 0)))
    }
    // Meanwhile another process, whose proof was accepted, has put that back.
    try probe.read(newer)
    told += probe.endsAtServer
    #expect(probe.endedEntry?.refused.isEmpty == true)
    probe.step(.written(try probe.ticket(), Data("ended".utf8), nil))
    told += probe.endsAtServer
    #expect(told.map(\.digest) == [newer.digest])
  }

  @Test("L41: a sign-in that takes another's place does not carry on the claim of that one's renewal")
  func claimOfTheReplaced() throws {
    let own = session(70, MachineWorld.lineage(7), revision: 0, lifetime: nil, issued: 20, begun: 20, tokens: 7)
    var probe = try MachineProbe.signedInUnsaved(own)
    probe.step(.timePassed(.writing))
    probe.step(.writeFailed(try probe.ticket(), .storeConflict))
    let claim = RenewalClaim(writer: MachineWorld.stranger, process: nil, number: 1, bound: 90)
    try probe.read(session(1, revision: 0, tokens: 1), claim: claim)
    let saved = probe.actions.compactMap { action -> RenewalClaim?? in
      if case .save(_, own, _, let claim, _) = action { claim } else { nil }
    }
    #expect(saved == [nil])
  }

  @Test("L42: newer proof of a refused session that the store shows in the midst of a sign-out is ended at the server")
  func newerProofAmidSignOut() throws {
    let old = session(1, revision: 0, tokens: 0)
    let newer = session(3, revision: 1, lifetime: nil, tokens: 0)
    var probe = MachineProbe()
    probe.refuse(try probe.renewing(old))
    try probe.read(old)
    let reading = try probe.ticket()
    probe.step(.signedOutHere(caller: 12))
    probe.step(.storeRead(reading, MachineProbe.content(old)))
    // Another process, whose proof is newer, has written meanwhile.
    probe.step(.writeFailed(try probe.ticket(), .storeConflict))
    try probe.read(newer)
    var told = probe.endsAtServer
    probe.step(.written(try probe.ticket(), Data("ended".utf8), nil))
    told += probe.endsAtServer
    #expect(told.map(\.digest) == [newer.digest])
  }

  @Test("L43: a cookie that the server went back to is kept beside the one that it had given for it")
  func wentBack() throws {
    let first = session(1, revision: 0, lifetime: nil, tokens: 0)
    let second = session(2, revision: 1, lifetime: nil, tokens: 0)
    var probe = MachineProbe()
    probe.step(.needed(.restore, caller: 1, stamp: nil))
    try probe.read(first)
    probe.cookie(second, over: first)
    try probe.written(second)
    // Another process was given the first cookie for the second one.
    probe.step(.needed(.look, caller: 2, stamp: nil))
    try probe.read(first.revised(ProofVersion(lineage: MachineWorld.first, revision: 2)))
    let others = probe.actions.compactMap { action -> [ProofDigest]? in
      if case .save(_, _, let others, _, _) = action { others.map(\.digest) } else { nil }
    }
    #expect(others == [[first.digest]])
  }

  @Test("L43: a cookie that the server went back to is gone on with where the unwritten one is refused")
  func wentBackAndRefused() throws {
    let first = session(1, revision: 0, lifetime: nil, tokens: 0)
    let second = session(2, revision: 1, lifetime: nil, tokens: 0)
    var probe = MachineProbe()
    probe.step(.needed(.restore, caller: 1, stamp: nil))
    try probe.read(first)
    probe.cookie(second, over: first)
    let saving = try probe.ticket()
    probe.step(.refused(second.version, reason: "401"))
    probe.step(.writeFailed(saving, .storeConflict))
    try probe.read(first.revised(ProofVersion(lineage: MachineWorld.first, revision: 2)))
    #expect(probe.machine.session.usable?.digest == first.digest)
  }

  @Test("L44: a cookie that something puts back does not take the place of one that was adopted since")
  func putBackCookie() throws {
    let first = session(1, revision: 1, lifetime: nil, tokens: 0)
    let second = session(2, revision: 3, lifetime: nil, tokens: 0)
    var probe = MachineProbe()
    probe.step(.needed(.restore, caller: 1, stamp: nil))
    try probe.read(first)
    probe.step(.needed(.look, caller: 2, stamp: nil))
    try probe.read(second)
    probe.step(.needed(.look, caller: 3, stamp: nil))
    try probe.read(first)
    #expect(probe.machine.session.usable?.digest == second.digest)
    #expect(probe.saves)
  }

  @Test(
    "L45: a sign-out ends what was not written yet and what another process was given at once",
    arguments: [UInt64(0), 1, 4])
  func unwrittenAtSignOut(revision: UInt64) throws {
    let first = session(1, revision: 0, lifetime: nil, tokens: 0)
    let own = session(2, revision: 1, lifetime: nil, tokens: 0)
    let other = session(3, revision: revision, lifetime: nil, tokens: 0)
    var probe = MachineProbe()
    probe.step(.needed(.restore, caller: 1, stamp: nil))
    try probe.read(first)
    probe.cookie(own, over: first)
    let saving = try probe.ticket()
    probe.step(.signedOutHere(caller: 12))
    probe.step(.writeFailed(saving, .storeConflict))
    try probe.read(other)
    probe.step(.written(try probe.ticket(), Data("ended".utf8), nil))
    #expect(Set(probe.endsAtServer.map(\.digest)) == [own.digest, other.digest])
  }
}
