import Foundation
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

@testable import OstiaryExperiences

/// The published schema and the decoder must say the same of every document. Only what one part of a document says of
/// another is beyond a schema: references, duplicates and contradictions.
@Suite("Schema", .timeLimit(.minutes(20)))
struct ExperienceSchemaTests {
  private static let schema = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "docs/experience.schema.json")

  /// A document that differs from the good one in one place.
  private struct Variant {
    let path: [Fixtures.PathPart]
    let value: JSONValue?
  }

  /// What is put in every place, one after the other.
  private static let replacements: [JSONValue?] = [
    nil, .null, true, 0, -7, .number(1.5), "", "x y", "login", "email", .array([]), .array(["a", 1]), .object([:]),
    .object(["kind": "next"]), .object(["kind": "goToFlow"]), .object(["key": "welcome"]),
    .string(String(repeating: "a", count: 5_000)),
  ]

  /// Every place of the tree.
  private static func places(_ tree: JSONValue, _ path: [Fixtures.PathPart] = []) -> [[Fixtures.PathPart]] {
    switch tree {
    case .object(let members):
      members.sorted { $0.key < $1.key }.flatMap {
        [path + [.member($0.key)]] + places($0.value, path + [.member($0.key)])
      }
    case .array(let elements):
      elements.enumerated().flatMap { [path + [.element($0)]] + places($1, path + [.element($0)]) }
    default: []
    }
  }

  /// Rules that a schema can't express.
  private static let beyondSchema: Set<ExperienceProblem.Code> = [
    .unknownReference, .duplicate, .contradiction, .deadEnd,
  ]

  private static let program = """
    import json, sys
    try:
        import jsonschema
    except ImportError:
        sys.exit(77)
    schema = json.load(open(sys.argv[1]))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for line in open(sys.argv[2], encoding="utf-8"):
        print("good" if validator.is_valid(json.loads(line)) else "bad")
    """

  @Test("The schema and the decoder agree on the good document and on a change of every place in it")
  func agreement() async throws {
    guard let python = ChildProcess.find("python3") else {
      print("schema: not compared, there is no python3")
      return
    }
    // Small, with everything in it: each place costs a validator some milliseconds.
    let tree = try #require(JSONValue(json: Fixtures.data("compact.json")))
    let starter = try #require(JSONValue(json: Fixtures.data("starter.json")))
    let encoder = JSONEncoder()
    var documents: [(path: [Fixtures.PathPart], json: Data)] = [
      ([], try encoder.encode(tree)), ([], try encoder.encode(starter)),
    ]
    for (index, place) in Self.places(tree).enumerated() {
      for step in 0..<2 {
        // In turn, so that over all places each is tried often.
        let replacement = Self.replacements[(index + step * 8) % Self.replacements.count]
        // An array without one of its elements is another array, and all later places move.
        if replacement == nil, case .element = place.last { continue }
        documents.append((place, try Fixtures.changed(tree, place, replacement)))
      }
    }
    let folder = try TemporaryFolder()
    let lines = folder.file("documents")
    try Data(documents.map(\.json).joined(separator: Data("\n".utf8))).write(to: lines)
    let result = try await ChildProcess.run(python, ["-c", Self.program, Self.schema.path, lines.path])
    if result.status == 77 {
      print("schema: not compared, python3 has no jsonschema")
      return
    }
    #expect(result.status == 0, "\(result.error)")
    let verdicts = result.output.split(separator: "\n").map { $0 == "good" }
    try #require(verdicts.count == documents.count)
    #expect(verdicts[0] && verdicts[1])
    var disagreements: [String] = []
    for (verdict, document) in zip(verdicts, documents) {
      let problems = Experience.check(json: document.json).problems
      let isAgreed =
        verdict ? problems.allSatisfy { Self.beyondSchema.contains($0.code) } : !problems.isEmpty
      if !isAgreed {
        disagreements.append("\(document.path): schema \(verdict), decoder \(problems)")
      }
    }
    #expect(disagreements.isEmpty, "\(disagreements.count) of \(documents.count): \(disagreements.prefix(5))")
  }

  @Test("The schema names every kind of field and every move")
  func names() throws {
    let text = String(decoding: try Data(contentsOf: Self.schema), as: UTF8.self)
    for kind in Experience.FieldKind.known { #expect(text.contains("\"\(kind.rawValue)\"")) }
    for kind in Experience.Flow.Kind.allCases { #expect(text.contains("\"\(kind.rawValue)\"")) }
    for category in PluralCategory.allCases { #expect(text.contains("\"\(category.rawValue)\"")) }
    #expect(text.contains("\"const\": \(Experience.format)}"))
  }
}
