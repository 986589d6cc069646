import Testing

@testable import OstiaryServer

@Suite("Leases: a node")
struct LeaseMachineTests {
  private static let here = DatabaseIdentity(system: 1, timeline: 1)
  private static let start = ContinuousClock.now

  private static func end(_ number: Int64) -> LeaseEnd { LeaseEnd(number: number, kind: .user, subject: "ann") }

  private static func answer(
    _ shown: Int64, from identity: DatabaseIdentity = here, isListed: Bool = true,
    beside writers: SilentWriters = SilentWriters()
  ) -> LeaseAnswer {
    LeaseAnswer(
      identity: identity, shown: shown, isListed: isListed, isCommitted: true, silentWriters: writers)
  }

  /// A node with a lease from the start on, that has applied a number.
  private static func leased(_ number: Int64, _ terms: LeaseTerms = LeaseTerms()) -> LeaseMachine {
    var machine = LeaseMachine(terms: terms)
    machine.listens(at: start)
    _ = machine.takeActions()
    machine.answered(answer(number), to: 1, at: start)
    _ = machine.takeActions()
    machine.hasApplied(2)
    _ = machine.takeActions()
    machine.wrote(true)
    return machine
  }

  @Test("An announcement far ahead of all that is known is not believed: the node asks")
  func farAhead() {
    var machine = Self.leased(7)
    for number: Int64 in [.max, 7 + 1001] {
      let now = Self.start + .milliseconds(50)
      machine.heard(LeaseEnd(number: number, kind: .user, subject: "ann"), from: Self.here, at: now)
      #expect(machine.known == 7 && machine.applied == 7)
      let asked = machine.takeActions()
      #expect(asked.count == 1 && asked.allSatisfy { if case .ask = $0 { true } else { false } })
      machine.answered(Self.answer(7), to: machine.lastTicket, at: now)
      _ = machine.takeActions()
    }
    machine.heard(Self.end(8), from: Self.here, at: Self.start + .milliseconds(60))
    #expect(machine.known == 8)
  }

  @Test("A node asks when it hears notices, and believes for a second from then on")
  func lease() {
    var machine = LeaseMachine()
    machine.tick(at: Self.start)
    #expect(machine.takeActions() == [] && machine.due == nil)
    machine.listens(at: Self.start)
    let question = LeaseMachine.Question(ticket: 1, sent: Self.start, applied: 0, identity: nil)
    #expect(machine.takeActions() == [.ask(question)])
    #expect(machine.due == Self.start + .seconds(1))
    machine.answered(Self.answer(7), to: 1, at: Self.start + .milliseconds(10))
    #expect(machine.takeActions() == [.log(.newTimeline(Self.here)), .empty(2)])
    #expect(!machine.mayBelieve(at: Self.start))
    machine.hasApplied(2)
    #expect(machine.takeActions() == [.writeApplied(7, Self.here)])
    #expect(machine.mayBelieve(at: Self.start + .milliseconds(999)))
    #expect(!machine.mayBelieve(at: Self.start + .seconds(1)))
    #expect(machine.due == Self.start + .milliseconds(300))
  }

  @Test("A node that is not on the list registers, and asks again before it believes")
  func registers() {
    var machine = Self.leased(0)
    let later = Self.start + .seconds(2)
    machine.tick(at: later)
    _ = machine.takeActions()
    machine.answered(Self.answer(0, isListed: false), to: machine.lastTicket, at: later)
    #expect(machine.takeActions() == [.register])
    machine.registered(true, at: later)
    #expect(machine.takeActions().count == 1 && machine.question?.sent == later)
    #expect(!machine.mayBelieve(at: later))
    machine.answered(Self.answer(0), to: machine.lastTicket, at: later)
    #expect(machine.mayBelieve(at: later))
  }

