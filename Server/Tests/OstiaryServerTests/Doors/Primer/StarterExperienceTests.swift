import Foundation
import OstiaryCore
import OstiaryExperiences
import OstiaryTesting
import Testing

@testable import OstiaryServer

@Suite("The starter experience", .timeLimit(.minutes(20)))
struct StarterExperienceTests {
  private static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  @Test("It is what its file says, without a problem or a slip, and has what apps ask for")
  func document() throws {
    let file = Self.repository.appending(path: "Server/Sources/OstiaryServer/Accounts/Experiences/starter.json")
    #expect(try Data(contentsOf: file) == StarterExperience.document)
    let report = Experience.check(json: StarterExperience.document)
    #expect(report.problems.isEmpty && report.notices.isEmpty)
    let experience = try #require(report.experience)
    #expect(experience.requiresLogin && experience.type == .newUser)
    #expect(experience.flows.map(\.id) == ["sign-up", "log-in", "recover", "reset"])
    #expect(experience.startingFlow(for: .recoverPassword)?.id == "recover")
    // Bug-G21: as the account pages, in every language that they have.
    #expect(experience.texts.keys.sorted() == AccountTables.languages.sorted())
    let keys = experience.texts["en"]?.keys.sorted()
    for (language, texts) in experience.texts { #expect(texts.keys.sorted() == keys, "\(language)") }
  }

  private static let program = """
    import json, sys
    try:
        import jsonschema
    except ImportError:
        sys.exit(77)
    schema = json.load(open(sys.argv[1]))
    document = json.load(open(sys.argv[2], encoding="utf-8"))
    for error in jsonschema.Draft202012Validator(schema).iter_errors(document):
        print(error.json_path, error.message)
    """

  @Test("The published schema accepts it")
  func schema() async throws {
    let schema = Self.repository.appending(path: "docs/experience.schema.json").path
    let file = Self.repository.appending(path: "Server/Sources/OstiaryServer/Accounts/Experiences/starter.json").path
    guard let python = ChildProcess.find("python3") else {
      print("starter: not compared, there is no python3")
      return
    }
    let result = try await ChildProcess.run(python, ["-c", Self.program, schema, file])
    if result.status == 77 {
      print("starter: not compared, python3 has no jsonschema")
      return
    }
    #expect(result.status == 0 && result.output.isEmpty, "\(result.output) \(result.error)")
  }
}
