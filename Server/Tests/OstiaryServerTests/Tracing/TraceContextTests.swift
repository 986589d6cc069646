import Foundation
import HTTPTypes
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("W3C Trace Context")
struct TraceContextTests {
  private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
  private static let span = "00f067aa0ba902b7"

  @Test(
    "OP-08: a traceparent is read, and one of a later version by its first parts",
    arguments: [
      ("00", "01", "", true), ("00", "00", "", false), ("00", "03", "", true), ("00", "ff", "", true),
      ("00", "fe", "", false), ("01", "01", "", true), ("cc", "0a", "-what-comes-later", false),
      ("cc", "01", "-", true),
    ])
  func good(version: String, flags: String, rest: String, isSampled: Bool) throws {
    let text = "\(version)-\(Self.trace)-\(Self.span)-\(flags)\(rest)"
    let context = try #require(TraceContext(parent: text, state: nil))
    #expect(context.traceID == Self.trace && context.spanID == Self.span && context.isSampled == isSampled)
    #expect(context.parent == "00-\(Self.trace)-\(Self.span)-\(isSampled ? "01" : "00")")
  }

  /// Each differs in one place from one that is good.
  static let malformed: [String] = {
    let good = "00-\(trace)-\(span)-01"
    let nothing = String(repeating: "0", count: 32)
    var bad: [String] = ["", "00", "\(good)-", "\(good)-01", "\(good)0", "\(good) ", " \(good)", "0\(good)"]
    bad += ["ff\(good.dropFirst(2))", "\(good.dropFirst(2))01", "cc\(good.dropFirst(2))x", good.uppercased()]
    bad += ["00-\(nothing)-\(span)-01", "00-\(trace)-\(nothing.prefix(16))-01", "00-\(trace)\(span)-0001-"]
    bad += ["\(good), \(good)", "\(good),\(good)", "00-\(trace.dropLast())é-\(span)-01"]
    for (index, character) in good.enumerated() where index != 1 {
      var characters = Array(good)
      characters[index] = character == "-" ? "0" : "-"
      bad.append(String(characters))
      characters[index] = "g"
      bad.append(String(characters))
    }
    return bad
  }()

  @Test("OP-08: what is no traceparent is none at all", arguments: malformed)
  func bad(text: String) {
    #expect(TraceContext(parent: text, state: nil) == nil)
    #expect(TraceContext(parent: text, state: "a=b") == nil)
  }

  @Test("OP-08: a state is handed on as it came, and one that is too long or no text is dropped alone")
  func state() {
    let parent = "00-\(Self.trace)-\(Self.span)-01"
    func members(_ count: Int) -> String { (0..<count).map { "k\($0)=v" }.joined(separator: ",") }
    let longest = "a=\(String(repeating: "x", count: 256)),b=\(String(repeating: "y", count: 251))"
    for good in [
      "rojo=00f067aa0ba902b7", "a=1,b=2", "a=1 , b=2", "a=1,,b=2,", "a=1;b", "fw529a3039@dt=FfffffFFF", "a_-*/=x y!",
      "0=1",
      members(32), longest,
    ] {
      #expect(TraceContext(parent: parent, state: good)?.state == good, "\(good)")
    }
    for bad in [
      "", ",", " ", "a", "=1", "a=", "a= ", "a=b=c", "A=1", "a b=1", "-a=1", "a=1,a=2", "a=1, b", members(33),
      longest + "y", "a=\(String(repeating: "x", count: 257))", "\(String(repeating: "k", count: 257))=1",
      "a=\r\nX: y", "a=é", "a=\u{0}", "a=\u{7F}",
    ] {
      let context = TraceContext(parent: parent, state: bad)
      #expect(context != nil && context?.state == nil, "\(bad)")
    }
  }

  @Test("OP-08: new ids have 16 and 8 bytes, and are not nothing")
  func ids() {
    for _ in 0..<1000 {
      let context = TraceContext(
        traceID: TraceContext.newTraceID(), spanID: TraceContext.newSpanID(), isSampled: true)
      #expect(TraceContext(parent: context.parent, state: nil) == context)
    }
  }

  @Test("OP-08: a method that a client has made up is no word of a span")
  func methods() throws {
    #expect(SpanText(HTTPRequest.Method.get).text == "GET" && SpanText(HTTPRequest.Method.delete).text == "DELETE")
    let secret = try #require(HTTPRequest.Method("PLANTED-SECRET"))
    #expect(SpanText(secret).text == "_OTHER")
  }
}
