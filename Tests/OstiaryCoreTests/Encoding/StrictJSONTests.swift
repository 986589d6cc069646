import Foundation
import OstiaryCore
import Testing

@Suite("Strict JSON", .timeLimit(.minutes(20)))
struct StrictJSONTests {
  private func failure(_ text: String, maximumDepth: Int = 8) -> StrictJSON.Failure? {
    do {
      _ = try StrictJSON.object([UInt8](text.utf8), maximumDepth: maximumDepth)
      return nil
    } catch {
      return error
    }
  }

  @Test("An object is read as any reader reads it")
  func object() throws {
    #expect(try StrictJSON.object([UInt8](#" {"a":1,"b":{"a":[{"a":2},{"a":3}]}} "#.utf8))["a"] == 1)
    #expect(try StrictJSON.object([UInt8]("{}".utf8)).isEmpty)
  }

  @Test("Few members and many are had by their names", arguments: [0, 1, 2, 15, 16, 17, 40])
  func members(_ count: Int) throws {
    let text = (0..<count).map { #""n\#($0)":{"n\#($0)":[\#($0)]}"# }.joined(separator: ",")
    let members = try StrictJSON.members([UInt8]("{\(text)}".utf8))
    #expect(members.dictionary.count == count)
    #expect(try members.dictionary == StrictJSON.object([UInt8](" {\(text)} ".utf8)))
    for number in 0..<count {
      #expect(members["n\(number)"] == .object(["n\(number)": .array([.integer(Int64(number))])]))
    }
    #expect(members["n"] == nil && members["n\(count)"] == nil)
  }

  @Test(
    "JOSE-07: a name that stands twice is refused, at every level and in every spelling",
    arguments: [
      #"{"a":1,"a":1}"#, #"{"a":1,"b":2,"a":3}"#, #"{"a":1,"\u0061":2}"#, #"{"a":{"b":1,"b":2}}"#,
      #"{"a":[1,{"b":1,"b":2}]}"#, #"{"a":{},"a":{}}"#, #"{"":1,"":2}"#, "{\"\u{E9}\":1,\"e\u{301}\":2}",
    ])
  func repeated(_ text: String) {
    #expect(failure(text) == .repeatedName)
  }

  @Test(
    "What is not one object is refused",
    arguments: ["", "[]", "1", "null", "\"a\"", "{", "{}{}", "{\"a\":1}x", "\u{FEFF}{}", "{\"a\":1e999}", "{\"a\":}"])
  func malformed(_ text: String) {
    #expect(failure(text) == .malformed)
  }

  @Test("Invariant 14: nesting has the caller's limit")
  func depth() {
    func nested(_ count: Int) -> String {
      #"{"a":"# + String(repeating: "[", count: count) + String(repeating: "]", count: count) + "}"
    }
    #expect(failure(nested(7)) == nil)
    #expect(failure(nested(9)) == .tooDeep)
    #expect(failure(nested(1_000_000)) == .tooDeep)
  }
}
