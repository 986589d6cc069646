import Foundation
import OstiaryCore
import Testing

@testable import OstiaryExperiences

@Suite("Dead ends", .timeLimit(.minutes(20)))
struct DeadEndTests {
  private func check(_ document: DeadEndDocument) throws -> Experience.Report {
    Experience.check(json: try document.experience.json())
  }

  @Test(
    "Bug-G12 a document that a person can't leave is refused by the check, at its place, and read by the library",
    arguments: DeadEndDocument.shown + DeadEndDocument.others + DeadEndDocument.values
      + DeadEndDocument.limits)
  func refused(document: DeadEndDocument) throws {
    let report = try check(document)
    #expect(report.problems.map(\.path) == document.problems)
    #expect(report.problems.allSatisfy { $0.code == .deadEnd })
    #expect(report.experience == nil)
    #expect(throws: InvalidExperience.self) { try document.experience.validate() }
    #expect(try Experience(json: document.experience.json()) == document.experience)
  }

  @Test(
    "Bug-G12 a document is accepted whose fields only look as if they accepted no value",
    arguments: DeadEndDocument.possible + DeadEndDocument.possibleLimits)
  func possible(document: DeadEndDocument) throws {
    #expect(try check(document).problems == [])
  }

  @Test("Bug-G12 a problem names the fields that accept no value")
  func named() throws {
    let documents = Array(DeadEndDocument.values.prefix(1)) + DeadEndDocument.values.filter { $0.problems.count == 2 }
    for (document, key) in zip(documents, ["pin", "size", "code"]) {
      let problem = try #require(try check(document).problems.first)
      #expect(problem.message.contains("(no value is accepted in \(key))"), "\(document)")
    }
  }

  @Test("Bug-G11 a document is accepted in which fields are handed over before the screen is left")
  func handedOver() throws {
    let document = DeadEndDocument(
      "",
      [
        DeadEndDocument.flow(
          "f", .login,
          DeadEndDocument.screen(
            "s", required: true, [DeadEndDocument.name], .submitFields(nil, onSuccess: .goToScreen("t"))),
          DeadEndDocument.screen("t", [], .move(.submit)))
      ])
    #expect(try check(document).problems == [])
  }

  @Test("Documents that only lead on by a provider, a decision, another flow or another screen are accepted")
  func accepted() throws {
    typealias D = DeadEndDocument
    for document in [
      D("a provider", [D.flow("f", .login, D.screen("s", required: true, [], .provider("facebook")))]),
      D(
        "a permission that goes on either way",
        [D.flow(D.screen("s", [], .requestPermission("camera", onSuccess: .next, onFailure: .dismiss)))]),
      D(
        "a trigger",
        [D.flow(D.screen("s", [], .trigger("t"), triggers: [.init(name: "t", onSuccess: .dismiss)]))]),
      D(
        "an end in another flow",
        [
          D.flow(then: .goToFlow("g"), D.screen("s", [D.name], .move(.submit))),
          D.flow("g", .login, D.screen("t", [D.name], .move(.next))),
        ]),
      D(
        "a required screen that is completed after a look at another flow",
        [
          D.flow(
            "f", .signUp,
            D.screen(
              "s", required: true, [D.name], .submitFields(nil, onSuccess: .goToFlow("terms")),
              .move(.goToScreen("t"))),
            D.screen("t", [], .move(.submit))),
          D.flow("terms", then: .goToFlow("last"), D.screen("u", [], .move(.next))),
          D.flow("last", D.screen("v", [], .move(.goToFlow("f")), .move(.dismiss))),
        ]),
      D(
        "a required screen of a flow that is never submitted",
        [D.flow(D.screen("s", required: true, [D.name], .move(.dismiss)))]),
    ] {
      #expect(try check(document).problems == [], "\(document)")
    }
  }

  @Test("A problem tells the shortest way to its screen")
  func shortestWay() throws {
    let report = try check(
      DeadEndDocument(
        "",
        [
          DeadEndDocument.flow(
            "start", DeadEndDocument.screen("s", [], .move(.dismiss), .move(.next)),
            DeadEndDocument.screen("t", [], .move(.goToFlow("end")), .move(.dismiss))),
          DeadEndDocument.flow(
            "end", DeadEndDocument.screen("u", [], .move(.dismiss), .move(.goToScreen("w"))),
            DeadEndDocument.screen("v", [], .move(.goToScreen("w")), .move(.dismiss)),
            DeadEndDocument.screen("w", [DeadEndDocument.name])),
        ]))
    #expect(report.problems.map(\.path) == ["$.flows[1].screens[2]"])
    #expect(report.problems.first?.message.hasSuffix("The shortest way here: end/u, “a1”; end/w.") == true)
    #expect(report.notices.map { "\($0.path) \($0.code)" } == ["$.flows[1].screens[1] unreachable"])
  }

