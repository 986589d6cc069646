import Foundation
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryServer

@Suite("JSON text")
struct JSONTextTests {
  private static func foundations(_ value: JSONValue) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private static func ours(_ value: JSONValue) throws -> String {
    String(decoding: try JSONText(value).bytes, as: UTF8.self)
  }

  private static let texts = [
    "", "a", "\"", "\\", "/", "</script>", "\u{8}\u{C}\n\r\t", "\u{7F}\u{80}\u{2028}", "é", "🔑", "e\u{301}", "مرحبا",
    String(String.UnicodeScalarView((0..<0x20).compactMap(Unicode.Scalar.init))), "a\"b\\c\u{1}d",
    String(repeating: "x", count: 5000),
  ]

  @Test("Every kind of value has the bytes that Foundation's encoder gives it")
  func sameBytes() throws {
    let numbers: [Double] = [
      0, -0.0, 1, -1, 0.5, 1e-7, 1e16, 1e15, 123_456_789.25, 1e300, -1e-300, .greatestFiniteMagnitude,
      .leastNonzeroMagnitude,
    ]
    let values: [JSONValue] =
      [.null, true, false, 0, .integer(.min), .integer(.max), .array([]), .object([:])]
      + Self.texts.map { .string($0) } + numbers.map { .number($0) }
    for value in values { #expect(try Self.ours(.array([value])) == Self.foundations(.array([value]))) }
    let members = Dictionary(Self.texts.map { ($0, JSONValue.array(values)) }) { first, _ in first }
    #expect(try Self.ours(.object(members)) == Self.foundations(.object(members)))
  }

  @Test("Values made at random are read back as they were", arguments: 0..<20)
  func readBack(seed: Int) throws {
    var random = SplitMix(state: UInt64(seed) + 5)
    func value(_ depth: Int) -> JSONValue {
      let kind = random.next() % (depth > 4 ? 5 : 7)
      func text() -> String { Self.texts[Int(random.next() % 15)] }
      switch kind {
      case 0: return .null
      case 1: return .bool(random.next() % 2 == 0)
      case 2: return .integer(Int64(bitPattern: random.next()))
      case 3: return .number(Double(Int64(bitPattern: random.next())) / 1024 + 0.25 / 1024)
      case 4: return .string(text())
      case 5: return .array((0..<random.next() % 5).map { _ in value(depth + 1) })
      default:
        return .object(
          Dictionary((0..<random.next() % 5).map { ("\($0)" + text(), value(depth + 1)) }) { first, _ in first })
      }
    }
    let made = JSONValue.array((0..<20).map { _ in value(0) })
    let text = try Self.ours(made)
    #expect(try text == Self.foundations(made))
  }

  @Test("What JSON has no text for is an error", arguments: [Double.nan, .infinity, -.infinity])
  func noText(number: Double) {
    #expect(throws: EncodingError.self) { try JSONText(.object(["x": .array([.number(number)])])) }
  }
}
