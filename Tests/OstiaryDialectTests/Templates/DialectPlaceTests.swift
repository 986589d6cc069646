import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryDialect
import OstiaryTesting
import Testing

/// A template of random text and values, with what it must come to.
private struct RandomTemplate {
  let template: DialectTemplate
  /// The text that a reader must find.
  let expected: String
  let hasValue: Bool

  /// - Parameter literals: what its literals are made of.
  init(_ values: [(name: String, value: String)], literals: [String], using random: inout SplitMix64) {
    var pieces: [DialectTemplate.Piece] = []
    var expected = ""
    var hasValue = false
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      if Bool.random(using: &random), let value = values.randomElement(using: &random) {
        pieces.append(.value(.init(value.name)))
        expected += value.value
        hasValue = true
      } else if let literal = literals.randomElement(using: &random) {
        pieces.append(.literal(literal))
        expected += literal
      }
    }
    template = DialectTemplate(pieces: pieces)
    self.expected = expected
    self.hasValue = hasValue
  }
}

/// What is sent is parsed by what a server would parse it with, and must be what the template's author wrote.
@Suite("Dialect: no template escapes its place")
struct DialectPlaceTests {
  private static let hostile = [
    "\"", "\\", "/", ".", "..", "%", "%2F", "%2e", "{", "}", "&", "=", "?", "#", "\r", "\n", "\r\n", "\u{0}", ";", ",",
    " ",
    "+", ":", "@", "é", "e\u{301}", "\u{2028}", "\u{85}", "😀", "a", "b", "1", "<", "'", "\t", "\u{7F}", "{token}",
    "\u{FEFF}",
    "\",\"admin\":true,\"", "&admin=1", "\r\nX-Admin: 1", "/../admin", "; Path=/",
  ]
  private static let names = ["token", "handle", "username", "tenant", "session"]
  private static let seeds = Storm.seeds(400, full: 40_000)

  private static func values(using random: inout SplitMix64) -> [(name: String, value: String)] {
    names.map { name in
      let count = Int.random(in: 0...5, using: &random)
      return (name, (0..<count).map { _ in hostile.randomElement(using: &random) ?? "" }.joined())
    }
  }

  private static func table(_ values: [(name: String, value: String)]) -> DialectValues {
    DialectValues(Dictionary(uniqueKeysWithValues: values.map { ($0.name, Secret($0.value)) }))
  }

  private static func rest(of text: String) -> String {
    String(text.unicodeScalars.dropFirst())
  }

  /// An error about a value says nothing of it.
  private func expectSilence(_ error: OstiaryError, _ values: [(name: String, value: String)], _ seed: UInt64) {
    #expect(error.code == .invalidInput, "seed \(seed)")
    for value in values where value.value.utf8.count > 8 {
      #expect(!"\(error)".contains(value.value), "seed \(seed)")
    }
  }

  @Test("DIA-03 a JSON body has exactly the members that the template has, and their texts")
  func json() throws {
    for seed in Self.seeds {
      var random = SplitMix64(seed: seed)
      let values = Self.values(using: &random)
      var members: [DialectJSON.Member] = []
      var expected: [String: JSONValue] = [:]
      for index in 0..<Int.random(in: 1...4, using: &random) {
        let text = RandomTemplate(values, literals: Self.hostile, using: &random)
        let name = "m\(index)" + (Self.hostile.randomElement(using: &random) ?? "")
        if Bool.random(using: &random) {
          members.append(.init(name, .text(text.template)))
          expected[name] = .string(text.expected)
        } else {
          members.append(.init(name, .array([.object([.init("x", .text(text.template))]), .null])))
          expected[name] = .array([.object(["x": .string(text.expected)]), .null])
        }
      }
      let data = try Self.table(values).json(.object(members))
      // Strictly: no name stands twice, and nothing follows.
      let found = try StrictJSON.object([UInt8](data))
      #expect(found == expected, "seed \(seed)")
      #expect((try JSONSerialization.jsonObject(with: data) as? [String: Any])?.count == expected.count, "seed \(seed)")
    }
  }

