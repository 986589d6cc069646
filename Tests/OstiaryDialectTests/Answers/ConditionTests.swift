import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryDialect
import OstiaryTesting
import Testing

@Suite("Conditions on an answer")
struct ConditionTests {
  static let head: HTTPFields = [.wwwAuthenticate: "Bearer realm=\"API\"", .server: "X"]

  func holds(_ condition: DialectCondition, _ body: String = "{}", status: HTTPResponse.Status = .unauthorized) -> Bool
  {
    let answer = dialectAnswer(apiAnswer(body, status: status, headerFields: Self.head))
    return condition.holds(of: answer.response.head, answer.body)
  }

  @Test("Status, and ranges of it")
  func statuses() {
    #expect(holds(.status(401)))
    #expect(!holds(.status(400)))
    #expect(holds(.status(400...499)))
    #expect(!holds(.status(402...499)))
  }

  @Test("Fields, in any case of ASCII letters")
  func fields() {
    #expect(holds(.header("www-authenticate", .contains("bearer"))))
    #expect(holds(.header("SERVER", .equals("x"))))
    #expect(!holds(.header("server", .equals("xy"))))
    #expect(holds(.header("server", .exists(true))))
    #expect(!holds(.header("server", .exists(false))))
    #expect(holds(.header("x-other", .exists(false))))
    #expect(!holds(.header("not a name", .exists(true))))
    #expect(!holds(.header("server", .contains(""))))
  }

  @Test("JSON types are compared exactly: false is neither 0 nor a text")
  func types() {
    let body = #"{"f":false,"z":0,"t":"false","n":102,"d":102.0,"s":"Token Expired","u":null}"#
    #expect(holds(.pointer("/f", .equals(false)), body))
    #expect(!holds(.pointer("/z", .equals(false)), body))
    #expect(!holds(.pointer("/t", .equals(false)), body))
    #expect(!holds(.pointer("/f", .equals("false")), body))
    #expect(holds(.pointer("/n", .equals(.number(102))), body))
    #expect(holds(.pointer("/d", .equals(102)), body))
    #expect(holds(.pointer("/n", .isOneOf([1, 102])), body))
    #expect(!holds(.pointer("/n", .isOneOf([1, "102"])), body))
    #expect(holds(.pointer("/s", .contains("token expired")), body))
    #expect(!holds(.pointer("/s", .equals("token expired")), body))
    #expect(!holds(.pointer("/n", .contains("102")), body))
    #expect(holds(.pointer("/u", .exists(false)), body))
    #expect(holds(.pointer("/u", .equals(.null)), body))
    #expect(!holds(.pointer("/x", .equals(.null)), body))
  }

  @Test("An answer that is no JSON has no places", arguments: ["", "<html>", "{\"code\":", "hello"])
  func noJSON(_ body: String) {
    #expect(!holds(.pointer("/code", .exists(true)), body))
    #expect(holds(.pointer("/code", .exists(false)), body))
  }

  @Test("Text is looked for in the first 16 KiB")
  func text() {
    let filler = String(repeating: "x", count: 16 * 1024)
    #expect(holds(.bodyContains("ÉTAT"), "l'ÉTAT"))
    #expect(holds(.bodyContains("account LOCKED"), "The Account locked."))
    #expect(!holds(.bodyContains("locked"), filler + "locked"))
    #expect(holds(.bodyContains("xl"), String(filler.dropFirst(2)) + "lx"))
    #expect(!holds(.bodyContains(""), "x"))
    #expect(!holds(.bodyContains("longer than the body"), "x"))
  }

  @Test("All, any and not; of nothing, all holds and any does not")
  func joined() {
    let yes = DialectCondition.status(401)
    let no = DialectCondition.status(200)
    #expect(holds(.all([yes, yes])))
    #expect(!holds(.all([yes, no])))
    #expect(holds(.any([no, yes])))
    #expect(!holds(.any([no, no])))
    #expect(holds(.not(no)))
    #expect(!holds(.not(yes)))
    #expect(holds(.all([])))
    #expect(!holds(.any([])))
  }

  @Test("Random conditions of random answers end, and mean the same twice")
  func random() {
    var generator = SplitMix64(seed: 19)
    for _ in 0..<300 {
      let condition = Self.condition(&generator, depth: 5)
      let body = Self.bodies.randomElement(using: &generator) ?? ""
      let once = holds(condition, body)
      #expect(holds(condition, body) == once)
      #expect(holds(.not(condition), body) != once)
    }
  }

  static let bodies = [#"{"a":{"b":[1,"x",null,true]}}"#, "[1,2]", "", "\u{FF}", "<p>"]

  static func condition(_ generator: inout SplitMix64, depth: Int) -> DialectCondition {
    switch Int.random(in: 0..<(depth > 0 ? 7 : 4), using: &generator) {
    case 0: return .status(Int.random(in: 399...402, using: &generator))
    case 1: return .header(["server", "x"].randomElement(using: &generator) ?? "x", .exists(true))
    case 2:
      let pointers: [DialectPointer] = ["", "/a", "/a/b", "/a/b/1", "/a/b/9", "~"]
      return .pointer(pointers.randomElement(using: &generator) ?? "", .isOneOf([1, "x", .null, true]))
    case 3: return .bodyContains(["a", "x", "\u{FF}"].randomElement(using: &generator) ?? "a")
    case 4: return .not(condition(&generator, depth: depth - 1))
    case 5: return .all((0..<2).map { _ in condition(&generator, depth: depth - 1) })
    default: return .any((0..<2).map { _ in condition(&generator, depth: depth - 1) })
    }
  }
}
