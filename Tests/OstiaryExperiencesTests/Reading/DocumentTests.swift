import Foundation
import OstiaryCore
import Testing

@testable import OstiaryExperiences

@Suite("Document", .timeLimit(.minutes(20)))
struct DocumentTests {
  @Test("A document is read, written and read again as the same")
  func roundTrip() throws {
    let experience = try Fixtures.starter()
    #expect(experience.flows.map(\.kind) == [.signUp, .login, .recoverPassword, .custom])
    #expect(experience.flows[0].screens[0].fields[1].isSecure)
    #expect(experience.flows[0].screens[0].fields[1].autofill == "new-password")
    #expect(experience.flows[0].screens[1].fields[6].kind.known == .text)
    #expect(experience.flows[3].screens[0].actions.last?.work == .unknown("throwConfetti"))
    #expect(try Experience(json: experience.json()) == experience)
    let coded = try JSONDecoder().decode(Experience.self, from: JSONEncoder().encode(experience))
    #expect(coded == experience)
    try experience.validate()
  }

  @Test("A good document has no problems, and tells what is passed over")
  func report() throws {
    let report = Experience.check(json: try Fixtures.data("starter.json"))
    #expect(report.problems.isEmpty)
    #expect(report.notices.map(\.path) == ["$.flows[3].screens[0].actions[4].kind"])
    let odd = Experience.check(json: try Fixtures.starter(["flows", 0, "colour"], "red"))
    #expect(odd.experience != nil)
    #expect(odd.notices.contains { $0.path == "$.flows[0].colour" && $0.code == .unknownMember })
  }

  @Test("Bug-D15 Primer: a number field's first value keeps every digit beyond 2^53")
  func largeFirstValue() throws {
    let json = """
      {"format": 1, "version": 1, "id": "x", "type": "newUser", "flows": [{"id": "a", "kind": "custom", "screens": [
        {"id": "s", "fields": [{"key": "n", "kind": "number", "value": 9007199254740993}],
         "actions": [{"id": "go", "kind": "submit"}]}]}]}
      """
    let field = try Experience(json: Data(json.utf8)).flows[0].screens[0].fields[0]
    #expect(field.value == "9007199254740993")
    #expect(field.check("9007199254740993").value == .integer(9_007_199_254_740_993))
  }

  @Test("Every problem is told at once, each with its place")
  func everyProblem() throws {
    let json = """
      {"format": 1, "id": "1st", "version": 0, "language": "?", "flows": [
        {"id": "a", "kind": "dance", "screens": [
          {"fields": [{"key": "x", "kind": "text", "constraints": {"minLength": 9, "maxLength": 3, "pattern": "("}},
                      {"key": 7, "kind": "choice"},
                      {"key": "p", "kind": "password", "secure": false, "value": "x", "inherits": "email"}],
           "actions": [{"id": "go", "kind": "goToFlow"}, {"id": "u", "kind": "openURL", "url": "javascript:alert(1)"}]}
        ]}, 5]}
      """
    let report = Experience.check(json: Data(json.utf8))
    #expect(report.experience == nil)
    let found = Set(report.problems.map { "\($0.path) \($0.code)" })
    let expected: Set<String> = [
      "$.id bad_value", "$.version bad_value", "$.language bad_value", "$.flows[0].kind bad_value",
      "$.flows[0].screens[0].id missing", "$.flows[0].screens[0].fields[0].constraints.minLength contradiction",
      "$.flows[0].screens[0].fields[0].constraints.pattern bad_value", "$.flows[0].screens[0].fields[1].key wrong_type",
      "$.flows[0].screens[0].fields[1].options missing", "$.flows[0].screens[0].fields[2].secure contradiction",
      "$.flows[0].screens[0].fields[2].value contradiction", "$.flows[0].screens[0].fields[2].inherits contradiction",
      "$.flows[0].screens[0].actions[0].flow missing", "$.flows[0].screens[0].actions[1].url bad_value",
      "$.flows[1] wrong_type",
    ]
    #expect(found == expected, "\(found.symmetricDifference(expected))")
    #expect(throws: InvalidExperience.self) { try Experience(json: Data(json.utf8)) }
  }

  struct Slip: Sendable, CustomTestStringConvertible {
    let path: [Fixtures.PathPart]
    let value: JSONValue?
    let problem: String
    var testDescription: String { problem }
  }

  static let slips: [Slip] = [
    Slip(path: ["format"], value: 2, problem: "$.format unsupported_format"),
    Slip(path: ["flows"], value: .array([]), problem: "$.flows bad_value"),
    Slip(path: ["flows", 3, "id"], value: "sign-up", problem: "$.flows[3].id duplicate"),
    Slip(
      path: ["flows", 0, "screens", 0, "actions", 2, "flow"], value: "nowhere",
      problem: "$.flows[0].screens[0].actions[2].flow unknown_reference"),
    Slip(
      path: ["flows", 0, "screens", 0, "title", "key"], value: "nothing",
      problem: "$.flows[0].screens[0].title.key unknown_reference"),
    Slip(
      path: ["flows", 0, "screens", 0, "triggers", 0, "onSuccess", "screen"], value: "nowhere",
      problem: "$.flows[0].screens[0].triggers[0].onSuccess.screen unknown_reference"),
    Slip(
      path: ["flows", 0, "screens", 0, "fields", 1, "constraints", "matches"], value: "nothing",
      problem: "$.flows[0].screens[0].fields[1].constraints.matches unknown_reference"),
    Slip(
      path: ["flows", 0, "screens", 1, "fields", 4, "value"], value: "gold",
      problem: "$.flows[0].screens[1].fields[4].value contradiction"),
    Slip(
      path: ["flows", 3, "screens", 0, "actions", 0, "fields", 0], value: "nothing",
      problem: "$.flows[3].screens[0].actions[0].fields[0] unknown_reference"),
    Slip(
      path: ["flows", 3, "screens", 0, "actions", 2, "trigger"], value: "nothing",
      problem: "$.flows[3].screens[0].actions[2].trigger unknown_reference"),
    Slip(
      path: ["flows", 1, "onSuccess"], value: .object(["kind": "dismiss"]),
      problem: "$.flows[1].onSuccess contradiction"),
    Slip(path: ["texts", "en", "invites", "other"], value: nil, problem: "$.texts.en.invites.other missing"),
  ]

  @Test("A slip is found at its place", arguments: slips)
  func slip(_ slip: Slip) throws {
    let report = Experience.check(json: try Fixtures.starter(slip.path, slip.value))
    #expect(report.problems.map { "\($0.path) \($0.code)" } == [slip.problem])
  }

  @Test(
    "A secure field has no first value, no property to come from and no other state",
    arguments: [
      "password", "newPassword", "oneTimeCode",
    ])
  func secure(kind: String) {
    let field = Experience.Field(key: "k", kind: .init(rawValue: kind), isSecure: false, inherits: .from("k"))
    #expect(field.isSecure)
    #expect(field.inherits == nil)
    #expect(field.check("open sesame").value == .secret("open sesame"))
    #expect(!"\(field.check("open sesame").value)".contains("sesame"))
  }
}
