import Foundation
import OstiaryCore
import OstiaryTesting
import PythonTestSupport
import Testing

@testable import OstiaryServer

@Suite("Bug-G17: names", .serialized, .timeLimit(.minutes(20)))
struct UserNameTests {
  @Test(
    "Bug-G17: names of every script are user names, and spaces around them are left out",
    arguments: [
      ("علی\u{200C}رضا", "علی\u{200C}رضا"), ("क्\u{200D}ष", "क्\u{200D}ष"), ("ada ", "ada"), (" ada", "ada"),
      ("\u{3000}さくら\u{A0}", "さくら"), ("ada\u{200B}", "ada"), ("ab\u{200C}", "ab"), ("\u{FEFF}ada", "ada"),
      ("Ada Lovelace", "Ada Lovelace"),
      ("Ａｄａ", "Ada"), ("ｱﾀﾞ", "アダ"), ("山田　太郎", "山田 太郎"), ("jo\u{308}rg", "j\u{F6}rg"), ("l·l", "l·l"),
      ("שלום1", "שלום1"), ("ada.lovelace+x@example.com", "ada.lovelace+x@example.com"),
      ("علی@example.com", "علی@example.com"), ("ß", "ß"), ("マリー・アン", "マリー・アン"),
    ])
  func kept(name: String, stored: String) async throws {
    #expect(try Array(UserName.validated(name).unicodeScalars) == Array(stored.unicodeScalars))
    let server = try IdentityWorld()
    try await server.identity.addUser(name: name, password: IdentityWorld.password)
    #expect(await server.verify(stored, IdentityWorld.password).summary == "accepted")
  }

  @Test(
    "Bug-G17: what no user name can have is refused",
    arguments: [
      "a\u{200C}b", "a\u{200D}b", "\u{200C}", " ", "\u{200B}", "a\u{200B}b", "a\u{202E}b", "a\nb",
      "1שלום",
      "ada שa", "a\u{640}", "٠۰", "😀", "a\u{A0}b", "½", "\u{1100}", "ﬁ", "\u{378}", "·", "a\u{E0041}",
      "a\u{FFE3}b", "\u{FFE3}a",
    ])
  func refused(name: String) {
    #expect(throws: ServerError(.invalidUserName, "")) { try UserName.validated(name) }
  }

  @Test(
    "Bug-G17: a person's name is trimmed and normalized, and nothing else",
    arguments: [
      (" Ada Lovelace ", "Ada Lovelace"), ("علی\u{200C}رضا", "علی\u{200C}رضا"), ("Zoe\u{308} 😀", "Zo\u{EB} 😀"),
      ("👩\u{200D}🚀", "👩\u{200D}🚀"), ("ﬁ Ａ", "ﬁ Ａ"), ("Dr. X, Ph.D. (1½)", "Dr. X, Ph.D. (1½)"),
      ("❤\u{FE0F}", "❤\u{FE0F}"), ("សុខ\u{200B}ជា", "សុខ\u{200B}ជា"), ("דוד\u{200F} (David)", "דוד\u{200F} (David)"),
      ("\u{1820}\u{180E}\u{1820}", "\u{1820}\u{180E}\u{1820}"), ("Ka\u{AD}tha", "Ka\u{AD}tha"),
      ("1 שלום x", "1 שלום x"),
    ])
  func person(name: String, kept: String) throws {
    #expect(try Array(PersonName.validated(name).unicodeScalars) == Array(kept.unicodeScalars))
  }

  @Test(
    "A person's name is one line that can't turn the text around",
    arguments: ["", "  ", "a\nb", "a\u{202E}b", "a\u{2067}b", "a\u{2028}b", "a\u{FFF9}b", "a\u{E000}b", "a\u{0}"])
  func noPerson(name: String) {
    #expect(throws: ServerError(.invalidUserName, "")) { try PersonName.validated(name) }
  }

  /// Names of random characters, mostly such that names have.
  private static func names(_ count: Int) -> [String] {
    var seed: UInt64 = 17
    func next(_ bound: Int) -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(seed >> 33) % bound
    }
    let blocks: [ClosedRange<UInt32>] = [
      0x20...0x7E, 0x61...0x7A, 0xA0...0x17F, 0x370...0x3FF, 0x400...0x4FF, 0x5D0...0x5F4, 0x620...0x6FF, 0x620...0x64A,
      0x900...0x97F, 0xE00...0xE5B, 0x1100...0x1130, 0x3041...0x30FF, 0x4E00...0x4E80, 0xAC00...0xAC80,
      0x200B...0x200F, 0x200C...0x200D, 0xFF01...0xFF9F, 0x300...0x330, 0x2100...0x2150, 0x1E900...0x1E943,
      0xFB00...0xFB06,
    ]
    return (0..<count).map { _ in
      let own = [blocks[next(blocks.count)], blocks[next(blocks.count)]]
      var name = String.UnicodeScalarView()
      for _ in 0...next(6) {
        let block = next(6) == 0 ? blocks[next(blocks.count)] : own[next(2)]
        if let scalar = Unicode.Scalar(block.lowerBound + UInt32(next(block.count))) { name.append(scalar) }
      }
      return String(name)
    }
  }

  @Test("Bug-G17: a name has the key that it had, so that names of earlier versions still log in, and none collides")
  func keys() throws {
    var accepted = 0
    for name in Self.names(50_000) {
      guard let kept = try? UserName.validated(name) else { continue }
      accepted += 1
      let wanted = NameText.withoutPadding(name)
      #expect(NameKey(kept) == NameKey(wanted))
      #expect(try UserName.validated(kept) == kept)
    }
    #expect(accepted > 5_000)
  }

  private static let python = PythonEnvironment(name: "precis", packages: ["precis-i18n==1.1.2"])

  @Test(
    "Bug-G17: names are judged as precis-i18n judges them",
    .enabled("There is no Python, or no registry with precis-i18n.") { await Self.python.interpreter() != nil })
  func precis() async throws {
    let interpreter = try #require(await Self.python.interpreter())
    // Names with spaces and addresses have parts (RFC 8265 leaves that to applications), and each part has its own direction.
    let names = Self.names(10_000).filter {
      !$0.isEmpty && $0 == NameText.withoutPadding($0) && !$0.contains { $0 == " " || $0 == "@" }
    }
    let program = """
      import json, sys, unicodedata
      from precis_i18n import get_profile
      profile = get_profile('UsernameCasePreserved')
      def judged(name):
          # Characters that this Python does not know yet say nothing.
          if any(unicodedata.category(c) == 'Cn' for c in name): return '?'
          try: return profile.enforce(name)
          except UnicodeError: return None
      print(json.dumps([judged(n) for n in json.load(sys.stdin)]))
      """
    let input = String(decoding: try JSONEncoder().encode(names), as: UTF8.self)
    let result = try await ChildProcess.run(
      interpreter, ["-c", program], environment: ["PYTHONIOENCODING": "utf-8"], input: input)
    let answers = try JSONDecoder().decode([String?].self, from: Data(result.output.utf8))
    try #require(answers.count == names.count)
    var accepted = 0
    for (name, answer) in zip(names, answers) where answer != "?" {
      let kept = try? UserName.validated(name)
      let text = name.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: " ")
      #expect(kept.map { Array($0.unicodeScalars) } == answer.map { Array($0.unicodeScalars) }, "\(text)")
      accepted += answer == nil ? 0 : 1
    }
    #expect(accepted > 1_000 && answers.count - accepted > 1_000)
  }
}
