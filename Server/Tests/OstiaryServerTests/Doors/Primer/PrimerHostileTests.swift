import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Primer door: hostile requests", .timeLimit(.minutes(20)))
struct PrimerHostileTests {
  private static let paths = ["/login", "/signup", "/recover", "/validate", "/v1/events", "/v1/users/a/identify"]

  @Test("No body makes the door fail, or costs more than its length")
  func bodies() async throws {
    try await PrimerTester.run { tester in
      let values = [
        "", "null", "true", "-0", "1e999", "\"\"", "[]", "[[[]]]", "{}", "{", "}", "{\"\":{}}", "\u{FEFF}{}", "\u{0}",
        String(repeating: "[", count: 20_000), String(repeating: "{\"a\":", count: 20_000),
        "{\"batch\":" + String(repeating: "[", count: 127) + String(repeating: "]", count: 127) + "}",
        "{\"batch\":[" + Array(repeating: "{}", count: 20_000).joined(separator: ",") + "]}",
        "{\"email\":\"" + String(repeating: "a", count: 50_000) + "@example.com\",\"password\":\"x\"}",
        "{\"email\":\"a@b\",\"password\":\"" + String(repeating: "\\u0301", count: 10_000) + "\"}",
        "{\"email\":\"\\ud800\",\"password\":\"\\udc00\",\"flow\":\"\\u0000\",\"userId\":\"\\uffff\"}",
        "{\"email\":{},\"password\":[],\"flow\":7,\"code\":{},\"batch\":{},\"userId\":[],\"properties\":null}",
        "{\"email\":\"a@example.com\",\"email\":\"b@example.com\",\"password\":1e400}",
        "{\"email\":\"'; DROP TABLE users; --\",\"username\":\"%\",\"password\":\"\\u0000\"}",
        "{\"batch\":[{\"id\":\"x\",\"name\":\"login\",\"user\":{\"anon\":\"'; DROP TABLE users; --\",\"id\":null}}]}",
        "{\"batch\":[{\"id\":\"n\",\"name\":\"x\",\"user\":{\"anon\":\"a\"},\"params\":{\"a\":1e308,\"b\":-9223372036854775808}}]}",
      ]
      for path in Self.paths {
        for (number, value) in values.enumerated() {
          let answer = try await tester.server.client().send(
            "POST", "/primer" + path,
            headers: [
              "Content-Type": "application/json; charset=utf-8", "X-Primer-Token": PrimerTester.token,
              "X-Forwarded-For": "10.0.\(number).1",
            ], body: value)
          #expect([200, 202, 204, 400, 413, 422].contains(answer.status), "\(path) \(number): \(answer.status)")
        }
        // Invalid UTF-8 and a body beyond the limit.
        var request = HTTPClientRequest(url: tester.server.origin + "/primer" + path)
        request.method = .POST
        request.headers = ["Content-Type": "application/json", "X-Primer-Token": PrimerTester.token]
        request.body = .bytes(Array("{\"email\":\"".utf8) + [0xFF, 0xC0, 0x80] + Array("\"}".utf8))
        #expect(try await Client.shared.execute(request, timeout: .seconds(120)).status == .badRequest)
        let large = try await tester.server.client().send(
          "POST", "/primer" + path,
          headers: ["Content-Type": "application/json", "X-Primer-Token": PrimerTester.token],
          body: "{\"batch\":\"" + String(repeating: "x", count: 2 << 20) + "\"}")
        #expect(large.status == 413)
      }
      #expect(try await tester.server.identity.users().map(\.name) == ["jane"])
      #expect(!tester.server.logs.text.contains("request failed"))
    }
  }

  @Test("No query, header or path makes delivery fail")
  func queries() async throws {
    try await PrimerTester.run { (tester: PrimerTester) async throws in
      for query in [
        "?user=", "?user=%00", "?user=" + String(repeating: "a", count: 5_000), "?type=", "?type=%F0%9F", "?x",
      ] {
        #expect([200, 400].contains(try await tester.experience(query).status), "\(query.prefix(20))")
      }
      for tag in ["", ",", ",,,", "W/", "\"", "\"a\", \"b\",", String(repeating: "\"a\",", count: 5_000)] {
        #expect(try await tester.experience("", ["If-None-Match": tag]).status == 200)
      }
      for path in ["/v1/users//identify", "/v1/users/a%2Fb/identify", "/v1/users/../identify", "/v1", "/", "//login"] {
        #expect(try await tester.post(path, .object(["userId": "u"])).status == 404)
      }
    }
  }

  @Test("CK-06: the door takes JSON from programs and nothing from another site's page")
  func forgery() async throws {
    try await PrimerTester.run { tester in
      let body: JSONValue = .object([
        "email": "x@example.com", "password": .string(PrimerTester.otherPassword), "batch": .array([]), "userId": "u",
      ])
      for path in Self.paths {
        for told in [
          ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"], ["Origin": "https://evil.example"],
        ] {
          #expect(try await tester.post(path, body, headers: told).status == 403, "\(path) \(told)")
        }
        for type in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", "application/jsonx"]
        {
          #expect(try await tester.post(path, body, headers: ["Content-Type": type]).status == 415, "\(path)")
        }
        let answer = try await tester.server.client().send(
          "OPTIONS", "/primer" + path, headers: ["Origin": "https://evil.example"])
        #expect(answer.status == 405 && answer.header("Access-Control-Allow-Origin") == nil)
      }
      #expect(try await tester.server.identity.users().map(\.name) == ["jane"])
    }
  }

  @Test("Passwords, codes, recoveries and tokens are in no log, and no description")
  func secrets() async throws {
    try await PrimerTester.run { tester in
      let wrong = "a very wrong passphrase"
      for email in [PrimerTester.address, "nobody@example.com"] {
        _ = try await tester.post("/login", .object(["email": .string(email), "password": .string(wrong)]))
      }
      let begun = try await tester.post("/recover", .object(["email": .string(PrimerTester.address)]))
      let flow = try #require(begun.json["flow"]?.string)
      let code = try #require(try await tester.code())
      let reset: JSONValue = .object([
        "flow": .string(flow), "code": .string(code), "password": .string(PrimerTester.otherPassword),
      ])
      #expect(try await tester.post("/recover", reset).status == 200)
      let new: JSONValue = .object(["email": "new@example.com", "password": .string("one more fine passphrase")])
      #expect(try await tester.post("/signup", new).status == 200)
      #expect(try await tester.post("/validate", new).status == 422)
      _ = try await tester.deliver([PrimerTester.event("an-event", "login", user: "somebody-in-particular")])
      let logs = tester.server.logs.text
      #expect(logs.contains("primer.login") && logs.contains("primer.signup"))
      let secrets = [
        wrong, PrimerTester.password, PrimerTester.otherPassword, "one more fine passphrase", code, flow,
        PrimerTester.token, "somebody-in-particular",
      ]
      for secret in secrets { #expect(!logs.contains(secret), "\(secret.prefix(6))") }
      let journal = tester.server.application.journal?.entries.map { "\($0)" }.joined() ?? ""
      for secret in secrets { #expect(!journal.contains(secret)) }
    }
  }
}
