import Foundation
import Testing

@testable import OstiaryCore

/// All that `JSONDecoder` decodes or refuses, a JSON value decodes or refuses, too.
@Suite("Decoding from a JSON value") struct JSONValueDecoderTests {
  /// One member of every kind that a decoder treats in its own way.
  private struct Everything: Codable, Equatable {
    enum Kind: String, Codable { case one, two }
    class Base: Codable, Equatable {
      var name = "base"
      static func == (left: Base, right: Base) -> Bool { left.name == right.name }
    }

    var flag = true
    var text = "t"
    var small: Int8 = -128
    var medium: Int16 = 300
    var large: Int32 = -70_000
    var whole: Int64 = .max
    var plain = 7
    var byte: UInt8 = 255
    var word: UInt16 = 65_535
    var double: UInt32 = .max
    var count: UInt = 9
    var revision: UInt64 = 1 << 62
    var ratio = 0.1
    var float: Float = 1.5
    var kind = Kind.two
    var kinds: [Kind: Int] = [.one: 1]
    var date = Date(timeIntervalSinceReferenceDate: 712_345_678.25)
    var url = URL(string: "https://example.org/a?b=c")
    var data = Data([0, 255, 7])
    var id = UUID()
    var nothing: String?
    var something: String? = "s"
    var list: [Int?] = [1, nil, 3]
    var nested: [[String: [Double]]] = [["a": [1, 2.5]], [:]]
    var table: [String: Secret] = ["access": Secret("token")]
    var json: JSONValue = .array([.null, .bool(false), .integer(3), .number(2.5), .string("x"), .object(["k": .null])])
    var object: [String: JSONValue] = ["k": .array([])]
    var base = Base()
  }

  @Test("Every kind of member comes back as JSONDecoder reads it")
  func everything() throws {
    let value = Everything()
    let data = try JSONEncoder().encode(value)
    let read = try #require(JSONValue(json: data)).decode(Everything.self)
    #expect(read == value)
    #expect(try read == JSONDecoder().decode(Everything.self, from: data))
    #expect(throws: Never.self) { try JSONValue.array([1, 2]).decode([UInt8].self) }
  }

  /// What is missing, of another type, or too large; and what is not.
  private struct Odd: Codable, Equatable {
    var a: Int8?
    var b: URL?
    var c: [String: Double]?
    var d: Date?
    var e: Data?
    var f: UUID?
    var g: [Odd]?
    var h: Everything.Kind?
  }

  @Test(
    "What JSONDecoder refuses is refused, and nothing else",
    arguments: [
      #"{}"#, #"[]"#, #"7"#, #"null"#, #"{"a":127}"#, #"{"a":128}"#, #"{"a":1.0}"#, #"{"a":1.5}"#, #"{"a":"1"}"#,
      #"{"a":null}"#, #"{"a":true}"#, #"{"b":""}"#, #"{"b":"x y"}"#, #"{"b":7}"#, #"{"c":{"x":1,"y":2e3}}"#,
      #"{"c":{"x":null}}"#, #"{"c":[]}"#, #"{"d":0}"#, #"{"d":"2001"}"#, #"{"e":"AP8="}"#, #"{"e":"%"}"#,
      #"{"f":"nonsense"}"#, #"{"g":[{"a":1},{"g":[]}]}"#, #"{"g":[null]}"#, #"{"g":[{"a":1000}]}"#, #"{"h":"two"}"#,
      #"{"h":"three"}"#, #"{"a":1,"a":2}"#, #"{"z":{"deep":[1,{"x":[]}]}}"#,
    ])
  func refused(text: String) throws {
    let data = Data(text.utf8)
    let theirs = try? JSONDecoder().decode(Odd.self, from: data)
    let ours = try? JSONValue(json: data)?.decode(Odd.self)
    #expect(ours == theirs)
  }

  @Test("An error says where")
  func errors() throws {
    let value = try #require(JSONValue(json: Data(#"{"c":{"x":"no"}}"#.utf8)))
    let error = #expect(throws: DecodingError.self) { try value.decode(Odd.self) }
    guard case .typeMismatch(_, let context) = error else {
      Issue.record("\(error.map(String.init(describing:)) ?? "no error")")
      return
    }
    #expect(context.codingPath.map(\.stringValue) == ["c", "x"])
    #expect(!context.debugDescription.contains("no\""), "what was read may be secret")
  }

  @Test("Attributes that are nested as deep as a server may send them come back from the store")
  func deepAttributes() throws {
    var deep = JSONValue.string("bottom")
    for _ in 0..<JSONValue.maximumDepth { deep = .array([deep]) }
    let session = Session(
      kind: AuthenticatorKind(rawValue: "test"), server: try #require(URL(string: "https://example.org")),
      version: ProofVersion(),
      grant: SessionGrant(user: .init(id: "ann"), proof: Proof(), attributes: ["deep": deep]), issuedAt: Date())
    #expect(try SessionCodec.decode(SessionCodec.encode(session)).attributes == session.attributes)
  }
}
