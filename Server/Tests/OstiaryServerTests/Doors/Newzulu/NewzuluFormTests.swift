import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Newzulu forms")
struct NewzuluFormTests {
  @Test(
    "Brackets nest as in PHP",
    arguments: [
      ("a=1&b=2", #"{"a":"1","b":"2"}"#), ("a=1&a=2", #"{"a":"2"}"#), ("a[b]=1&a[c]=2", #"{"a":{"b":"1","c":"2"}}"#),
      ("a[]=1&a[]=2", #"{"a":["1","2"]}"#), ("a[][b]=1&a[][b]=2", #"{"a":[{"b":"1"},{"b":"2"}]}"#),
      ("a[0][b]=1&a[0][c]=2&a[1][b]=3", #"{"a":{"0":{"b":"1","c":"2"},"1":{"b":"3"}}}"#),
      ("a=1&a[b]=2", #"{"a":{"b":"2"}}"#), ("a[b]=1&a=2", #"{"a":"2"}"#), ("a[]=1&a[x]=2", #"{"a":{"0":"1","x":"2"}}"#),
      ("a[5]=1&a[]=2", #"{"a":{"5":"1","6":"2"}}"#), ("a%5Bb%5D=%C3%A9+x", #"{"a":{"b":"é x"}}"#), ("", "{}"),
      ("a", #"{"a":""}"#),
      ("a[9223372036854775807]=1&a[]=2", #"{"a":{"-9223372036854775808":"2","9223372036854775807":"1"}}"#),
    ])
  func nesting(form: String, json: String) throws {
    let fields = try #require(FormFields(encoded: form.utf8))
    let arguments = try #require(NewzuluForm.arguments(fields))
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    #expect(String(decoding: try encoder.encode(arguments), as: UTF8.self) == json)
  }

  @Test("Lists come as lists or as numbered members, in the order of the numbers")
  func lists() throws {
    let arguments = NewzuluArguments([
      "a": .array(["x", "y"]), "b": .object(["10": "z", "9": "y"]), "c": "", "d": .object(["x": "y"]), "e": 5,
    ])
    #expect(try arguments.list("a") == ["x", "y"])
    #expect(try arguments.list("b") == ["y", "z"])
    #expect(try arguments.list("c") == [])
    #expect(try arguments.list("none") == nil)
    #expect(throws: NewzuluFailure.self) { try arguments.list("d") }
    #expect(throws: NewzuluFailure.self) { try arguments.list("e") }
  }

  @Test("An address of a part is good until it expires, for its upload alone, and not if a bit of it is changed")
  func addresses() throws {
    let origin = try #require(Origin(scheme: "https", host: "id.example.org", port: nil))
    let addresses = NewzuluPartAddresses(origin: origin)
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    for id in [1, 77, Int64.max] {
      let secret = addresses.secret(forUpload: id, until: now.addingTimeInterval(10))
      #expect(addresses.address(secret: secret, part: 3) == "https://id.example.org/services/parts/\(secret)/3")
      #expect(addresses.upload(of: secret, at: now.addingTimeInterval(9)) == id)
      #expect(addresses.upload(of: secret, at: now.addingTimeInterval(10)) == nil)
      #expect(NewzuluPartAddresses(origin: origin).upload(of: secret, at: now) == nil)
      let characters = Array(secret)
      for index in characters.indices {
        var changed = characters
        changed[index] = characters[index] == "A" ? "B" : "A"
        #expect(addresses.upload(of: String(changed), at: now) == nil)
      }
    }
  }
}
