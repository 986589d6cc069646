import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Password policy")
struct PasswordPolicyTests {
  private let policy = PasswordPolicy.standard

  private func code(_ password: String, _ policy: PasswordPolicy? = nil) -> ServerError.Code? {
    do {
      try (policy ?? self.policy).check(Secret(password))
      return nil
    } catch {
      return error.code
    }
  }

  @Test("PW-01: fifteen characters are enough, fourteen are not")
  func minimum() {
    #expect(code("tgkvbnaxqmlcot") == .passwordTooShort)
    #expect(code("tgkvbnaxqmlcotw") == nil)
  }

  @Test("PW-01: the minimum is configurable, 8 at least", arguments: [Int.min, 0, 7, 1025])
  func floor(minimum: Int) throws {
    #expect(throws: ServerError(.policyTooWeak, "")) { try PasswordPolicy(minimumLength: minimum) }
    let eight = try PasswordPolicy(minimumLength: 8)
    #expect(code("tgkvbna", eight) == .passwordTooShort)
    #expect(code("tgkvbnax", eight) == nil)
  }

  @Test("PW-02: length is counted in code points, not bytes and not grapheme clusters")
  func codePoints() {
    // Thirteen characters of three bytes, then fifteen.
    #expect(code("日本語漢字仮名交文章力試験") == .passwordTooShort)
    #expect(code("日本語漢字仮名交文章力試験場所") == nil)
    // One grapheme cluster of seven code points.
    let family = "👨\u{200D}👩\u{200D}👧\u{200D}👦"
    #expect(family.count == 1 && family.unicodeScalars.count == 7)
    #expect(code("x" + family + family) == nil)
    #expect(code(family + family) == .passwordTooShort)
  }

  @Test("PW-02: length is counted after normalisation")
  func afterNormalisation() {
    // Twenty-eight code points before, fourteen after.
    #expect(code(String(repeating: "e\u{301}", count: 14)) == .passwordTooShort)
    // U+FDFA becomes eighteen code points.
    #expect(code("\u{FDFA}") == nil)
  }

  @Test("PW-03: 64 characters work, 1024 do, 1025 are refused, and so are 4097 bytes")
  func maximum() {
    func text(_ count: Int, _ alphabet: String = "abdgkmpqtvxz") -> String {
      var seed = UInt32(count)
      let letters = Array(alphabet)
      return String(
        (0..<count).map { _ in
          seed = seed &* 1_664_525 &+ 1_013_904_223
          return letters[Int(seed >> 16) % letters.count]
        })
    }
    #expect(code(text(64)) == nil)
    #expect(code(text(1024)) == nil)
    #expect(code(text(1025)) == .passwordTooLong)
    #expect(code(text(1024, "😀😂🙃🤔🦊🐙")) == nil)
    #expect(code(text(1025, "😀😂🙃🤔🦊🐙")) == .passwordTooLong)
    // Short before normalisation, long after.
    #expect(code(String(repeating: "\u{FDFA}", count: 100)) == .passwordTooLong)
    #expect(code(text(10_000_000)) == .passwordTooLong)
  }

  @Test(
    "PW-06: any character will do",
    arguments: [
      String(decoding: (UInt8(0x20)...0x7E).map { $0 }, as: UTF8.self), "with spaces in it and at the end ",
      "ünïcödé wörds ärë fïnë", "tab\tand\nnewline are fine", "% + & = : é 日本 space newline\n",
      "nul\u{0}and what follows it",
    ])
  func anything(password: String) {
    #expect(code(password) == nil)
  }

  @Test("PW-07: no rule asks for digits, capitals or signs; repetition fails as a pattern only")
  func noComposition() {
    #expect(code("kvbnaxqmlcotwpzdfy") == nil)
    #expect(code("839205716493028") == nil)
    #expect(code("aaaaaaaaaaaaaaaaq") == .passwordTooCommon)
    #expect(code("aaaaaaaaaaaaaaaaq", .insecureAnythingGoesForDevelopmentOnly) == nil)
  }

  @Test(
    "PW-08: the passwords tried first are refused",
    arguments: [
      "password", "Password", "PASSWORD", "12345678", "qwertyui", "iloveyou", "football", "trustno1", "sunshine",
      "password1", "1q2w3e4r", "starwars", "princess", "computer", "superman", "11111111", "passwordpassword",
      "PasswordFootball", "123456789012345", "abcdefghijklmnop", "qwertyuiopasdfghjkl", "ponmlkjihgfedcba",
      "qwertyuiopasdfgh12", "abc123abc123abc123", "zaqzaqzaqzaqzaqza", "1qaz2wsx3edc4rfv", "ｐａｓｓｗｏｒｄ",
    ])
  func common(password: String) throws {
    #expect(code(password, try PasswordPolicy(minimumLength: 8)) == .passwordTooCommon)
  }

  @Test(
    "PW-08: passwords that nobody tries first are not",
    arguments: ["correct horse battery staple", "tgkvbnaxqmlcotw", "blue-lamp-river-41", "abcdwxyztrefmol"])
  func uncommon(password: String) {
    #expect(code(password) == nil)
  }

  @Test("PW-08: the built-in list has 3000 entries, sorted")
  func list() throws {
    let data = try #require(Data(base64Encoded: CommonPasswords.fingerprints))
    let size = CommonPasswords.fingerprintCount
    #expect(data.count == 3000 * size)
    let entries = stride(from: 0, to: data.count, by: size).map { Array(data[$0..<$0 + size]) }
    #expect(zip(entries, entries.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) })
  }

  @Test("PW-08: a file adds to the list")
  func file() throws {
    let folder = TemporaryFolder()
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    let file = folder.url.appendingPathComponent("list.txt")
    try Data("Tgkvbnaxqmlcotw\r\nanother entry of it\n".utf8).write(to: file)
    let policy = try PasswordPolicy(blocklist: PasswordBlocklist(file: file))
    #expect(code("tgkvbnaxqmlcotw", policy) == .passwordTooCommon)
    #expect(code("another entry of it", policy) == .passwordTooCommon)
    #expect(code("passwordpassword", policy) == .passwordTooCommon)
    #expect(code("correct horse battery staple", policy) == nil)
    try Data([0xFF, 0xFE, 0xFF]).write(to: file)
    #expect(throws: ServerError.self) { try PasswordBlocklist(file: file) }
    #expect(throws: ServerError.self) { try PasswordBlocklist(file: folder.url.appendingPathComponent("none")) }
  }

  @Test("PW-22: a password on its way to the hash does not print")
  func redacted() throws {
    let password = try NormalizedPassword("canary-password-value")
    var dumped = ""
    dump(password, to: &dumped)
    #expect(!"\(password) \(String(reflecting: password)) \(dumped)".contains("canary"))
  }
}
