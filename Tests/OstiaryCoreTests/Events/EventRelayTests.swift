import OstiaryCore
import Testing

@Suite("Event relays")
struct EventRelayTests {
  private func relay() -> (EventRelay<Int>, Locked<[String]>) { (EventRelay(), Locked([])) }

  @Test("An observer that an earlier one has just ended hears nothing more")
  func ended() {
    let (relay, notes) = relay()
    let end = Locked<(@Sendable () -> Void)?>(nil)
    _ = relay.observe { event in
      notes.withLock { $0.append("first \(event)") }
      if event == 2 { end.withLock { $0 }?() }
    }
    let endSecond = relay.observe { event in notes.withLock { $0.append("second \(event)") } }
    end.withLock { $0 = endSecond }
    for event in 1...3 { relay.tell(event) }
    #expect(notes.withLock { $0 } == ["first 1", "second 1", "first 2", "first 3"])
  }

  @Test("An observer hears what is recorded after it began, also when nothing was delivered yet")
  func late() {
    let (relay, notes) = relay()
    relay.record(1)
    _ = relay.observe { event in notes.withLock { $0.append("\(event)") } }
    relay.record(2)
    relay.deliver()
    #expect(notes.withLock { $0 } == ["2"])
  }

  @Test("What an observer tells comes after what it was told of, for everybody")
  func nested() {
    let (relay, notes) = relay()
    _ = relay.observe { event in
      notes.withLock { $0.append("first \(event)") }
      if event < 3 { relay.tell(event + 1) }
    }
    _ = relay.observe { event in notes.withLock { $0.append("second \(event)") } }
    relay.tell(1)
    #expect(notes.withLock { $0 } == ["first 1", "second 1", "first 2", "second 2", "first 3", "second 3"])
  }

  @Test("Events are numbered from 1, and the last ones remembered", arguments: [0, 1, 3])
  func remembering(capacity: Int) {
    let relay = EventRelay<UInt64>(remembering: capacity)
    for _ in 0..<5 { relay.record { $0 } }
    #expect(relay.recent == Array([1, 2, 3, 4, 5].suffix(capacity)))
  }
}
