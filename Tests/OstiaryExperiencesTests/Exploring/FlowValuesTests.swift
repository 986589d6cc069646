import Testing

@testable import OstiaryExperiences

@Suite("What fields accept, compared with all short texts", .timeLimit(.minutes(20)))
struct FlowValuesTests {
  private func isBlocked(_ field: Experience.Field) -> Bool {
    !FlowValues(DeadEndDocument.flow(DeadEndDocument.screen("s", [field]))).blocked(on: 0).isEmpty
  }

  /// All texts of these characters, up to a length.
  private static func texts(of characters: String, upTo length: Int) -> [String] {
    var all: [String] = []
    var last = [""]
    for _ in 0..<length {
      last = last.flatMap { text in characters.map { "\(text)\($0)" } }
      all += last
    }
    return all
  }

  private static let ranges: [(Double?, Double?)] = [
    (nil, nil), (0, 0), (1, 5), (10, 50), (51, 54), (100, nil), (nil, -6), (-0.5, -0.1), (5.1, 5.4), (1_000, nil),
    (nil, -100), (-5, -5), (5_000_000_000, nil),
  ]

  /// The lengths of the texts that a field without limits of length accepts. The texts are as they are judged.
  private static func lengths(_ field: Experience.Field, _ texts: [String]) -> Set<Int> {
    Set(texts.filter { field.check($0).issue == nil }.map(\.count))
  }

  @Test(
    "Bug-G12: a number that can be written is never said to be impossible, and a short one that can't is known",
    arguments: [nil, "[0-9]+", "[15]*", "-?[0-9]", "[0-9]{3}", "[1-9].*", ".*[.].*", ".*e.*", "0.*", "(10)*1", "[^5]+"])
  func numbers(source: String?) {
    let texts = Self.texts(of: "0159-.e", upTo: 3).filter { NumberStyle.plain.read($0) == .number($0) }
    for (least, most) in Self.ranges {
      var field = Experience.Field(
        key: "n", kind: .number, isRequired: true,
        constraints: .init(
          pattern: source.flatMap { Pattern($0) }, minimum: least.map { .number($0) },
          maximum: most.map { .number($0) }))
      let accepted = Self.lengths(field, texts)
      for lengths in [1...1, 1...2, 2...2, 1...3, 2...3, 3...3] {
        field.constraints.minLength = lengths.lowerBound
        field.constraints.maxLength = lengths.upperBound
        let isPossible = lengths.contains { accepted.contains($0) }
        let isRefused = isBlocked(field)
        #expect(!(isPossible && isRefused), "\(lengths) \(least ?? 0) \(most ?? 0)")
        // All numbers of two characters are whole, and these digits are enough for the ranges and patterns.
        if lengths.upperBound <= 2 { #expect(isPossible != isRefused, "\(lengths) \(least ?? 0) \(most ?? 0)") }
      }
    }
  }

  @Test(
    "Bug-G12: so it is with addresses and lines of text",
    arguments: [
      "[a-z]+", "a.b", ".*@", "@.*", "a@b", "[^@]+", "(a|@)*", ".{3}-", "a@b-", "a@.*", " *", ".* ", "[ -]+", "a *",
    ])
  func shapes(source: String) {
    for (kind, characters, longest) in [(.email, "ab@.-", 5), (.text, "ab -@", 4)]
      as [(Experience.FieldKind, String, Int)]
    {
      var field = Experience.Field(
        key: "t", kind: kind, isRequired: true, constraints: .init(maxLength: longest, pattern: Pattern(source)))
      let texts = Self.texts(of: characters, upTo: longest).filter { InputText.name($0) == $0 }
      let accepted = Self.lengths(field, texts)
      for least in 1...longest {
        field.constraints.minLength = least
        let isPossible = (least...longest).contains { accepted.contains($0) }
        #expect(isPossible != isBlocked(field), "\(kind) \(least)")
      }
    }
  }

  @Test("Bug-G12: days between two others match a pattern where one of them does")
  func days() throws {
    let first = try #require(CalendarDay("2023-11-28"))
    let days = (0..<120).compactMap { CalendarDay(daysSince1970: first.daysSince1970 + $0) }
    for source in ["2023-.*", "2024-.*", ".*-01-.*", ".*-.[3-9]-.*", "[^1]*", ".*-3[01]", ".*-03-.*", "2024-02-29"] {
      let pattern = try #require(Pattern(source))
      for (begin, end) in [(0, 0), (0, 3), (0, 119), (33, 34), (34, 90), (93, 93), (60, 119)] {
        let range = days[begin...end]
        let (low, high) = (days[begin].description, days[end].description)
        let isThere = range.contains { pattern.matches($0.description) }
        // Between the days are texts that are none.
        #expect(!isThere || pattern.hasMatch(between: low, and: high), "\(source) \(low) \(high)")
        if begin == end { #expect(isThere == pattern.hasMatch(between: low, and: high), "\(source) \(low)") }
      }
    }
  }
}
