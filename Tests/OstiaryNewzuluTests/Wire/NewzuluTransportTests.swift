import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryNewzulu

@Suite("The session token among a call's arguments")
struct NewzuluTransportTests {
  /// What arrives of a request with a token attached.
  func sent(_ body: String?, _ type: String?, token: String? = "to\"ken") async throws -> TransportRequest {
    let network = ScriptedTransport(handler: { _ in .status(.ok) })
    let url = try #require(URL(string: "http://newzulu.test/services/json"))
    var request = TransportRequest(try HTTPRequest(.post, to: url), body: body.map { Data($0.utf8) })
    if let type { request.head.headerFields[.contentType] = type }
    let name = try #require(HTTPField.Name.newzuluToken)
    if let token { request.head.headerFields[name] = token }
    _ = try await NewzuluTransport(network).send(request)
    let sent = try #require(network.requests.first)
    #expect(sent.head.headerFields[name] == nil)
    return sent
  }

  @Test(
    "It becomes a member of a JSON object, properly escaped",
    arguments: [
      ("{\"a\":1}", "{\"sessiontoken\":\"to\\\"ken\",\"a\":1}"), ("{}", "{\"sessiontoken\":\"to\\\"ken\"}"),
      (" {\n }", "{\"sessiontoken\":\"to\\\"ken\"\n }"),
    ])
  func json(_ body: String, _ expected: String) async throws {
    let text = String(decoding: try await sent(body, "application/json; charset=utf-8").body ?? Data(), as: UTF8.self)
    #expect(text == expected)
  }

  @Test(
    "It becomes a field of a form", arguments: [("a=1", "a=1&sessiontoken=to%22ken"), ("", "sessiontoken=to%22ken")])
  func form(_ body: String, _ expected: String) async throws {
    let body = try await sent(body, "application/x-www-form-urlencoded").body
    #expect(String(decoding: body ?? Data(), as: UTF8.self) == expected)
  }

  @Test(
    "What is no call goes on without it",
    arguments: [
      ("[1]", "application/json"), ("", "application/json"), ("hello", "text/plain"), (nil, nil), ("x", nil),
    ] as [(String?, String?)])
  func others(_ body: String?, _ type: String?) async throws {
    #expect(try await sent(body, type).body == body.map { Data($0.utf8) })
  }

  @Test("Without a token nothing is changed")
  func none() async throws {
    #expect(try await sent("{\"a\":1}", "application/json", token: nil).body == Data("{\"a\":1}".utf8))
  }
}
