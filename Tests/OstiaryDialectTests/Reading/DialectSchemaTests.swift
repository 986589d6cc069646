import Foundation
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryDialect

@Suite("Dialect: the JSON schema")
struct DialectSchemaTests {
  private static func schema() throws -> DialectSchema {
    DialectSchema(try OrderedJSON(Array(Dialect.schema.utf8), maximumDepth: 128))
  }

  /// Whether the decoder finds no fault with a document's shape.
  private static func hasShape(_ document: OrderedJSON) -> Bool {
    var check = DialectShapeCheck()
    check.match(document, DialectShape.document, at: [])
    return check.findings.isEmpty
  }

  @Test("DIA-07 the schema is JSON, says what each member is, and accepts documents that are read")
  func accepts() throws {
    let root = try OrderedJSON(Array(Dialect.schema.utf8), maximumDepth: 128)
    #expect(root["$schema"]?.string == "https://json-schema.org/draft/2020-12/schema")
    #expect(root["additionalProperties"] == .bool(false))
    for member in root["properties"]?.members ?? [] {
      #expect(member.value["description"]?.string?.isEmpty == false, "\(member.name)")
    }
    #expect(root["$defs"]?.members?.map(\.name) == DialectShape.Definition.allCases.map(\.rawValue))
    let schema = try Self.schema()
    for text in [DialectSamples.everything, DialectSamples.small] {
      #expect(schema.accepts(try DialectSamples.json(text)))
    }
    for proof in DialectSamples.proofs {
      let document = try DialectSamples.edited("/proof", proof)
      #expect(schema.accepts(try OrderedJSON([UInt8](document), maximumDepth: 64)), "\(proof)")
    }
  }

  @Test("DIA-07 the schema refuses each mistake of shape, and takes each that is one of content")
  func mistakes() throws {
    let schema = try Self.schema()
    for mistake in DialectProblemTests.shapes {
      let document = try OrderedJSON([UInt8](DialectSamples.edited(mistake.edit, mistake.text)), maximumDepth: 64)
      #expect(!schema.accepts(document), "\(mistake.testDescription)")
    }
    for mistake in DialectProblemTests.contents {
      let document = try OrderedJSON([UInt8](DialectSamples.edited(mistake.edit, mistake.text)), maximumDepth: 64)
      #expect(schema.accepts(document) == Self.hasShape(document), "\(mistake.testDescription)")
    }
  }

  @Test("DIA-07 the schema and the decoder agree on damaged documents")
  func agreement() throws {
    let schema = try Self.schema()
    let document = try DialectSamples.json(DialectSamples.everything)
    let places = document.places
    let values = [
      "null", "true", "false", "0", "7", "401", "-1.5", "\"\"", "\"GET\"", "\"/a\"", "\"means\"", "[]", "[\"/a\"]",
      "{}",
      "[[]]", "{\"a\": 1}", "{\"pointer\": \"/a\"}", "{\"jwt\": \"token\"}", "{\"in\": 5}", "{\"status\": 401}",
      "[null]",
    ]
    var accepted = 0
    for seed in Storm.seeds(600, full: 30_000) {
      var random = SplitMix64(seed: seed)
      let place = places.randomElement(using: &random) ?? []
      let value = try values.randomElement(using: &random).map(DialectSamples.json)
      var edited = document
      switch Int.random(in: 0...2, using: &random) {
      case 0: edited = document.replacing(place[...], with: nil) ?? .null
      case 1: edited = document.replacing(place[...], with: value) ?? .null
      // A member from elsewhere, which may be one that is known there or not.
      default:
        let name = places.compactMap(\.last).randomElement(using: &random) ?? "a"
        edited = document.replacing((place + [name])[...], with: value) ?? .null
      }
      let isAccepted = schema.accepts(edited)
      #expect(isAccepted == Self.hasShape(edited), "seed \(seed): \(place)")
      if isAccepted { accepted += 1 }
    }
    #expect(accepted > 30)
  }

  @Test("DIA-01 random documents of the right shape are accepted by the schema, and each of their problems has a place")
  func random() throws {
    let schema = try Self.schema()
    var refused = 0
    for seed in Storm.seeds(300, full: 20_000) {
      var generator = RandomDocument(seed: seed)
      let document = generator.document()
      #expect(schema.accepts(document) && Self.hasShape(document), "seed \(seed)")
      let problems = DialectSamples.problems(Data(document.bytes))
      if problems.isEmpty {
        let dialect = try Dialect(json: Data(document.bytes))
        #expect(try Dialect(json: dialect.json()) == dialect, "seed \(seed)")
      } else {
        refused += 1
      }
      for problem in problems {
        #expect(!problem.message.isEmpty && !problem.advice.isEmpty)
        let place = DialectSamples.parts(of: problem.place)
        #expect(document.value(at: place[...]) != nil, "seed \(seed): \(problem)")
      }
    }
    #expect(refused > 100)
  }
}
