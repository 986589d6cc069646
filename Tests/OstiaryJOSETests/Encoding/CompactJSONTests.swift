import Foundation
import OstiaryCore
import OstiaryJOSE
import Testing

@Suite("JSON of headers and claims", .timeLimit(.minutes(20)))
struct CompactJSONTests {
  @Test("Names are in order, nothing is escaped that needn't be, and every reader reads the same")
  func text() throws {
    let members: [String: JSONValue] = [
      "b": .array([1, .number(1.5), .null, true, .object([:]), .array([])]), "a": "é/\"\\\n\u{1}🔑",
      "c": .object(["z": .integer(.min), "y": .number(1e300)]),
    ]
    let text = try #require(CompactJSON.object(members))
    #expect(
      String(decoding: text, as: UTF8.self)
        == #"{"a":"é/\"\\\u000a\u0001🔑","b":[1,1.5,null,true,{},[]],"c":{"y":1e+300,"z":-9223372036854775808}}"#)
    #expect(try StrictJSON.object(text) == members)
    #expect(try JSONDecoder().decode(JSONValue.self, from: Data(text)) == .object(members))
  }

  @Test("A number that JSON can't say is not written", arguments: [Double.infinity, -.infinity, .nan])
  func numbers(_ number: Double) throws {
    #expect(CompactJSON.object(["a": .array([.number(number)])]) == nil)
    let key = try SigningKey.make(.es256)
    #expect(refusal { () throws(JOSEError) in try key.sign(["exp": .number(number)]) } == .cannotSign)
  }
}
