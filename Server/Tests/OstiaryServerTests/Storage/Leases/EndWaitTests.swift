import Testing

@testable import OstiaryServer

@Suite("Leases: a call that has ended something")
struct EndWaitTests {
  private static let here = DatabaseIdentity(system: 1, timeline: 1)
  private static let there = DatabaseIdentity(system: 1, timeline: 2)
  private static let start = ContinuousClock.now

  private static func node(_ id: String, shown: Int64, applied: Int64, _ identity: DatabaseIdentity? = here)
    -> EndWait.Node
  {
    EndWait.Node(id: id, identity: identity, shown: shown, applied: applied)
  }

  /// A wait for the end with the number 5 that reads the list.
  private static func wait(age: Duration = .seconds(60)) -> EndWait {
    var wait = EndWait(5, of: here, committed: start, age: age)
    wait.tick(at: start)
    #expect(wait.takeActions() == [.readNodes])
    return wait
  }

  private static func read(_ wait: inout EndWait, _ nodes: EndWait.Node..., after: Duration) {
    wait.read(nodes, from: here, began: start + after, at: start + after)
  }

  @Test("It returns when every node has applied the end, and looks again until then")
  func applied() {
    var wait = Self.wait()
    Self.read(&wait, Self.node("a", shown: 4, applied: 5), Self.node("b", shown: 4, applied: 4), after: .zero)
    #expect(wait.takeActions() == [] && wait.due == Self.start + .milliseconds(2))
    wait.tick(at: Self.start + .milliseconds(2))
    #expect(wait.takeActions() == [.readNodes])
    wait.readFailed(at: Self.start + .milliseconds(3))
    #expect(wait.due == Self.start + .milliseconds(7))
    wait.tick(at: Self.start + .milliseconds(7))
    _ = wait.takeActions()
    Self.read(
      &wait, Self.node("a", shown: 4, applied: 5), Self.node("b", shown: 4, applied: 6), after: .milliseconds(8))
    #expect(wait.takeActions() == [.finish(.ended)])
    #expect(wait.due == nil)
  }

  @Test("After a lease and a tenth it takes off the list the nodes that were not shown the end, and returns")
  func gaveUp() {
    var wait = Self.wait()
    Self.read(
      &wait, Self.node("a", shown: 4, applied: 4), Self.node("b", shown: 5, applied: 4),
      Self.node("c", shown: 9, applied: 9),
      after: .milliseconds(1050))
    _ = wait.takeActions()
    wait.tick(at: Self.start + .milliseconds(1099))
    #expect(wait.outcome == nil)
    wait.tick(at: Self.start + .milliseconds(1100))
    #expect(
      wait.takeActions().filter { $0 != .readNodes } == [
        .log(.gaveUp(node: "a", number: 5)), .takeOff(node: "a", unlessShown: 5, Self.here), .finish(.ended),
      ])
  }

  @Test("It returns then, too, if the list could not be read, or the answer does not come")
  func unread() {
    var wait = Self.wait()
    #expect(wait.due == wait.deadline)
    wait.tick(at: wait.deadline)
    #expect(wait.takeActions() == [.log(.nodesUnread(number: 5)), .finish(.ended)])
  }

  @Test("A list that was asked for before the commit had returned is none")
  func early() {
    var wait = Self.wait()
    wait.read([], from: Self.here, began: Self.start - .milliseconds(1), at: Self.start + .milliseconds(1))
    #expect(wait.outcome == nil && wait.isReading)
    Self.read(&wait, after: .milliseconds(1))
    #expect(wait.outcome == .ended)
  }

  @Test("Numbers of another timeline count for nothing, and if the list is another one's, the end may be lost")
  func timeline() {
    var wait = Self.wait()
    Self.read(
      &wait, Self.node("a", shown: 9, applied: 9, Self.there), Self.node("b", shown: 0, applied: 0, nil), after: .zero)
    #expect(wait.outcome == nil)
    #expect(wait.unshown == ["a", "b"])
    wait.read([], from: Self.there, began: Self.start, at: Self.start)
    #expect(wait.takeActions() == [.finish(.unknown)])
  }

  @Test("The first end on a timeline waits for the leases of the one before")
  func young() {
    var wait = Self.wait(age: .milliseconds(200))
    Self.read(&wait, after: .milliseconds(899))
    #expect(wait.outcome == nil)
    Self.read(&wait, after: .milliseconds(900))
    #expect(wait.outcome == .ended)
    // A database's clock that was set back makes it wait for no longer.
    #expect(EndWait(5, of: Self.here, committed: Self.start, age: .seconds(-9)).earliest == wait.deadline)
  }
}
