import Foundation
import Testing

@testable import OstiaryCore

/// A server may change a cookie with any answer. Of two requests with the same cookie, one can bring the new cookie while the
/// other is refused, and the refusal can be read first.
@Suite("A cookie that comes after the session has ended") struct LateCookieTests {
  private typealias Machine = SessionMachine<TestProof>
  private typealias Action = SessionAction<TestProof>

  /// A machine whose session was refused and could not be renewed, up to the write of the ended entry.
  private struct Ended {
    var machine = Machine(settings: SessionSettings())
    let old = MachineWorld.known(1, MachineWorld.first, revision: 0)
    let new = MachineWorld.known(2, MachineWorld.first, revision: 1)
    var told: [SessionEvent.Kind] = []
    var actions: [Action] = []

    init() {
      step(.needed(.restore, caller: 1, stamp: nil))
      step(.storeRead(reading, stored))
      step(.refused(old.version, reason: "401"))
      step(.needed(.ensure(.rejectedByServer, failures: nil), caller: 2, stamp: nil))
      step(.storeRead(reading, stored))
      step(.claimed(claim))
      step(.storeRead(reading, stored))
      step(.written(saving, MachineWorld.data(old), nil))
      step(.notRenewable(renewing))
    }

    var stored: StoreContent<TestProof> {
      StoreContent(entry: .session(old, alternatives: []), data: MachineWorld.data(old))
    }
    private func last(_ find: (Action) -> Ticket?) -> Ticket { actions.compactMap(find).last ?? Ticket(number: 0) }
    var reading: Ticket { last { if case .read(let ticket) = $0 { ticket } else { nil } } }
    var claim: Ticket { last { if case .claim(let ticket) = $0 { ticket } else { nil } } }
    var saving: Ticket { last { if case .save(let ticket, _, _, _, _) = $0 { ticket } else { nil } } }
    var renewing: Ticket { last { if case .renew(let ticket, _, _) = $0 { ticket } else { nil } } }
    var ending: Ticket { last { if case .writeEnded(let ticket, _, _) = $0 { ticket } else { nil } } }
    var saved: TestProof? {
      actions.compactMap { if case .save(_, let known, _, _, _) = $0 { known.prepared } else { nil } }.last
    }

    mutating func step(_ input: SessionInput<TestProof>) {
      actions = machine.step(input, at: Moment(wall: Date(timeIntervalSince1970: 1)), jitter: 1)
      for case .tell(let kind, _, _, _) in actions { told.append(kind) }
    }

    mutating func endIsWritten() {
      step(.storeRead(reading, stored))
      step(.written(ending, Data("ended".utf8), nil))
    }

    /// The answer to the other request comes.
    mutating func cookie() { step(.changed(new, over: old, isProof: true, shown: old.digest, waiter: nil)) }
  }

  @Test("Bug-A38: it takes the session up again before the end is written, and no event says that it ended")
  func beforeTheWrite() {
    var ended = Ended()
    #expect(ended.machine.session.known == nil)
    ended.cookie()
    #expect(ended.machine.session.usable?.digest == ended.new.digest)
    #expect(!ended.told.contains(.signedOut))
    // The reading that the end had begun changes nothing, and the new cookie is stored.
    ended.step(.storeRead(Ticket(number: ended.machine.operation?.ticket.number ?? 0), ended.stored))
    #expect(ended.saved == ended.new.prepared)
  }

  @Test("Bug-A38: it takes the session up again after the end was written, over the ended entry")
  func afterTheWrite() {
    var ended = Ended()
    ended.endIsWritten()
    #expect(ended.told.last == .signedOut)
    ended.cookie()
    #expect(ended.machine.session.usable?.digest == ended.new.digest)
    #expect(ended.told.last == .restored)
    #expect(ended.saved == ended.new.prepared)
  }

  @Test("Bug-A38: an end that another process has written is no end of the cookie that is on its way")
  func endedElsewhere() {
    var ended = Ended()
    ended.machine = Machine(settings: SessionSettings())
    ended.step(.needed(.restore, caller: 1, stamp: nil))
    ended.step(.storeRead(ended.reading, ended.stored))
    ended.step(.needed(.look, caller: 2, stamp: nil))
    let entry = EndedEntry(
      lineage: MachineWorld.first, cause: .rejectedByServer, date: Date(timeIntervalSince1970: 0),
      refused: [ended.old.digest])
    ended.step(.storeRead(ended.reading, StoreContent(entry: .ended(entry), data: Data("ended".utf8))))
    #expect(ended.machine.session.known == nil)
    ended.cookie()
    #expect(ended.machine.session.usable?.digest == ended.new.digest)
    #expect(ended.saved == ended.new.prepared)
  }

  @Test("It does not undo a sign-out of the user")
  func afterSignOut() {
    var ended = Ended()
    ended.endIsWritten()
    ended.step(.signedOutHere(caller: 3))
    ended.cookie()
    #expect(ended.machine.session.known == nil)
  }

  @Test("It does not take the place of another sign-in")
  func afterAnotherSignIn() {
    var ended = Ended()
    ended.endIsWritten()
    let other = MachineWorld.known(9, MachineWorld.stranger, revision: 0, user: "ben")
    ended.step(.needed(.look, caller: 3, stamp: nil))
    ended.step(
      .storeRead(ended.reading, StoreContent(entry: .session(other, alternatives: []), data: MachineWorld.data(other))))
    ended.cookie()
    #expect(ended.machine.session.known?.user.id == "ben")
  }
}
