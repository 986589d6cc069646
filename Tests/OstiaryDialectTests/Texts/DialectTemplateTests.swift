import OstiaryDialect
import OstiaryTesting
import Testing

@Suite("Dialect: templates and pointers as texts")
struct DialectTemplateTests {
  @Test("DIA-01 a template is read into its pieces")
  func pieces() {
    let template = DialectTemplate("a{{b}}{token}c{code?}{ttl:number}{flag?:boolean}")
    #expect(template.fault == nil)
    #expect(
      template.pieces == [
        .literal("a{b}"), .value(.init("token")), .literal("c"), .value(.init("code", isOptional: true)),
        .value(.init("ttl", as: .number)), .value(.init("flag", isOptional: true, as: .boolean)),
      ])
    #expect(template.names == ["token", "code", "ttl", "flag"])
    #expect(DialectTemplate(pieces: template.pieces) == template)
    #expect(DialectTemplate("{token}").onlyValue == .init("token"))
    #expect(DialectTemplate("{token} ").onlyValue == nil && DialectTemplate("").onlyValue == nil)
    #expect(DialectTemplate("").pieces == [] && DialectTemplate("").fault == nil)
  }

  @Test(
    "DIA-01 a template that is none says so, and has no pieces",
    arguments: [
      "{", "}", "a}b", "{}", "{ token}", "{token", "{to ken}", "{1a}", "{token:text}", "{token:}", "{token:int}",
      "{token??}", "{:number}", "{?}", "{{}", "{}}", "{a{b}}", "{é}", "{" + String(repeating: "a", count: 65) + "}",
      String(repeating: "a", count: 4097),
    ])
  func faults(text: String) {
    let template = DialectTemplate(text)
    #expect(template.fault != nil && template.pieces.isEmpty)
    #expect(template.fault?.contains("aaaa") != true)
  }

  @Test("DIA-01 a template comes back from its pieces, whatever its literals are")
  func random() {
    let marks = ["{", "}", "a", "\u{301}", "{{", "é", "\"", "~", "/", "\n"]
    for seed in Storm.seeds(400, full: 20_000) {
      var random = SplitMix64(seed: seed)
      var pieces: [DialectTemplate.Piece] = []
      for _ in 0..<Int.random(in: 0...5, using: &random) {
        if Bool.random(using: &random) {
          pieces.append(.value(.init("v", isOptional: .random(using: &random), as: .number)))
        } else {
          let count = Int.random(in: 1...4, using: &random)
          let text = (0..<count).map { _ in marks.randomElement(using: &random) ?? "" }.joined()
          // Two literals beside each other are one.
          if case .literal(let before)? = pieces.last {
            pieces[pieces.count - 1] = .literal(before + text)
          } else {
            pieces.append(.literal(text))
          }
        }
      }
      let template = DialectTemplate(pieces: pieces)
      #expect(template.fault == nil && template.pieces == pieces, "seed \(seed)")
    }
  }

  @Test("DIA-01 a pointer is read as RFC 6901 says")
  func pointers() {
    // The examples of RFC 6901 §5.
    let examples: [(String, [String])] = [
      ("", []), ("/foo", ["foo"]), ("/foo/0", ["foo", "0"]), ("/", [""]), ("/a~1b", ["a/b"]), ("/c%d", ["c%d"]),
      ("/e^f", ["e^f"]), ("/g|h", ["g|h"]), ("/i\\j", ["i\\j"]), ("/k\"l", ["k\"l"]), ("/ ", [" "]), ("/m~0n", ["m~n"]),
      ("/~01", ["~1"]),
    ]
    for (text, parts) in examples {
      let pointer = DialectPointer(text)
      #expect(pointer.fault == nil && pointer.parts == parts)
      #expect(DialectPointer(parts: parts).text == text)
    }
    let many = String(repeating: "/a", count: 17)
    for text in ["a", "~", "/~", "/~2", "/a~", many, "/" + String(repeating: "a", count: 4096)] {
      let pointer = DialectPointer(text)
      #expect(pointer.fault != nil && pointer.parts.isEmpty, "\(text.prefix(8))")
    }
    #expect(DialectPointer(parts: ["~\u{301}/", "/\u{301}"]).parts == ["~\u{301}/", "/\u{301}"])
  }
}
