import Foundation
import OstiaryCore
import Testing

@testable import OstiaryClientCommand
@testable import OstiaryServerCommand

@Suite("The text of a configuration file", .timeLimit(.minutes(20)))
struct ConfigurationTextTests {
  @Test(
    "configuration: names that are twice in one object are found, in whatever way they are written",
    arguments: [
      (#"{"a": 1, "b": {"a": 1}, "c": [{"a": 1}, {"a": 2}]}"#, [String]()), (#"{"a": 1, "a": 2}"#, ["a"]),
      (#"{"a": {"b": "\"}{", "c": 1, "b": 2}, "a": 1}"#, ["a.b", "a"]), (#"{"a": 1, "\u0061": 2}"#, ["a"]),
      (#"{"a": [{"b": 1, "b": 1}]}"#, ["a.b"]), (#"{"a": "a", "b": ["a", "a", "b"]}"#, []), (#"{}"#, []),
      (#"{"a\\": 1, "a\\": 2}"#, ["a\\"]),
    ])
  func repeated(text: String, names: [String]) throws {
    #expect(try ConfigurationText(Data(text.utf8)).repeated == names)
  }

  @Test(
    "configuration: a text that is no JSON is told with its line",
    arguments: [
      ("{\n  \"a\": 1,\n  \"b\" 2\n}", 3), ("{\"a\": }", 1), ("{\n\"a\": 1", 2), ("", 1), ("{}\n{}", 2),
      ("\n# a: 1", 2),
      ("{\"a\": 1,\n}", 2), ("[1,\n\n01]", 3), ("{\"a\": \"x\n\"}", 1), ("[\n}", 2), ("{\"a\": [1]]\n", 1),
      ("[True]", 1),
      ("{\n\"a\": .5}", 2), ("[1\n2]", 2),
    ] as [(String, Int)])
  func notJSON(text: String, line: Int) throws {
    let problem = #expect(throws: ConfigurationProblem.self) { try ConfigurationText(Data(text.utf8)) }
    guard case .notJSON(let told) = problem else {
      Issue.record("\(String(describing: problem))")
      return
    }
    #expect(told == line)
  }

  @Test("configuration: a file of more than 1 MiB is refused")
  func large() throws {
    let problem = #expect(throws: ConfigurationProblem.self) {
      try ConfigurationText(Data("{\"a\": \"\(String(repeating: "x", count: 1 << 20))\"}".utf8))
    }
    guard case .tooLarge = problem else {
      Issue.record("\(String(describing: problem))")
      return
    }
  }
}
