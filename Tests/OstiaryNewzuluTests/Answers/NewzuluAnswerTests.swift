import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

@testable import OstiaryNewzulu

/// A refusal that repeats a secret.
@Suite("Bug-F29: a refusal is looked through before it is shortened") struct RefusalSecretTests {
  @Test("A text whose 200th character stands in a secret shows none of it", arguments: [150, 171, 199, 250])
  func cut(offset: Int) {
    let secret: Secret = "correct-horse-battery-staple-apple"
    let text = String(repeating: "x", count: offset) + secret.reveal()
    let answer = NewzuluAnswer(
      response("{\"status\":false,\"code\":120,\"message\":\"\(text)\"}"), configuration: NewzuluConfiguration(),
      now: Date(), hiding: [secret])
    guard case .refused(let refusal) = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(refusal.number == 120 && refusal.text.isEmpty)
  }
}

@Suite("What a Newzulu server's answers mean")
struct NewzuluAnswerTests {
  func read(_ body: String, status: HTTPResponse.Status = .ok) -> NewzuluAnswer {
    NewzuluAnswer(response(body, status: status), configuration: NewzuluConfiguration(), now: Date())
  }

  @Test("A status that PHP takes for true is a success", arguments: ["true", "1", "\"1\"", "\"true\"", "\"TRUE\""])
  func success(_ status: String) {
    guard case .result(let value) = read("{\"status\":\(status),\"result\":{\"a\":1}}") else {
      Issue.record("no result")
      return
    }
    #expect(value["a"] == 1)
  }

  @Test(
    "A status that PHP takes for false is a failure, whose text is the message or the result",
    arguments: ["false", "0", "\"0\"", "\"false\"", "\"FALSE\""])
  func failure(_ status: String) {
    for member in ["message", "result"] {
      guard case .refused(let refusal) = read("{\"status\":\(status),\"\(member)\":\"No such thing\"}") else {
        Issue.record("not refused")
        continue
      }
      #expect(refusal == NewzuluRefusal(number: nil, text: "No such thing"))
    }
  }

  @Test(
    "Any other status, or none, is no documented one, beside any text",
    arguments: ["\"\"", "null", "2", "-1", "[]", "{}", "[false]", "\"no\"", "0.5", "\"status\""])
  func noStatus(_ status: String) {
    for body in [
      "{\"status\":\(status),\"message\":\"Invalid session token\",\"code\":102}",
      "{\"status\":\(status),\"result\":{}}",
      "{\"result\":\"Session expired\"}",
    ] {
      guard case .unexpected = read(body) else {
        Issue.record("understood \(body)")
        continue
      }
    }
  }

  @Test("NS5: a failure with a number is about the session if the number says so, whatever the text")
  func numbers() {
    for number in ["102", "103", "\"102\""] {
      guard case .sessionOver = read("{\"status\":false,\"code\":\(number),\"message\":\"x\"}") else {
        Issue.record("\(number) is not about the session")
        continue
      }
    }
    for number in [100, 101, 110, 120, 130, 150, 0, -1] {
      guard case .refused = read("{\"status\":false,\"code\":\(number),\"message\":\"Invalid session token\"}") else {
        Issue.record("\(number) is about the session")
        continue
      }
    }
  }

  @Test(
    "Bug-F25: a failure whose number can't be read is no documented one, beside any text",
    arguments: [
      "{}", "[]", "[102]", "\"x\"", "\"\"", "\" \"", "\"130 \\u0000\"", "102.5", "true", "1e300",
      "99999999999999999999",
    ])
  func unreadableNumber(_ code: String) {
    for text in ["Invalid session token", "Not found", "Unknown method", "x"] {
      guard case .unexpected = read("{\"status\":false,\"code\":\(code),\"message\":\"\(text)\"}") else {
        Issue.record("understood \(code) beside \(text)")
        continue
      }
    }
  }

  @Test("A number that is null is none, and the text tells")
  func nullNumber() {
    guard case .refused(let refusal) = read("{\"status\":false,\"code\":null,\"message\":\"x\"}") else {
      Issue.record("not refused")
      return
    }
    #expect(refusal.number == nil)
    guard case .sessionOver = read("{\"status\":false,\"code\":null,\"message\":\"Session expired\"}") else {
      Issue.record("not about the session")
      return
    }
  }

  @Test(
    "NS5: without a number, the text tells",
    arguments: [
      ("Invalid session token", true), ("INVALID SESSIONTOKEN", true), ("Your session has expired.", true),
      ("You are not logged in", true), ("Session required", true), ("Invalid API key", false), ("", false),
      ("Too many sessions", false), ("The session of parliament", false), ("token expired", false),
    ])
  func texts(_ text: String, _ isAboutSession: Bool) {
    var found = false
    if case .sessionOver = read("{\"status\":false,\"message\":\"\(text)\"}") { found = true }
    #expect(found == isAboutSession)
  }

  @Test("A server that can't answer says how long, if it does", arguments: [429, 500, 502, 503, 599])
  func unavailable(_ code: Int) {
    var answer = response("{\"status\":false,\"message\":\"Invalid session token\"}", status: .init(code: code))
    answer.head.headerFields[.retryAfter] = "7"
    let read = NewzuluAnswer(answer, configuration: NewzuluConfiguration(), now: Date())
    guard case .unavailable(let status, let wait) = read else {
      Issue.record("not unavailable")
      return
    }
    #expect(status.code == code && wait == .seconds(7))
  }

  @Test("Answers that are none are unexpected, whatever they are", arguments: nonsense)
  func hostile(_ name: String, _ answer: TransportResponse) {
    guard case .unexpected = NewzuluAnswer(answer, configuration: NewzuluConfiguration(), now: Date()) else {
      Issue.record("\(name) was understood")
      return
    }
  }

  @Test("A refusal keeps a short text without control characters")
  func longText() {
    let refusal = NewzuluRefusal(number: 1, text: String(repeating: "x", count: 10_000) + "\u{1B}[2J")
    #expect(refusal.text.count == 200)
    #expect(NewzuluRefusal(number: 1, text: "a\r\nb\u{7F}\u{1B}c").text == "abc")
  }

  @Test(
    "N12: identifiers are text, from a string or a whole number",
    arguments: [
      (JSONValue.string("217842376"), "217842376"), (.integer(217_842_376), "217842376"), (.number(5), "5"),
      (.string(" 7 "), "7"), (.string("0012"), "0012"),
    ])
  func looseText(_ value: JSONValue, _ text: String) {
    #expect(value.looseText == text)
  }

  @Test(
    "N12: what is no text has none",
    arguments: [
      JSONValue.null, "", "  ", true, .number(1.5), .number(.infinity), .number(.nan), .number(1e300), .array([1]),
      .object(["id": 1]),
    ])
  func noText(_ value: JSONValue) {
    #expect(value.looseText == nil)
    #expect(value.looseInteger == nil)
  }
}