  @Test("An end is applied when it is heard, and those before it are read first")
  func gap() {
    var machine = Self.leased(3)
    machine.heard(Self.end(4), from: Self.here, at: Self.start)
    #expect(machine.takeActions() == [.apply([Self.end(4)], 3)])
    machine.heard(Self.end(5), from: Self.here, at: Self.start)
    machine.heard(Self.end(7), from: Self.here, at: Self.start)
    #expect(machine.takeActions() == [])
    machine.hasApplied(3)
    #expect(machine.takeActions() == [.writeApplied(4, Self.here), .apply([Self.end(5)], 4)])
    machine.hasApplied(4)
    #expect(machine.takeActions() == [.readEnds(after: 5, upTo: 7, Self.here, 5)])
    machine.read([Self.end(6), Self.end(7)], from: Self.here, for: 5)
    #expect(machine.takeActions() == [.apply([Self.end(6), Self.end(7)], 6)])
    #expect(machine.applied == 5)
  }

  @Test("Caches are emptied where ends are missing or too many, and where the database has forgotten some")
  func emptied() {
    var machine = Self.leased(3)
    machine.heard(Self.end(6), from: Self.here, at: Self.start)
    #expect(machine.takeActions() == [.readEnds(after: 3, upTo: 6, Self.here, 3)])
    machine.read([Self.end(5), Self.end(6)], from: Self.here, for: 3)
    #expect(machine.takeActions() == [.log(.endsMissing(after: 3, upTo: 6)), .empty(4)])

    machine = Self.leased(3)
    machine.tick(at: Self.start + .milliseconds(300))
    _ = machine.takeActions()
    machine.answered(Self.answer(1004), to: machine.lastTicket, at: Self.start + .milliseconds(301))
    #expect(machine.takeActions() == [.log(.endsMissing(after: 3, upTo: 1004)), .empty(4)])
    machine.hasApplied(4)
    #expect(machine.applied == 1004)

    machine = Self.leased(3)
    machine.tick(at: Self.start + .milliseconds(300))
    _ = machine.takeActions()
    machine.answered(Self.answer(2), to: machine.lastTicket, at: Self.start + .milliseconds(301))
    #expect(machine.takeActions() == [.log(.counterWentBack(from: 3, to: 2)), .empty(4)])
    #expect(!machine.mayBelieve(at: Self.start + .milliseconds(301)))
  }

  @Test("What another database says counts for nothing, and makes the node ask")
  func elsewhere() {
    var machine = Self.leased(3)
    let there = DatabaseIdentity(system: 1, timeline: 2)
    machine.heard(Self.end(4), from: there, at: Self.start)
    #expect(machine.known == 3)
    #expect(machine.question?.sent == Self.start)
    _ = machine.takeActions()
    machine.answered(Self.answer(1, from: there), to: machine.lastTicket, at: Self.start)
    #expect(!machine.mayBelieve(at: Self.start))
    #expect(machine.takeActions() == [.log(.newTimeline(there)), .empty(4)])
    machine.heard(Self.end(4), from: Self.here, at: Self.start)
    #expect(machine.known == 1)
  }

  @Test("OP-10: beside what writes without announcing ends there is no lease, and afterwards the caches are emptied")
  func silentWriters() {
    var machine = Self.leased(3)
    let asked = Self.start + .milliseconds(300)
    func ask(_ moment: ContinuousClock.Instant, _ writers: SilentWriters) -> [LeaseAction] {
      machine.tick(at: moment)
      _ = machine.takeActions()
      machine.answered(Self.answer(3, beside: writers), to: machine.lastTicket, at: moment)
      return machine.takeActions()
    }
    // The lease of before is over at once, and ends are applied meanwhile.
    #expect(ask(asked, SilentWriters(areThere: true, number: 1)) == [.log(.besideSilentWriter)])
    #expect(!machine.mayBelieve(at: asked))
    #expect(machine.due == asked + .milliseconds(300))
    #expect(ask(asked + .milliseconds(300), SilentWriters(areThere: true, number: 2)) == [])
    machine.heard(Self.end(4), from: Self.here, at: asked)
    let apply = machine.takeActions()
    #expect(apply == [.apply([Self.end(4)], machine.lastTicket)])
    machine.hasApplied(machine.lastTicket)
    #expect(machine.takeActions() == [.writeApplied(4, Self.here)])
    machine.wrote(true)
    let fill = machine.beginFill()
    // Gone: what was read meanwhile is not kept, and the lease holds when the caches are empty.
    let later = asked + .milliseconds(600)
    machine.tick(at: later)
    _ = machine.takeActions()
    machine.answered(Self.answer(4, beside: SilentWriters(number: 2)), to: machine.lastTicket, at: later)
    let emptying = machine.takeActions()
    #expect(emptying == [.log(.silentWriterGone), .empty(machine.lastTicket)])
    #expect(!machine.mayBelieve(at: later))
    machine.hasApplied(machine.lastTicket)
    #expect(machine.mayBelieve(at: later) && machine.applied == 4)
    #expect(fill.map { machine.mayKeep($0, from: Self.here) } == false)
  }