  @Test("DIA-03 a form and a query have exactly the items that the templates have")
  func pairs() throws {
    for seed in Self.seeds {
      var random = SplitMix64(seed: seed)
      let values = Self.values(using: &random)
      var fields: [DialectField] = []
      var expected: [[String]] = []
      for index in 0..<Int.random(in: 1...4, using: &random) {
        let text = RandomTemplate(values, literals: Self.hostile, using: &random)
        let name = "f\(index)" + (Self.hostile.randomElement(using: &random) ?? "")
        fields.append(DialectField(name, text.template))
        expected.append([name, text.expected])
      }
      let table = Self.table(values)
      let form = try String(decoding: table.form(fields), as: UTF8.self)
      #expect(FormEncoding.parse(form).map { [$0.name, $0.value] } == expected, "seed \(seed)")
      let target = try table.fill(DialectCall(.get, "/a", query: fields)).target
      let parts = target.split(separator: "?", omittingEmptySubsequences: false)
      #expect(parts.count == 2 && parts[0] == "/a" && !target.contains("#"), "seed \(seed)")
      #expect(FormEncoding.parse(String(parts[1])).map { [$0.name, $0.value] } == expected, "seed \(seed)")
      // As another parser reads it, which takes a byte order mark off the beginning of a value.
      let items = URLComponents(string: "https://api.example\(target)")?.queryItems ?? []
      let unmarked = expected.map { [$0[0], $0[1].unicodeScalars.first == "\u{FEFF}" ? Self.rest(of: $0[1]) : $0[1]] }
      #expect(items.map { [$0.name, $0.value ?? ""] } == unmarked, "seed \(seed)")
    }
  }

  @Test("DIA-10 a path has exactly the segments that the template has, and leads nowhere else")
  func paths() throws {
    var filled = 0
    for seed in Self.seeds {
      var random = SplitMix64(seed: seed)
      let values = Self.values(using: &random)
      let segments = (0..<Int.random(in: 1...4, using: &random)).map { _ in
        RandomTemplate(values, literals: ["a", "b.c", "v1", ".well", "-", "..x", ";k=v"], using: &random)
      }
      let template = DialectTemplate(segments.map { "/" + $0.template.text }.joined())
      let path: String
      do throws(OstiaryError) {
        path = try Self.table(values).fill(template, in: .path)?.reveal() ?? ""
      } catch {
        expectSilence(error, values, seed)
        continue
      }
      filled += 1
      let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
      #expect(parts.map { PercentEncoding.decode(String($0)) } == segments.map(\.expected), "seed \(seed)")
      #expect(path.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } && !path.contains("?") && !path.contains("#"))
      // Also of a server that undoes escapes first.
      let undone = segments.map(\.expected).joined(separator: "/").replacing("\\", with: "/")
      let names = undone.split(separator: "/").map { $0.prefix { $0 != ";" } }
      #expect(!names.contains(".") && !names.contains(".."), "seed \(seed)")
    }
    #expect(filled > 40)
  }

  @Test("DIA-03 a field is one line, and a cookie is one value")
  func lines() throws {
    let name = try #require(HTTPField.Name("X-A"))
    var filled = 0
    for seed in Self.seeds {
      var random = SplitMix64(seed: seed)
      let values = Self.values(using: &random)
      let text = RandomTemplate(values, literals: ["Bearer ", "a", "Token "], using: &random)
      let table = Self.table(values)
      do throws(OstiaryError) {
        let fields = try table.headers([DialectField("X-A", text.template)])
        #expect(fields.count == 1 && fields[name] == text.expected, "seed \(seed)")
        #expect(text.expected.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }, "seed \(seed)")
        filled += 1
      } catch { expectSilence(error, values, seed) }
      do throws(OstiaryError) {
        guard let cookie = try table.fill(text.template, in: .cookie)?.reveal() else { continue }
        #expect(cookie == text.expected, "seed \(seed)")
        #expect(!cookie.contains { ";,\"\\ ".contains($0) || $0.isNewline }, "seed \(seed)")
      } catch { expectSilence(error, values, seed) }
    }
    #expect(filled > 10)
  }

  @Test("DIA-03 Basic credentials are one user name and one password")
  func basic() throws {
    var filled = 0
    for seed in Self.seeds {
      var random = SplitMix64(seed: seed)
      let values = Self.values(using: &random)
      let username = RandomTemplate(values, literals: ["a", "é"], using: &random)
      let password = RandomTemplate(values, literals: ["a", ":"], using: &random)
      do throws(OstiaryError) {
        let basic = DialectBasic(username: username.template, password: password.template)
        guard let field = try Self.table(values).authorization(basic)?.reveal() else { continue }
        let decoded = Data(base64Encoded: String(field.dropFirst("Basic ".count))) ?? Data()
        let pair = String(decoding: decoded, as: UTF8.self)
        let colon = pair.utf8.firstIndex(of: UInt8(ascii: ":")) ?? pair.endIndex
        #expect(String(pair[..<colon]) == username.expected, "seed \(seed)")
        let rest = pair.utf8[colon...].dropFirst()
        #expect(String(decoding: rest, as: UTF8.self) == password.expected, "seed \(seed)")
        filled += 1
      } catch { expectSilence(error, values, seed) }
    }
    #expect(filled > 10)
  }
}
