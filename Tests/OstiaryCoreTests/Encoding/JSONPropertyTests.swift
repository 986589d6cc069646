import OstiaryTesting
import Testing

@testable import OstiaryCore

@Suite("JSON parser: properties", .timeLimit(.minutes(20)))
struct JSONPropertyTests {
  @Test(
    "Invariant 14, JOSE-07: random texts, whole and damaged, are read as a plain reader reads them", arguments: 0..<8)
  func random(_ seed: UInt64) {
    var texts = RandomJSON(seed: 19_100 + seed)
    var (whole, repeated) = (0, 0)
    for _ in 0..<1500 {
      let bytes = texts.next()
      let depth = bytes.count % 2 == 0 ? 4 : 128
      let plain = PlainJSON(bytes, maximumDepth: depth)
      var parser = JSONParser(bytes, maximumDepth: depth, keepsNames: true)
      let value = parser.parse()
      #expect(value == plain.value, "\(String(decoding: bytes, as: UTF8.self))")
      guard value != nil, plain.value != nil else { continue }
      whole += 1
      if parser.repeated != nil { repeated += 1 }
      #expect(parser.repeatedPlace == plain.repeatedPlace, "\(String(decoding: bytes, as: UTF8.self))")
      #expect(parser.names.map { Array($0.utf8) } == plain.names.map { Array($0.utf8) })
    }
    // The texts are of all kinds.
    #expect(whole > 500 && whole < 1400)
    #expect(repeated > 20)
  }

  @Test("JOSE-07: a name that stands twice is found among few members and among many, wherever the two are")
  func places() {
    for count in [2, 3, 15, 16, 17, 18, 40] {
      for first in 0..<count {
        let second = (first + 7 * count / 8) % count
        guard first != second else { continue }
        var names = (0..<count).map { "n\($0)" }
        names[second] = names[first]
        let members = names.enumerated().map { "\"\($1)\":\($0)" }.joined(separator: ",")
        var parser = JSONParser([UInt8]("[0,{\"o\":{\(members)}}]".utf8))
        let object = parser.parse()?.array?.last?["o"]?.object
        #expect(object?.count == count - 1)
        #expect(object?[names[first]] == .integer(Int64(min(first, second))))
        #expect(parser.repeated == ["o", names[first]])
        #expect(parser.repeatedPlace == ["1", "o", names[first]])
      }
    }
  }
}

/// Makes JSON texts: of all kinds of values, with names that are equal in different bytes, and half of them damaged.
struct RandomJSON {
  private var random: SplitMix64

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  mutating func next() -> [UInt8] {
    var bytes = [UInt8]((chance(5) ? "\u{FEFF}" : "").utf8) + [UInt8](value(0).utf8)
    guard chance(40) else { return bytes }
    for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes.remove(at: place)
      case 2: bytes.insert(pick(Array("{}[],:\"\\u0e1 \n".utf8)) ?? 0, at: place)
      default: bytes.removeLast(bytes.count - place)
      }
    }
    return bytes
  }

  private static let names = [
    "a", "b", #"\u0061"#, "\u{E9}", "e\u{301}", "", "K", "\u{212A}", "a name of more than fifteen bytes", "c", "d", "e",
    "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q",
  ]
  private static let scalars = [
    "null", "true", "false", "0", "-0", "-1", "12", "999999999999999999", "-999999999999999999", "1000000000000000000",
    "9223372036854775807", "-9223372036854775808", "9223372036854775808", "1.5", "1e3", "7.0", "-0.0", "1e-400", "0.1",
    #""""#, #""x""#, #""fifteen bytes..""#, #""sixteen  bytes..""#, "\"\u{E9}\u{1F511}\"", #""\ud83d\udd11\n""#,
    #""\u0000\"\\""#, "[]", "{}",
  ]
  private static let faults = [
    "01", "nul", "+1", "1.", "1E400", "\"\u{1}\"", #""\ud800""#, #""\udc00""#, #""\x""#, "[",
  ]

  private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  private mutating func pick<Element>(_ elements: [Element]) -> Element? { elements.randomElement(using: &random) }

  private mutating func blank() -> String { chance(20) ? pick([" ", "\n", "\t", "\r", " \n "]) ?? "" : "" }

  private mutating func value(_ depth: Int) -> String {
    let kind = Int.random(in: 0..<(depth > 5 ? 4 : 10), using: &random)
    if kind < 4 { return blank() + (pick(chance(2) ? Self.faults : Self.scalars) ?? "") + blank() }
    let isLong = chance(10)
    let count = Int.random(in: 0..<(isLong ? 24 : 4), using: &random)
    let next = depth + (isLong ? 5 : 1)
    if kind < 6 { return "[" + (0..<count).map { _ in value(next) }.joined(separator: ",") + "]" }
    let names = Self.names.shuffled(using: &random)
    let mayRepeat = chance(25)
    let members = (0..<count).map { index in
      let name = mayRepeat ? pick(Self.names) ?? "" : names[index]
      return "\(blank())\"\(name)\"\(blank()):\(value(next))"
    }
    return "{" + blank() + members.joined(separator: ",") + "}"
  }
}