  @Test(
    "The documents of the examples, of the server and of the tests are accepted, with no screen that nothing reaches")
  func ours() throws {
    let root = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    for path in [
      "Examples/SignUpOnATerminal/onboarding.json", "Examples/Migrations/Primer/welcome.json",
      "Server/Sources/OstiaryServer/Accounts/Experiences/starter.json",
      "Tests/OstiaryExperiencesTests/Fixtures/starter.json",
    ] {
      let report = Experience.check(json: try Data(contentsOf: root.appending(path: path)))
      #expect(report.problems == [], "\(path)")
      #expect(!report.notices.contains { $0.code == .unreachable }, "\(path)")
    }
  }

  @Test("A document with as many screens as there may be is explored in the time that reading it takes")
  func large() throws {
    let flows = (0..<40).map { flow in
      Experience.Flow(
        id: "f\(flow)", kind: .custom,
        screens: (0..<150).map { screen in
          Experience.Screen(
            id: "s\(screen)",
            actions: [
              .init(id: "on", work: .move(screen == 149 ? .goToFlow("f\((flow + 1) % 40)") : .next)),
              .init(id: "first", work: .move(.goToScreen("s0"))),
            ], isRequired: true)
        })
    }
    var experience = Experience(id: "large", flows: flows)
    let limits = ExperienceLimits(bytes: 10_000_000, values: 1_000_000, problems: 10_000)
    var report = Experience.check(json: try experience.json(), limits: limits)
    #expect(report.problems.count == 6_000)
    experience.flows[39].screens[149].actions.append(.init(id: "end", work: .move(.dismiss)))
    report = Experience.check(json: try experience.json(), limits: limits)
    #expect(report.problems == [])
  }

  // MARK: The runner

  @Test(
    "Bug-G12 where a document leaves no way out, the runner draws Close",
    arguments: Array(DeadEndDocument.shown.prefix(4)))
  func close(document: DeadEndDocument) async throws {
    let runner = ExperienceRunner(document.experience, languages: ["de"])
    runner.present()
    let screen = runner.snapshot.screen
    #expect(screen.actions.map(\.id) == [":close"] && screen.actions.map(\.label) == ["Close"])
    #expect(ExperiencePage(screen, action: "/").html.contains(#"value=":close">Close</button>"#))
    #expect(runner.perform(":close"))
    #expect(try await runner.outcome() == .dismissed)
    let drawn = try #require(document.experience.draw(screen: "s", of: "f"))
    #expect(drawn.actions.map(\.id) == [":close"])
    let later = try #require(document.experience.draw(screen: "s", of: "f", canGoBack: true))
    let hasBack = document.experience.flows[0].screens[0].actions.contains { $0.work == .move(.back) }
    #expect(later.actions.map(\.id) == [hasBack ? "a0" : ":close"])
    let terminal = ScriptedTerminal(["Ada", ""])
    let other = ExperienceRunner(document.experience, delegate: RecordingApp())
    #expect(try await TerminalRenderer(terminal).run(other) == .dismissed)
    #expect(terminal.shown.contains("Ada"))
  }

  @Test("An experience that was made without flows, or whose flows have no screens, can be closed")
  func empty() throws {
    let none = Experience.Flow(id: "none", kind: .custom, screens: [])
    let start = DeadEndDocument.flow("start", then: .goToFlow("none"), DeadEndDocument.screen("s", [], .move(.next)))
    for (flows, flow) in [([], nil), ([none], nil), ([start, none], "none"), ([start, none], "start")]
      as [(
        [Experience.Flow], String?
      )]
    {
      let runner = ExperienceRunner(Experience(id: "empty", flows: flows), flow: flow)
      runner.present()
      if flow == "start" { #expect(runner.perform("a0")) }
      #expect(runner.perform(":close"), "\(flows.count) \(flow ?? "")")
    }
  }

  @Test("Close is not drawn where there is another way out, and is no action there")
  func noClose() throws {
    let runner = ExperienceRunner(try Fixtures.starter(), flow: "log-in")
    runner.present()
    #expect(!runner.snapshot.screen.actions.contains { $0.id == ":close" } && !runner.perform(":close"))
    let trap = Experience(
      id: "trap",
      flows: [
        DeadEndDocument.flow(
          DeadEndDocument.screen("s", [], .move(.next), .move(.dismiss)), DeadEndDocument.screen("t", [], .move(.back)))
      ])
    let there = ExperienceRunner(trap)
    there.present()
    there.perform("a0")
    #expect(there.snapshot.screen.actions.map(\.id) == ["a0"], "back leads to a screen with a way out")
    let opened = ExperienceRunner(trap, flow: "f", screen: "t")
    opened.present()
    #expect(opened.snapshot.screen.actions.map(\.id) == [":close"])
  }
}
