import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryExperiences
import OstiaryTesting
import Primer
import TestSupport
import Testing

@MainActor
@Suite("Primer: the Info.plist", .timeLimit(.minutes(20)))
struct SettingsTests {
  @Test("Bug-D06 Primer: an Info.plist says where experiences and events are, and which files are experiences")
  func everything() throws {
    let file = URL(filePath: "/welcome.json")
    let settings = PrimerSettings(information: [
      "PrimerToken": "key", "PrimerServer": "https://primer.example/x", "PrimerExperiencePath": "/a/b",
      "PrimerEventsPath": "c", "PrimerTokenField": "X-App", "PrimerExperiences": ["login": "welcome.json"],
    ]) { $0 == "welcome.json" ? file : nil }
    #expect(settings.token == "key" && settings.server?.absoluteString == "https://primer.example/x")
    #expect(settings.experiencePath == "a/b" && settings.eventsPath == "c" && settings.tokenField.rawName == "X-App")
    #expect(settings.experiences == ["login": file] && settings.problems.isEmpty)
    #expect(PrimerSettings(information: [:]) { _ in nil } == PrimerSettings())
  }

  @Test(
    "Bug-D06 Primer: what an Info.plist has wrong is left as it is, and told by name",
    arguments: [
      (["PrimerServer": "primer"], "“PrimerServer”"), (["PrimerServer": 5], "“PrimerServer”"),
      (["PrimerExperiencePath": "https://evil.example/x"], "“PrimerExperiencePath”"),
      (["PrimerExperiencePath": "//evil.example/x"], "“PrimerExperiencePath”"),
      (["PrimerEventsPath": "../../x"], "“PrimerEventsPath”"), (["PrimerEventsPath": ""], "“PrimerEventsPath”"),
      (["PrimerTokenField": "a b"], "“PrimerTokenField”"), (["PrimerToken": 5], "“PrimerToken”"),
      (["PrimerExperiences": "x"], "“PrimerExperiences”"),
      (["PrimerExperiences": ["signUp": "x"]], "“PrimerExperiences”"),
      (["PrimerExperiences": ["login": "missing.json"]], "“PrimerExperiences”"),
    ] as [([String: any Sendable], String)])
  func wrong(_ information: [String: any Sendable], _ expected: String) {
    var settings = PrimerSettings(information: information) { $0 == "x" ? URL(filePath: "/x") : nil }
    #expect(settings.problems.count == 1 && settings.problems[0].contains(expected))
    settings.problems = []
    #expect(settings == PrimerSettings())
  }

  @Test("Bug-D06 Primer: an experience of the bundle that can't be used is none; one that code has set stays")
  func bundled() async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let (bad, good) = (folder.file("bad.json"), folder.file("good.json"))
    try Data("{}".utf8).write(to: bad)
    try Onboarding.document.write(to: good)
    var settings = PrimerSettings()
    settings.experiences = ["login": bad, "newUser": good, "recoverPassword": folder.file("none.json")]
    let service = PrimerService(
      environment: PrimerEnvironment(
        transport: ScriptedTransport(), store: { [store = FaultyStore()] in store }, clock: ManualClock(),
        settings: settings))
    let own = Data(String(decoding: Onboarding.document, as: UTF8.self).replacing("\"cta\"", with: "\"own\"").utf8)
    try PrimerService.$current.withValue(service) {
      try Primer.setExperience(own, for: .newUser)
      Primer.start()
    }
    let presented: (PMRExperienceType) async -> Bool = { type in
      let settings = PMRExperienceSettings()
      settings.experienceType = type
      return await withCheckedContinuation { continuation in
        PrimerService.$current.withValue(service) {
          Primer.presentExperience(with: settings, andCompletion: { continuation.resume(returning: $0) })
        }
      }
    }
    #expect(await presented(.login) == false)
    #expect(await presented(.recoverPassword) == false)
    #expect(await presented(.newUser))
    let tests = PrimerService.$current.withValue(service) { Primer.currentUser().activeABNTests }
    #expect(tests.map(\.name) == ["own"])
  }
}
