import Foundation
import OstiaryCore
import Testing

@testable import OstiaryNewzulu

@Suite("A Newzulu call as a request")
struct NewzuluCallTests {
  let call = NewzuluCall(
    method: "media.getFiles",
    arguments: [
      "filters": ["channel": 3, "deep": ["a": "x"]], "fields": ["id", "title"], "parts": [["part": 1, "etag": "é&="]],
      "login": true, "none": .null, "vhost": "206",
    ])

  @Test("NS1: a form has nested arguments in PHP's brackets, and escapes what must be")
  func form() {
    let pairs = NewzuluCall.pairs(call.arguments).map { "\($0.name)=\($0.value)" }
    #expect(
      pairs == [
        "fields[]=id", "fields[]=title", "filters[channel]=3", "filters[deep][a]=x", "login=true", "none=",
        "parts[0][etag]=é&=", "parts[0][part]=1", "vhost=206",
      ])
  }

  @Test("NS1: a JSON body has the method among the arguments")
  func json() throws {
    let address = try #require(URL(string: "https://api.example/services/json"))
    let request = try call.request(to: address, encoding: .json, timeout: .seconds(9))
    #expect(request.timeout == .seconds(9))
    let body = try JSONDecoder().decode([String: JSONValue].self, from: request.body ?? Data())
    #expect(body == call.arguments.merging(["method": "media.getFiles"]) { $1 })
  }

  @Test("A number that JSON can't say is the program's mistake, not a trap")
  func infinite() throws {
    let address = try #require(URL(string: "https://api.example/services/json"))
    let call = NewzuluCall(method: "x", arguments: ["n": .number(.infinity)])
    #expect(throws: OstiaryError(.invalidInput, "")) {
      try call.request(to: address, encoding: .json, timeout: .seconds(1))
    }
  }
}
