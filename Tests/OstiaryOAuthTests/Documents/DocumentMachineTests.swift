import Foundation
import OstiaryCore
import Testing

@testable import OstiaryOAuth

@Suite("What is held of a document, as a value", .timeLimit(.minutes(20)))
struct DocumentMachineTests {
  private typealias Machine = DocumentMachine<String>
  private struct Offline: Error {}

  private func at(_ seconds: TimeInterval) -> Moment {
    Moment(wall: Date(timeIntervalSince1970: seconds), uptime: Uptime(boot: "a", seconds: seconds))
  }

  /// A machine that was given a document at 0 that is fresh for 600 seconds.
  private func filled(_ text: String = "one", tag: String? = "1") -> Machine {
    var machine = Machine()
    _ = machine.want(.fresh, at: at(0))
    _ = machine.finish(.document(text, tag: tag, lifetime: 600), at: at(0))
    return machine
  }

  /// A step as text.
  private func name(_ step: Machine.Step) -> String {
    switch step {
    case .use(let delivery):
      "use \(delivery.document)\(delivery.isNew ? ", new" : "")\(delivery.failure == nil ? "" : ", failed")"
    case .join: "join"
    case .fetch(let copy): "fetch \(copy?.tag ?? "all")"
    }
  }

  private func name(_ result: Result<Machine.Delivery, any Error>) -> String {
    switch result {
    case .success(let delivery): name(.use(delivery))
    case .failure: "failed"
    }
  }

  @Test("FIND-11: the first caller fetches, all others join, whatever they want")
  func joining() {
    var machine = Machine()
    #expect(name(machine.want(.fresh, at: at(0))) == "fetch all")
    #expect(name(machine.want(.fresh, at: at(0))) == "join")
    #expect(name(machine.want(.newer, at: at(0))) == "join")
    #expect(name(machine.finish(.document("one", tag: nil, lifetime: 600), at: at(1))) == "use one, new")
    #expect(name(machine.want(.fresh, at: at(2))) == "use one")
  }

  @Test("FIND-12: what is fresh is used, also while a newer one is fetched for another caller; then it is asked about")
  func freshness() {
    var machine = filled()
    #expect(name(machine.want(.fresh, at: at(599))) == "use one")
    #expect(name(machine.want(.newer, at: at(599))) == "fetch 1")
    #expect(name(machine.want(.fresh, at: at(599))) == "use one")
    #expect(name(machine.want(.fresh, at: at(601))) == "join")
    #expect(name(machine.finish(.unchanged(lifetime: 300), at: at(601))) == "use one, new")
    #expect(name(machine.want(.fresh, at: at(900))) == "use one")
    #expect(name(machine.want(.fresh, at: at(901))) == "fetch 1")
    #expect(name(machine.finish(.document("two", tag: nil, lifetime: 300), at: at(901))) == "use two, new")
  }

  @Test("FIND-16: callers that want a newer one share a request for 30 seconds")
  func demands() {
    var machine = filled()
    #expect(name(machine.want(.newer, at: at(10))) == "fetch 1", "an ordinary fetch before does not count")
    _ = machine.finish(.document("two", tag: "2", lifetime: 600), at: at(11))
    for second in [11, 20, 39.9] { #expect(name(machine.want(.newer, at: at(second))) == "use two") }
    #expect(name(machine.want(.newer, at: at(40))) == "fetch 2")
  }

  @Test(
    "FIND-13: after a failure what is held is used for 7 days, and the server is left alone for 30 seconds each time")
  func failures() {
    var machine = filled()
    let week: TimeInterval = 7 * 86_400
    #expect(name(machine.want(.fresh, at: at(700))) == "fetch 1")
    #expect(name(machine.finish(.failure(Offline()), at: at(700))) == "use one, failed")
    #expect(name(machine.want(.fresh, at: at(729))) == "use one, failed")
    #expect(name(machine.want(.newer, at: at(729))) == "use one, failed")
    #expect(name(machine.want(.fresh, at: at(730))) == "fetch 1")
    #expect(name(machine.finish(.failure(Offline()), at: at(week))) == "use one, failed")
    #expect(name(machine.want(.fresh, at: at(week + 1))) == "fetch all", "it is too old even to be asked about")
    #expect(name(machine.finish(.failure(Offline()), at: at(week + 1))) == "failed")
    #expect(name(machine.want(.fresh, at: at(week + 2))) == "fetch all", "without a document there is no pause")
  }

  @Test("FIND-13: a success ends the failure")
  func recovery() {
    var machine = filled()
    _ = machine.want(.fresh, at: at(700))
    _ = machine.finish(.failure(Offline()), at: at(700))
    _ = machine.want(.fresh, at: at(740))
    #expect(name(machine.finish(.unchanged(lifetime: 600), at: at(741))) == "use one, new")
    #expect(name(machine.want(.fresh, at: at(742))) == "use one")
  }

  @Test("FIND-12: an answer that nothing has changed is a failure where nothing is held")
  func unchangedNothing() {
    var machine = Machine()
    _ = machine.want(.fresh, at: at(0))
    #expect(name(machine.finish(.unchanged(lifetime: 600), at: at(0))) == "failed")
  }
}
