import Foundation
import Testing

@testable import OstiaryCore

/// Sign-outs that meet what other processes do at the same moment.
@Suite("The machine's sign-outs among processes") struct MachineSignOutTests {
  private typealias Known = KnownSession<TestProof>

  /// A session whose sign-in was made at one time and whose proof was given at another.
  private func session(_ number: Int, revision: UInt64, begun: Double?, issued: Double) -> Known {
    var known = MachineWorld.known(number, MachineWorld.first, revision: revision, issued: MachineWorld.moment(issued))
    known.begun = begun.map(MachineWorld.moment)
    return known
  }

  @Test(
    "L21: a sign-out without a session here ends a sign-in that was made before, also when another process has renewed it since",
    arguments: [(5.0, true), (nil, true), (15, false)])
  func renewedMeanwhile(begun: Double?, isEnded: Bool) throws {
    var probe = MachineProbe()
    probe.elapsed = 10
    probe.step(.signedOutHere(caller: 1))
    probe.elapsed = 20
    let found = session(2, revision: 1, begun: begun, issued: 19)
    try probe.read(found)
    #expect((probe.endedEntry != nil) == isEnded)
    guard isEnded else { return }
    probe.step(.written(try probe.ticket(), Data("ended".utf8), nil))
    #expect(probe.endsAtServer.map(\.digest) == [found.digest])
  }

  @Test("L21: the time of the sign-in is kept where a process of the version before leaves it out")
  func begunIsKept() throws {
    var probe = MachineProbe()
    probe.step(.needed(.restore, caller: 1, stamp: nil))
    try probe.read(session(1, revision: 0, begun: 3, issued: 3))
    probe.step(.needed(.look, caller: 2, stamp: nil))
    try probe.read(session(2, revision: 1, begun: nil, issued: 8))
    #expect(probe.machine.session.known?.begun == MachineWorld.moment(3))
    #expect(probe.machine.session.known?.issued == MachineWorld.moment(8))
  }

  @Test("L22: a sign-out ends the newest proof at the server also where the session had others beside it")
  func newestWithOthers() throws {
    let (known, other, third) = (
      session(1, revision: 4, begun: 0, issued: 0), session(2, revision: 5, begun: 0, issued: 0),
      session(3, revision: 6, begun: 0, issued: 0)
    )
    var probe = MachineProbe()
    probe.step(.needed(.restore, caller: 1, stamp: nil))
    try probe.read(known, others: [other, third])
    probe.step(.signedOutHere(caller: 2))
    // Another process has renewed the session meanwhile.
    let newer = session(9, revision: 5, begun: 0, issued: 1)
    try probe.read(newer)
    probe.step(.written(try probe.ticket(), Data("ended".utf8), nil))
    #expect(probe.endsAtServer.map(\.digest) == [newer.digest])
  }

  @Test("L23: newer proof that the store shows after the sign-out was reported is ended at the server, too, once")
  func afterReport() throws {
    let known = session(1, revision: 0, begun: 0, issued: 0)
    var probe = MachineProbe()
    probe.step(.needed(.restore, caller: 1, stamp: nil))
    try probe.read(known)
    probe.step(.signedOutHere(caller: 2))
    let reading = try probe.ticket()
    // The store does not answer in time: who signed out is told.
    probe.step(.timePassed(.signOut))
    #expect(probe.endsAtServer.map(\.digest) == [known.digest])
    let newer = session(2, revision: 1, begun: 0, issued: 1)
    probe.step(.storeRead(reading, MachineProbe.content(newer)))
    probe.step(.written(try probe.ticket(), Data("ended".utf8), nil))
    #expect(probe.endsAtServer.map(\.digest) == [newer.digest])
  }

  @Test("L23: what was ended at the server already is not ended again")
  func notTwice() throws {
    let known = session(1, revision: 0, begun: 0, issued: 0)
    var probe = MachineProbe()
    probe.step(.needed(.restore, caller: 1, stamp: nil))
    try probe.read(known)
    probe.step(.signedOutHere(caller: 2))
    let reading = try probe.ticket()
    probe.step(.timePassed(.signOut))
    probe.step(.storeRead(reading, MachineProbe.content(known.revised(known.version.next))))
    probe.step(.written(try probe.ticket(), Data("ended".utf8), nil))
    #expect(probe.endsAtServer.isEmpty)
  }