  @Test("OP-10: a silent writer that came and went between two questions is known by its number")
  func silentWriterUnseen() {
    var machine = Self.leased(3)
    let asked = Self.start + .milliseconds(300)
    machine.tick(at: asked)
    _ = machine.takeActions()
    machine.answered(Self.answer(3, beside: SilentWriters(number: 1)), to: machine.lastTicket, at: asked)
    let emptying = machine.takeActions()
    #expect(emptying == [.log(.silentWriterGone), .empty(machine.lastTicket)])
    machine.hasApplied(machine.lastTicket)
    // The same number again is nothing new.
    machine.tick(at: asked + .milliseconds(300))
    _ = machine.takeActions()
    let next = Self.answer(3, beside: SilentWriters(number: 1))
    machine.answered(next, to: machine.lastTicket, at: asked + .milliseconds(300))
    #expect(machine.takeActions() == [])
    #expect(machine.mayBelieve(at: asked + .milliseconds(1299)))
    // On another timeline the caches are emptied once.
    let there = DatabaseIdentity(system: 1, timeline: 2)
    machine.tick(at: asked + .milliseconds(600))
    _ = machine.takeActions()
    let other = Self.answer(3, from: there, beside: SilentWriters(number: 7))
    machine.answered(other, to: machine.lastTicket, at: asked + .milliseconds(600))
    let actions = machine.takeActions()
    #expect(actions == [.log(.newTimeline(there)), .empty(machine.lastTicket)])
    machine.hasApplied(machine.lastTicket)
    #expect(machine.mayBelieve(at: asked + .milliseconds(600)))
  }

  @Test("A question without an answer is given up when its lease would be over, and one that failed is asked again")
  func unanswered() {
    var machine = Self.leased(0)
    let asked = Self.start + .milliseconds(300)
    machine.tick(at: asked)
    let ticket = machine.lastTicket
    _ = machine.takeActions()
    machine.tick(at: asked + .milliseconds(999))
    #expect(machine.takeActions() == [])
    machine.tick(at: asked + .seconds(1))
    #expect(machine.takeActions().first == .abandon(ticket))
    #expect(machine.question?.ticket == ticket + 1)
    machine.answered(Self.answer(0), to: ticket, at: asked + .seconds(1))
    #expect(!machine.mayBelieve(at: asked + .seconds(1)))
    machine.failed(ticket + 1, at: asked + .seconds(1))
    #expect(machine.due == asked + .milliseconds(1100))
  }

  @Test("A node that hears no notices asks no more, and one that stops leaves")
  func deaf() {
    var machine = Self.leased(0)
    machine.listensNoMore()
    #expect(machine.takeActions() == [.log(.deaf)])
    machine.tick(at: Self.start + .seconds(5))
    #expect(machine.takeActions() == [] && machine.due == nil)
    machine = Self.leased(0)
    machine.stops()
    #expect(machine.takeActions() == [.leave])
    #expect(!machine.mayBelieve(at: Self.start))
  }

  @Test("Ends are announced as a line that is read again, and another line is none")
  func announcement() {
    for kind in LeaseEnd.Kind.allCases {
      let end = LeaseEnd(number: 12, kind: kind, subject: "a b")
      #expect(LeaseEnd(announcement: end.announcement) == end)
    }
    #expect(LeaseEnd(announcement: "1 everything ")?.subject == "")
    for wrong in ["", "1", "1 user", "x user a", "0 user a", "-1 user a", "1 thing a", "99999999999999999999 user a"] {
      #expect(LeaseEnd(announcement: wrong) == nil, "\(wrong)")
    }
  }
}
