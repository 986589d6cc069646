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

  @Test("An expression that keeps backtracking matchers busy for years takes no time")
  func linear() throws {
    let pattern = try #require(Pattern("(a*)*b|(a|aa)+c"))
    #expect(!pattern.matches(String(repeating: "a", count: 4_000)))
  }
}
