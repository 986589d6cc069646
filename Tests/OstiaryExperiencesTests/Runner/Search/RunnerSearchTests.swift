import Foundation
import OstiaryCore
import Testing

@testable import OstiaryExperiences

/// The machine alone: every order of what a person and an app can do, in small documents, to the last state.
@Suite("The runner's machine: complete search", .timeLimit(.minutes(20)))
struct RunnerSearchTests {
  struct Small: Sendable, CustomTestStringConvertible {
    let name: String
    let flows: [Experience.Flow]
    /// How many states there are, from all of its screens together. Another number means that the machine can get elsewhere.
    let states: Int
    var testDescription: String { name }
  }

  private typealias D = DeadEndDocument
  private static let required = Experience.Field(key: "name", kind: .text, isRequired: true, inherits: .nothing)
  private static let text = Experience.Field(key: "name", kind: .text, inherits: .nothing)
  private static let role = Experience.Field(key: "role", kind: .hidden, value: "admin")

  static let documents = [
    Small(
      name: "one key on two screens, and a hidden field",
      flows: [
        D.flow(
          "f", .signUp, D.screen("s", required: true, [required], .move(.next)),
          D.screen("t", [text, role], .move(.submit), .move(.back)))
      ], states: 880),
    Small(
      name: "fields that are handed over",
      flows: [
        D.flow(
          "f", .login, D.screen("s", required: true, [required], .submitFields(nil, onSuccess: .goToScreen("t"))),
          D.screen("t", [role], .move(.submit), .move(.back)))
      ], states: 510),
    Small(
      name: "two flows",
      flows: [
        D.flow("f", .login, D.screen("s", [text], .move(.submit), .move(.goToFlow("g")))),
        D.flow("g", .recoverPassword, then: .goToFlow("f"), D.screen("t", [text], .move(.submit), .move(.back))),
      ], states: 16_195),
    Small(
      name: "decisions",
      flows: [
        D.flow(
          D.screen(
            "s", [], .trigger("ask"), .provider("facebook"),
            .requestPermission("camera", onSuccess: .next, onFailure: .skip),
            triggers: [.init(name: "ask", onSuccess: .goToScreen("t"), onFailure: .dismiss)]),
          D.screen("t", [text], .move(.skipScreen), .submitFields(["name"], onSuccess: .next), .move(.back)))
      ], states: 429),
    Small(
      name: "a screen without a way out",
      flows: [D.flow(D.screen("s", [text], .move(.next)), D.screen("t", [text], .move(.goToScreen("t"))))],
      states: 284),
  ]

  /// The states that a search has found, and how each is left.
  private struct Found {
    var index: [Int: Int] = [:]
    /// For each state the one that it was first reached from, and by what.
    var came: [(from: Int, label: String)] = []
    /// For each state those that lead to it by what a person does who wants to come to an end.
    var before: [[Int]] = []
    var ends: [Int] = []

    func way(to state: Int) -> String {
      var (labels, state) = ([String](), state)
      while state >= 0 {
        labels.append(came[state].label)
        state = came[state].from
      }
      return labels.reversed().joined(separator: " → ")
    }
  }

  /// - Parameter visit: sees each state once.
  private func search(
    _ experience: Experience, from place: RunnerMachine.Place, _ visit: (RunnerWorld) -> Void = { _ in }
  ) -> (found: Found, broken: String?) {
    var found = Found()
    let first = RunnerWorld(experience, at: place)
    func add(_ world: RunnerWorld, _ fingerprint: Int, from: Int, _ label: String) -> Int {
      found.index[fingerprint] = found.came.count
      found.came.append((from, label))
      found.before.append([])
      if case .finished = world.machine.phase { found.ends.append(found.came.count - 1) }
      return found.came.count - 1
    }
    var line = [(first, add(first, first.fingerprint, from: -1, "\(place.flow)/\(place.screen)"))]
    while let (world, state) = line.popLast() {
      for choice in world.choices {
        var after = world
        choice.change(&after)
        if let broken = after.broken { return (found, "\(broken): \(found.way(to: state)) → \(choice.label)") }
        let fingerprint = after.fingerprint
        var next = found.index[fingerprint]
        if next == nil {
          let new = add(after, fingerprint, from: state, choice.label)
          line.append((after, new))
          visit(after)
          next = new
        }
        if choice.leadsOn, let next { found.before[next].append(state) }
      }
    }
    return (found, nil)
  }

  /// A state from which a person who wants to can't come to an end, though the app accepts everything.
  private func trap(in found: Found) -> String? {
    var canEnd = [Bool](repeating: false, count: found.came.count)
    var line = found.ends
    for end in line { canEnd[end] = true }
    while let state = line.popLast() {
      for earlier in found.before[state] where !canEnd[earlier] {
        canEnd[earlier] = true
        line.append(earlier)
      }
    }
    return canEnd.firstIndex(of: false).map { "Bug-G11: no end can be reached: \(found.way(to: $0))" }
  }

  @Test("Bug-G04, G07, G09, G11, G23, G24, G25: every order of events keeps the rules", arguments: documents)
  func complete(document: Small) {
    let experience = Experience(id: "small", flows: document.flows)
    var states = 0
    for (flow, content) in experience.flows.enumerated() {
      for screen in content.screens.indices {
        let (found, broken) = search(experience, from: .init(flow: flow, screen: screen))
        #expect(broken == nil)
        guard broken == nil else { return }
        #expect(trap(in: found) == nil)
        states += found.came.count
      }
    }
    #expect(states == document.states)
  }

  /// The world after a request, in another process.
  private func rested(_ world: RunnerWorld) -> RunnerWorld? {
    let record = RunnerRecord(world.machine, languages: [], keeping: { _, _ in false })
    guard let data = try? JSONEncoder().encode(record),
      let read = try? JSONDecoder().decode(RunnerRecord.self, from: data),
      let machine = read.machine(of: world.machine.experience, properties: world.machine.properties)
    else { return nil }
    var rested = world
    rested.machine = machine
    return rested
  }

  @Test(
    "Bug-G07, G23, G25: what rests between two requests goes on as the same state, in the same turn",
    arguments: documents.filter { $0.states < 1_000 })
  func rests(document: Small) {
    var (count, others) = (0, 0)
    _ = search(Experience(id: "small", flows: document.flows), from: .init(flow: 0, screen: 0)) { world in
      guard world.machine.isActive else { return }
      count += 1
      let later = rested(world)
      if later?.fingerprint != world.fingerprint || later?.machine.turnName != world.machine.turnName { others += 1 }
    }
    #expect(count > 0 && others == 0)
  }

  @Test("The fingerprint of a state knows every stored property of the machine")
  func fingerprint() {
    let world = RunnerWorld(Experience(id: "small", flows: Self.documents[0].flows), at: .init(flow: 0, screen: 0))
    #expect(Mirror(reflecting: world.machine).children.count == RunnerWorld.knownFields)
  }
}