  @Test("L24: a sign-out after a refusal is a sign-out in the store, for every proof of the sign-in")
  func afterRefusalHere() throws {
    let old = MachineWorld.known(1, MachineWorld.first, revision: 0, lifetime: 10)
    var probe = MachineProbe()
    probe.refuse(try probe.renewing(old))
    try probe.read(old)
    try probe.read(old)
    probe.step(.written(try probe.ticket(), Data("refused".utf8), nil))
    probe.step(.signedOutHere(caller: 3))
    probe.step(.storeRead(try probe.ticket(), MachineProbe.ended(MachineWorld.first, refused: [old])))
    #expect(probe.endedEntry?.lineage == MachineWorld.first)
    #expect(probe.endedEntry?.refused.isEmpty == true)
  }

  @Test(
    "L24: a sign-out in a process that knows no session is one also where the store has a refusal",
    arguments: [(5.0, true), (nil, true), (15, false)])
  func refusalUnread(begun: Double?, isEnded: Bool) throws {
    var probe = MachineProbe()
    probe.elapsed = 10
    probe.step(.signedOutHere(caller: 1))
    probe.elapsed = 20
    probe.step(
      .storeRead(
        try probe.ticket(),
        MachineProbe.ended(MachineWorld.first, refused: [session(1, revision: 0, begun: 0, issued: 0)], begun: begun)))
    #expect((probe.endedEntry != nil) == isEnded)
    #expect(probe.endedEntry?.refused.isEmpty != false)
  }

