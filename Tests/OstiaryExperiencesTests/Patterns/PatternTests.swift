import OstiaryCore
import Testing

@testable import OstiaryExperiences

@Suite("Patterns", .timeLimit(.minutes(20)))
struct PatternTests {
  @Test(
    "Whole values match",
    arguments: [
      ("[0-9]{5}", "10115", "1011"), ("[0-9]{5}", "00000", "100000"), ("a|bc", "bc", "abc"), ("(ab)+", "abab", "aba"),
      ("^a?b*$", "", "aa"), ("[^0-9]+", "abc", "a1"), (#"\d{2,3}-\w+"#, "123-x_1", "1-x"), (".+@.+", "a@b", "a@"),
      ("[A-Z][a-z]*", "Ada", "ada"), ("(?:x|y){2}", "xy", "x"), (#"[\d.-]+"#, "1.-", "a"), (#"\(\)"#, "()", "("),
      ("é+", "éé", "e"), ("(a{2}){3,}", "aaaaaaaa", "aaaaa"), ("(a{2}){3,}", "aaaaaa", "aaaaaaa"),
    ])
  func matches(source: String, good: String, bad: String) throws {
    let pattern = try #require(Pattern(source))
    #expect(pattern.matches(good))
    #expect(!pattern.matches(bad))
  }

  @Test(
    "What needs backtracking, is open or too large is refused",
    arguments: [
      "(", ")", "[", "[]", "[a", "*", "a**", "a+?", #"(a)\1"#, "(?=a)", "(?<x>a)", "a{2", "a{3,2}", "a{99999}", "\\",
      "[z-a]", "((a{50}){50}){50}", String(repeating: "(", count: 60) + String(repeating: ")", count: 60),
      String(repeating: "a", count: 501), "a^b", "a$b",
    ])
  func refuses(source: String) {
    #expect(Pattern(source) == nil)
  }

  @Test(
    "Bug-G26: nested repetitions cost what their size says, and more than that is refused with its size",
    arguments: [
      // Some of these had 2,000 states, and took 0.66 s for a value of 4,096 characters.
      ("(a|b)*a(a|b){60}", 124), ("((a|ab?)*(b|a)*){5}", 11), ("((((a*)*)*)*)*", 2), ("(a{0,10}){0,80}", nil),
      ("[a-z]{1,1000}", 16), (".{8,64}", 1), (#"[a-z0-9._%+-]+@[a-z0-9.-]+\.[a-z]{2,}"#, 4), ("(a?){200}", nil),
      ("((a{50}){20}){1,2}", nil), ("(a|b|c|d|e)*", 2), ("(ab|cd|ef)*gh", 2), ("(){1000}", 1), ("((){1000}){1000}", 1),
      ("[0-9]{13,19}", 1), ("(a{1,100}b?){1,5}", 80),
    ] as [(String, Int?)])
  func size(source: String, size: Int?) throws {
    switch Pattern.read(source) {
    case .success(let pattern):
      #expect(pattern.size == size)
      #expect(pattern.size <= Pattern.maximumSize)
    case .failure(.tooLarge(let text)):
      #expect(size == nil)
      #expect(text.contains("128") || text.contains("1024"))
    case .failure(.invalid): Issue.record("\(source) is an expression")
    }
  }

  @Test(
    "Whether something matches that has so many characters, and of which kind",
    arguments: [
      ("[0-9]{4}", 4...4, nil, true), ("[0-9]{4}", 5...9, nil, false), ("[0-9]{4}", 1...3, nil, false),
      ("a*", 1...1, nil, true), ("a*", 0...0, nil, true), ("a+", 0...0, nil, false), ("(a{0})*", 1...4_096, nil, false),
      (#"[^\s\S]"#, 0...4_096, nil, false), (#"[^\s\S]*b"#, 1...1, nil, true), ("(ab)*", 4_095...4_095, nil, false),
      ("(ab)*", 4_095...4_096, nil, true), ("(a|b)*a(a|b){60}", 61...61, nil, true),
      ("(a|b)*a(a|b){60}", 4_096...4_096, nil, true), ("(a|b)*a(a|b){60}", 1...60, nil, false),
      ("[a-z]+1", 1...9, "0123456789", false), ("[a-z]*1", 1...9, "0123456789", true), (".{2}é", 3...3, "ab", false),
      ("[a-z]{60}[0-9]{10}", 70...70, nil, true), ("[a-z]{60}[0-9]{10}", 71...4_096, nil, false),
    ] as [(String, ClosedRange<Int>, String?, Bool)])
  func hasMatch(source: String, lengths: ClosedRange<Int>, alphabet: String?, expected: Bool) throws {
    #expect(try #require(Pattern(source)).hasMatch(of: lengths, among: alphabet) == expected)
  }

  @Test(
    "Something is said to match where one of all texts of two letters does",
    arguments: [
      "(ab)*", "a(b|a{2})*", "(a|b){3}", "a{2,4}b?", "[^a]+", "c|ba", "(a?b){2,}", ".{5}", "(aab|b)*a", "[^ab]*",
      "a{0}", #"\w{2}c?"#, "(a{3})*|b{5}", "cb|a{4}",
    ])
  func agrees(source: String) throws {
    let pattern = try #require(Pattern(source))
    var texts = [""]
    for length in 0...6 {
      let isThere = texts.contains { pattern.matches($0) }
      #expect(pattern.hasMatch(of: length...length, among: "ab") == isThere, "\(length)")
      texts = texts.flatMap { [$0 + "a", $0 + "b"] }
    }
  }

  @Test("Bug-G26: the check of a document says how large an expression is")
  func checked() throws {
    let tree = try #require(JSONValue(json: Fixtures.data("starter.json")))
    let flows = try #require(tree["flows"]?.array)
    let place = try #require(flows.firstIndex { $0["screens"]?.array?.first?["fields"]?.array?.isEmpty == false })
    let data = try Fixtures.starter(
      ["flows", .element(place), "screens", 0, "fields", 0, "constraints", "pattern"],
      "((a?b?){20}|(ab|c){20,}|((a|b)?a+){20})*")
    #expect { try Experience(json: data) } throws: { error in
      "\(error)".contains("This expression is too large: its size is")
    }
  }

  @Test(
    "Bug-G26: expressions are written for the flag `v` of browsers",
    arguments: [
      ("[a-z0-9-]", #"[a-z0-9\-]"#), ("[(]", #"\("#), (#"\@"#, "@"), (#"\-"#, "-"), (#"[&&]"#, #"[\&\&]"#),
      ("^(a|b)?$", "(?:(?:a|b)){0,1}"), (#"[^\D_]"#, "[^_[^0-9]]"), (#"a{2}\/"#, #"(?:a){2}\/"#),
      (".", #"[^\n\r\u{2028}-\u{2029}]"#), ("\u{A0}", #"\u{a0}"#),
    ])
  func html(source: String, html: String) throws {
    #expect(try #require(Pattern(source)).html == html)
  }

  @Test(
    "Copies of repeated parts match as often as they say",
    arguments: [
      ("(ab?){2,3}", "abab", "ababababab"), ("(a|bc){2,}x", "abcax", "ax"), ("a?a?a?", "aaa", "aaaa"),
      ("(a*b){0,2}", "aabab", "bbb"), ("(|a)+", "aaa", "b"), ("a{0}b", "b", "ab"), ("(a{2,3}){2}", "aaaaaa", "aaaaaaa"),
      ("(a|b)*a(a|b){60}", "a" + String(repeating: "b", count: 60), "b" + String(repeating: "b", count: 60)),
      ("[a-z]{60}[0-9]{10}", String(repeating: "z", count: 60) + "0123456789", String(repeating: "z", count: 70)),
      ("[^a-c]{2}", "dé", "da"), ("[ぁ-ん]+", "ひらがな", "カタカナ"), (#"\S+"#, "\u{2027}", "\u{2028}"), (".", "😀", "😀😀"),
    ])
  func copies(source: String, good: String, bad: String) throws {
    let pattern = try #require(Pattern(source))
    #expect(pattern.matches(good))
    #expect(!pattern.matches(bad))
  }

  @Test(
    "Places of one class number are copies of one class",
    arguments: [
      "[a-c]{3}[a-c]|a", "(a|[^b]){2,4}a", #"(\d|\D[\d_]?){2}\w"#, "((ab|ba){2}a)*", ".{2}(.|a{0,3})", "a{0}b(c{0}|a)",
    ])
  func classes(source: String) throws {
    var parser = PatternParser(source)
    var builder = PatternBuilder()
    let parsed = parser.expression()
    let whole = builder.build(try #require(parsed))
    #expect(whole != nil && builder.numbers.count == builder.sets.count)
    let scalars = ["a", "b", "c", "d", "5", "_", "\n", "é"] as [Unicode.Scalar]
    var classes: [Int: [Bool]] = [:]
    for (number, set) in zip(builder.numbers, builder.sets) {
      let has = scalars.map { set.contains($0) }
      #expect(classes[number] == nil || classes[number] == has, "\(number)")
      classes[number] = has
    }
  }

  @Test("An expression that keeps backtracking matchers busy for years takes no time")
  func linear() throws {
    let pattern = try #require(Pattern("(a*)*b|(a|aa)+c"))
    #expect(!pattern.matches(String(repeating: "a", count: 4_000)))
  }
}
