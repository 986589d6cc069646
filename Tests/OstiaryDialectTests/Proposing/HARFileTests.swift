import Foundation
import OstiaryCore
import Testing

@testable import OstiaryDialect

@Suite("HAR files", .timeLimit(.minutes(5)))
struct HARFileTests {
  private func entry(
    _ method: String, _ path: String, headers: [String: String] = [:], body: String? = nil,
    type: String = "application/json",
    status: Int = 200, answer: String = "", answerHeaders: [String: String] = [:]
  ) -> JSONValue {
    func fields(_ headers: [String: String]) -> JSONValue {
      .array(headers.sorted { $0.key < $1.key }.map { .object(["name": .string($0.key), "value": .string($0.value)]) })
    }
    var request: [String: JSONValue] = [
      "method": .string(method), "url": .string("https://api.example\(path)"), "headers": fields(headers),
    ]
    if let body { request["postData"] = .object(["mimeType": .string(type), "text": .string(body)]) }
    return .object([
      "request": .object(request),
      "response": .object([
        "status": .integer(Int64(status)), "headers": fields(answerHeaders),
        "content": .object(["text": .string(answer), "mimeType": "application/json"]),
      ]),
    ])
  }

  private func file(_ entries: [JSONValue]) throws -> Data {
    try JSONEncoder().encode(JSONValue.object(["log": .object(["entries": .array(entries)])]))
  }

  @Test("DIALECT-N05: the call that signs in is the one that sends a password and is answered with success")
  func login() throws {
    let body = #"{"email":"ann@a.example","password":"x"}"#
    let calls = try HARFile.calls(
      file([
        entry("GET", "/"), entry("OPTIONS", "/login", body: body), entry("POST", "/login", body: body, status: 401),
        entry("POST", "/login", body: body, answer: #"{"token":"t"}"#), entry("GET", "/me"),
      ]))
    #expect(calls.count == 5)
    #expect(try HARFile.login(in: calls) == 3)
    #expect(calls[3].answer?.status == 200)
    #expect(throws: CaptureProblem.noLogin) { try HARFile.login(in: [calls[0]]) }
    let pin = try HARFile.calls(file([entry("POST", "/in", body: #"{"u":"a","pin":"1"}"#)]))
    #expect(throws: CaptureProblem.noLogin) { try HARFile.login(in: pin) }
    #expect(try HARFile.login(in: pin, passwordName: "pin") == 0)
  }

  @Test("DIALECT-N06: the calls after it tell how requests carry the token, which one renews, and who the user is")
  func follows() throws {
    let token = "planted-access-9f8e7d6c5b4a", renewal = "planted-refresh-1a2b3c4d5e6f"
    let calls = try HARFile.calls(
      file([
        entry(
          "POST", "/v1/login", body: #"{"login":"ann","password":"planted-pw-1"}"#,
          answer: #"{"data":{"jwt":"\#(token)","refresh":"\#(renewal)","expiresIn":3600}}"#),
        entry("OPTIONS", "/v1/me"),
        entry(
          "GET", "/v1/users/me", headers: ["x-auth": "Token \(token)", "cookie": token],
          answer: #"{"id":7,"name":"Ann","secret":"planted-other-7f6e5d4c"}"#),
        entry("POST", "/v1/token/renew", body: #"{"refreshToken":"\#(renewal)"}"#, answer: "{}"),
        entry("POST", "/v1/logout"),
      ]))
    let answer = try #require(calls[0].answer)
    var proposal = DialectProposal(calls[0], answer: answer, name: "a", title: "A")
    proposal.follow(Array(calls.dropFirst()), answer: answer)
    #expect(proposal.proof == .header(name: "x-auth", prefix: "Token "))
    #expect(proposal.renewPath == "/v1/token/renew" && proposal.renewName == "refreshToken")
    #expect(proposal.whoPath == "/v1/users/me" && proposal.endPath == "/v1/logout")
    #expect(proposal.whoUserID?.name == "/id" && proposal.whoUserName?.name == "/name")
    let text = String(decoding: try JSONEncoder().encode(proposal.document()), as: UTF8.self)
    #expect(!text.contains("planted"))
  }

  @Test("DIALECT-N07: damaged and foreign files are problems, and damaged calls are left out")
  func damaged() throws {
    for text in ["", "{", "[]", "{}", #"{"log":{}}"#, #"{"log":{"entries":7}}"#, "<html>"] {
      #expect(throws: CaptureProblem.notHAR) { try HARFile.calls(Data(text.utf8)) }
    }
    #expect(throws: CaptureProblem.tooLarge(limit: HARFile.maximumBytes)) {
      try HARFile.calls(Data(count: HARFile.maximumBytes + 1))
    }
    let good = entry("POST", "/a", body: "a=1", type: "application/x-www-form-urlencoded")
    let calls = try HARFile.calls(
      file([.null, .object([:]), .object(["request": .object(["method": "GET", "url": "blob:x"])]), good]))
    #expect(calls.count == 1 && calls.first?.form?.first?.name == "a")
    let marked = try Data([0xEF, 0xBB, 0xBF]) + file([good])
    #expect(try HARFile.calls(marked).count == 1)
  }
}