  @Test("L24: also where a sign-in that follows has read the store first")
  func refusalReadBySignIn() throws {
    var probe = MachineProbe()
    probe.elapsed = 10
    probe.step(.signedOutHere(caller: 1))
    probe.step(.storeUnavailable(try probe.ticket(), OstiaryError(.storeUnavailable, "Locked.")))
    probe.step(.needed(.signIn(byHandler: false), caller: 2, stamp: nil))
    let found = MachineProbe.ended(
      MachineWorld.first, refused: [session(1, revision: 0, begun: 0, issued: 0)], begun: 0)
    probe.step(.storeRead(try probe.ticket(), found))
    probe.step(.storeRead(try #require(probe.readTicket), found))
    #expect(probe.endedEntry?.refused.isEmpty == true)
  }

  @Test(
    "L30: what only this process knows of is ended at the server when another one has signed out",
    arguments: [true, false])
  func unsavedAtSignOutElsewhere(byRefusal: Bool) throws {
    let old = MachineWorld.known(1, MachineWorld.first, revision: 0, lifetime: 10, tokens: 1)
    let new = MachineWorld.known(2, MachineWorld.first, revision: 1, lifetime: 100, tokens: 2)
    var probe = MachineProbe()
    probe.step(.renewed(try probe.renewing(old)))
    probe.step(.prepared(try probe.ticket(), new))
    probe.fail(try probe.ticket())
    probe.step(.timePassed(.writing))
    probe.step(.writeFailed(try probe.ticket(), .storeConflict))
    probe.step(
      .storeRead(
        try probe.ticket(), MachineProbe.ended(old.lineage, refused: byRefusal ? [old, new] : [])))
    #expect(probe.machine.session.known == nil)
    #expect(probe.endsAtServer.map(\.digest) == (byRefusal ? [] : [new.digest]))
  }

  @Test("Bug-F28: a sign-out ends what it was about when it began, and no sign-in of the same user since")
  func newSignInMeanwhile() throws {
    let known = session(1, revision: 0, begun: 0, issued: 0)
    let new = MachineWorld.known(2, MachineWorld.lineage(7), revision: 0, issued: MachineWorld.moment(15))
    var probe = MachineProbe()
    probe.step(.needed(.restore, caller: 1, stamp: nil))
    try probe.read(known)
    probe.elapsed = 10
    probe.step(.signingOut)
    probe.elapsed = 20
    probe.step(.needed(.look, caller: 2, stamp: nil))
    try probe.read(new)
    #expect(probe.machine.session.known == nil && probe.woke(2) == false)
    probe.step(.signedOutHere(caller: 3))
    try probe.read(new)
    #expect(probe.endedEntry == nil)
    #expect(probe.endsAtServer.map(\.digest) == [known.digest])
  }

  @Test(
    "Bug-F28: a sign-out without a session here ends what was there when it began",
    arguments: [(5.0, true), (15, false)])
  func unreadWhenBegun(begun: Double, isEnded: Bool) throws {
    var probe = MachineProbe()
    probe.elapsed = 10
    probe.step(.signingOut)
    probe.elapsed = 20
    probe.step(.signedOutHere(caller: 1))
    try probe.read(session(2, revision: 0, begun: begun, issued: begun))
    #expect((probe.endedEntry != nil) == isEnded)
  }

  @Test("Bug-F28: what is given late does not land on the same user's new sign-in", arguments: [false, true])
  func lateGrant(isBeingWritten: Bool) throws {
    var probe = MachineProbe(source: .upFront)
    probe.step(.needed(.ensure(.neededByRequest, failures: nil), caller: 1, stamp: nil))
    try probe.readNothing()
    probe.step(.claimed(try probe.ticket()))
    try probe.readNothing()
    guard isBeingWritten else {
      let exchange = try probe.ticket()
      probe.step(.signingOut)
      #expect(probe.discards && probe.woke(1) == false)
      probe.step(.exchanged(exchange, isIdentified: true))
      return #expect(!probe.prepares && probe.machine.work == .idle)
    }
    probe.step(.exchanged(try probe.ticket(), isIdentified: true))
    probe.step(.prepared(try probe.ticket(), session(1, revision: 0, begun: 2, issued: 2)))
    let writing = try probe.ticket()
    probe.elapsed = 10
    probe.step(.signingOut)
    probe.elapsed = 20
    probe.step(.writeFailed(writing, .storeConflict))
    try probe.read(MachineWorld.known(2, MachineWorld.lineage(7), revision: 0, issued: MachineWorld.moment(15)))
    #expect(probe.discards && !probe.saves && probe.woke(1) == false)
  }

  @Test("Bug-F28: who waits to sign in when a sign-out begins is told, and no sign-in begins")
  func waitingSignIn() throws {
    let known = MachineWorld.known(1, MachineWorld.first, revision: 0, lifetime: 10)
    var probe = MachineProbe(source: .upFront)
    _ = try probe.renewing(known)
    probe.step(.needed(.signIn(byHandler: false), caller: 7, stamp: nil))
    probe.step(.signingOut)
    #expect(probe.woke(7) == false)
    #expect(!probe.machine.hasCredential && probe.machine.session.known?.digest == known.digest)
  }

  // MARK: Grants whose user is not known yet

  /// A machine that knows a session past its date and keeps a grant whose user the server could not tell.
  private func keepingGrant(_ known: Known) throws -> MachineProbe {
    var probe = MachineProbe(source: .upFront)
    probe.refuse(try probe.renewing(known))
    try probe.read(known)
    try probe.read(known)
    probe.step(.exchanged(try probe.ticket(), isIdentified: false))
    probe.step(
      .failed(try probe.ticket(), Failure(error: OstiaryError(.serverUnavailable, "Later."), mayRepeat: false)))
    #expect(probe.machine.hasGrant)
    return probe
  }

  @Test("L25: another process's sign-out takes along the grant whose user is not known yet", arguments: [true, false])
  func grantAfterSignOutElsewhere(byRefusal: Bool) throws {
    let known = MachineWorld.known(1, MachineWorld.first, revision: 0, lifetime: 10)
    var probe = try keepingGrant(known)
    probe.elapsed += 1_000
    probe.step(.needed(.look, caller: 9, stamp: nil))
    probe.step(
      .storeRead(try probe.ticket(), MachineProbe.ended(known.lineage, refused: byRefusal ? [known] : [])))
    #expect(probe.machine.hasGrant == byRefusal)
    #expect(probe.discards == !byRefusal)
  }

  @Test("L26: a kept grant that has grown old is no reason to give the credential up", arguments: [true, false])
  func oldGrant(isSignIn: Bool) throws {
    let known = MachineWorld.known(1, MachineWorld.first, revision: 0, lifetime: 10)
    var probe = try keepingGrant(known)
    probe.elapsed += 1_000
    if isSignIn {
      probe.step(.needed(.signIn(byHandler: false), caller: 9, stamp: nil))
      try probe.read(known)
      probe.step(.claimed(try probe.ticket()))
      try probe.read(known)
      probe.step(.exchanged(try probe.ticket(), isIdentified: false, isKept: true))
    } else {
      probe.step(.needed(.ensure(.neededByRequest, failures: nil), caller: 9, stamp: nil))
      try probe.read(known)
      probe.step(.claimed(try probe.ticket()))
      try probe.read(known)
      // It can still not be renewed.
      try probe.written(known)
      probe.refuse(try probe.ticket())
      try probe.read(known)
      try probe.read(known)
    }
    probe.refuse(try probe.ticket())
    #expect(probe.discards && !probe.machine.hasGrant)
    #expect(probe.machine.hasCredential && !probe.actions.contains(.forgetCredential))
    if !isSignIn, probe.machine.work.stage == .lookingAgain { try probe.read(known) }
    #expect(probe.machine.work.stage == .exchanging, "the credential is shown instead")
    // What it gives now is this job's own.
    probe.step(.exchanged(try probe.ticket(), isIdentified: false))
    probe.refuse(try probe.ticket())
    #expect(isSignIn ? probe.woke(9) == false : probe.actions.contains(.forgetCredential))
  }
}
