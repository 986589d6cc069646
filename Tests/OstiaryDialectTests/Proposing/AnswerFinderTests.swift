import Foundation
import OstiaryCore
import Testing

@testable import OstiaryDialect

@Suite("What is found in an answer", .timeLimit(.minutes(5)))
struct AnswerFinderTests {
  /// A token with a header and claims, and a signature of zeros.
  static let jwt =
    "eyJhbGciOiJIUzI1NiJ9."
    + Data(#"{"exp":1800000000,"sub":"7"}"#.utf8).base64EncodedString()
    .replacing("=", with: "") + ".c2lnbmF0dXJl"

  private func call(_ body: String = #"{"username":"ann","password":"planted"}"#) throws -> OstiaryDialect.CapturedCall
  {
    OstiaryDialect.CapturedCall(
      method: "POST", url: try #require(URL(string: "https://a.example/login")),
      fields: [("Content-Type", "application/json")], body: Data(body.utf8))
  }

  private func finder(_ json: String, _ fields: [(name: String, value: Secret)] = []) throws -> AnswerFinder {
    AnswerFinder(CapturedAnswer(status: 200, fields: fields, body: Data(json.utf8)), to: try call())
  }

  @Test(
    "DIALECT-N08: tokens are told from other texts",
    arguments: [
      ("a3f8b2c1d4e5f607", "", true), ("7d1c", "token", false), ("shortish", "token", true),
      ("https://a.example/a1b2c3d4e5f6", "token", false), ("ann.a1b2c3@example.org", "", false),
      ("2026-11-27T05:49:00Z", "", false), ("aaaaaaaaaaaaaaaaaaaa1111", "", false),
      ("with blanks 12345678", "token", false),
      ("6f1b8f0a-7f5c-4f39-9a43-0a1b2c3d4e5f", "", false),
      ("6f1b8f0a-7f5c-4f39-9a43-0a1b2c3d4e5f", "sessiontoken", true),
      (AnswerFinderTests.jwt, "", true),
    ])
  func tokens(_ text: String, _ name: String, _ expected: Bool) {
    #expect(TokenLikeness.isToken(text, named: name) == expected, "\(text)")
  }

  @Test("DIALECT-N09: token, renewal token, end and user are found with their places, the likeliest first")
  func finds() throws {
    let finder = try finder(
      #"""
      {"data":{"access_token":"\#(Self.jwt)","refresh_token":"9a8b7c6d5e4f3a2b1c0d","expires_in":"3600","csrf_token":"abcdef0123456789"},
       "user":{"id":7,"email":"ann","roles":["a","b"]},"request_id":"0a1b2c3d4e5f60718293"}
      """#)
    let found = finder.findings
    #expect(found.first { $0.likeness == .token }?.name == "/data/access_token")
    #expect(found.first { $0.likeness == .token }?.claims.isSuperset(of: ["exp", "sub"]) == true)
    #expect(found.first { $0.likeness == .renewalToken }?.name == "/data/refresh_token")
    #expect(found.first { $0.isTime }?.likeness == .lifetime(.seconds))
    #expect(found.first { $0.likeness == .userID }?.name == "/user/id")
    #expect(found.first { $0.likeness == .userName }?.name == "/user/email")
    #expect(finder.value(of: try #require(found.first { $0.likeness == .userID })) == "7")
  }

  @Test(
    "DIALECT-N10: how a time is written is told by its form",
    arguments: [
      (#"{"expires_in":3600}"#, FoundValue.Likeness.lifetime(.seconds)),
      (#"{"expiresInMs":3600000}"#, .lifetime(.milliseconds)), (#"{"expires_at":1800000000}"#, .end(.epoch)),
      (#"{"expiresAt":"1800000000000"}"#, .end(.epochMilliseconds)),
      (#"{"expiry":"2026-11-27T05:49:00Z"}"#, .end(.rfc3339)),
      (#"{"expires":"2026-11-27T05:49:00"}"#, .end(.iso8601NoZone)),
      (#"{"expires":"2026-11-27 05:49:00"}"#, .end(.sql)),
      (#"{"expires":"Fri, 27 Nov 2026 05:49:00 GMT"}"#, .end(.http)),
    ])
  func times(_ json: String, _ expected: FoundValue.Likeness) throws {
    #expect(try finder(json).findings.first?.likeness == expected)
  }

  @Test("DIALECT-N11: fields and cookies are found, with the word before the token")
  func fields() throws {
    let finder = try finder(
      "",
      [
        ("Authorization", "Bearer a1b2c3d4e5f6a7b8"), ("X-Session-Token", "0f1e2d3c4b5a69788796"),
        ("Set-Cookie", "sessionid=q1w2e3r4t5y6u7i8; Path=/; HttpOnly"), ("WWW-Authenticate", "Bearer realm=a"),
        ("Content-Type", "text/html"),
      ])
    let found = finder.findings
    let field = try #require(found.first { $0.place == .header("Authorization") })
    #expect(field.prefix == "Bearer " && finder.value(of: field) == "a1b2c3d4e5f6a7b8")
    #expect(field.read == .object(["header": "Authorization", "after": "Bearer "]))
    #expect(found.contains { $0.place == .header("X-Session-Token") })
    let cookie = try #require(found.first { $0.isCookie })
    #expect(cookie.name == "sessionid" && finder.value(of: cookie) == "q1w2e3r4t5y6u7i8")
    #expect(found.count == 3)
  }

  @Test("DIALECT-N23: a body that is nothing but a token is one")
  func whole() throws {
    let finder = try finder("12|a1B2c3D4e5F6g7H8\n")
    let token = try #require(finder.findings.first)
    #expect(token.place == .whole && token.read == .object(["body": true]))
    #expect(finder.value(of: token) == "12|a1B2c3D4e5F6g7H8")
    #expect(finder.finding(named: "body", as: .token)?.place == .whole)
    #expect(try self.finder("<html>a1B2c3D4e5F6g7H8</html> no").findings.isEmpty)
    #expect(try self.finder("Welcome back, ann").findings.isEmpty)
  }

  @Test("DIALECT-N12: a name that is a value, and what was sent, are never a place or a token")
  func names() throws {
    let planted = "planted0a1b2c3d4e5f"
    let json = #"{"ann":{"token":"a1b2c3d4e5f6a7b8"},"\#(planted)":{"token":"b1b2c3d4e5f6a7b8"},"token":"planted"}"#
    #expect(try finder(json).findings.isEmpty)
    #expect(try finder(json).finding(named: "/ann/token", as: .token) == nil)
    #expect(try finder(json).finding(named: "/nothing", as: .token) == nil)
    #expect(try finder(#"{"k":"v1"}"#).finding(named: "/k", as: .token)?.name == "/k")
  }

  @Test("DIALECT-N13: large, deep and wide answers are bounded")
  func bounds() throws {
    let wide =
      "{" + (0..<6000).map { #""token\#($0 % 90)x\#($0)":"a1b2c3d4e5f6a7b8\#($0)""# }.joined(separator: ",") + "}"
    #expect(try finder(wide).findings.count == AnswerFinder.maximumFindings)
    let deep =
      String(repeating: #"{"a":"#, count: 100) + #"{"token":"a1b2c3d4e5f6"}"# + String(repeating: "}", count: 100)
    #expect(try finder(deep).findings.isEmpty)
    let large = #"{"token":"a1b2c3d4e5f6","x":"\#(String(repeating: "y", count: AnswerFinder.maximumBody))"}"#
    #expect(try finder(large).findings.isEmpty)
  }
}
