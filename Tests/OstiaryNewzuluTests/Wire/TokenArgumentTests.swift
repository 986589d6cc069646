import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryDialect
import Testing

@Suite("The session token among a call's arguments")
struct TokenArgumentTests {
  /// What becomes of a request to which a token is added.
  func added(to body: String?, _ type: String?) throws -> TransportRequest {
    let url = try #require(URL(string: "http://newzulu.test/services/json"))
    var request = TransportRequest(try HTTPRequest(.post, to: url), body: body.map { Data($0.utf8) })
    if let type { request.head.headerFields[.contentType] = type }
    let head = request.head
    TokenArgument(name: "sessiontoken", token: "to\"ken").add(to: &request)
    #expect(request.head == head)
    return request
  }

  @Test(
    "It becomes a member of a JSON object, properly escaped",
    arguments: [
      ("{\"a\":1}", "{\"sessiontoken\":\"to\\\"ken\",\"a\":1}"), ("{}", "{\"sessiontoken\":\"to\\\"ken\"}"),
      (" {\n }", "{\"sessiontoken\":\"to\\\"ken\"\n }"),
    ])
  func json(_ body: String, _ expected: String) throws {
    let text = String(decoding: try added(to: body, "application/json; charset=utf-8").body ?? Data(), as: UTF8.self)
    #expect(text == expected)
  }

  @Test(
    "It becomes a field of a form", arguments: [("a=1", "a=1&sessiontoken=to%22ken"), ("", "sessiontoken=to%22ken")])
  func form(_ body: String, _ expected: String) throws {
    let body = try added(to: body, "application/x-www-form-urlencoded").body
    #expect(String(decoding: body ?? Data(), as: UTF8.self) == expected)
  }

  @Test(
    "What is no call goes on without it",
    arguments: [
      ("[1]", "application/json"), ("", "application/json"), ("hello", "text/plain"), (nil, nil), ("x", nil),
    ] as [(String?, String?)])
  func others(_ body: String?, _ type: String?) throws {
    #expect(try added(to: body, type).body == body.map { Data($0.utf8) })
  }
}
