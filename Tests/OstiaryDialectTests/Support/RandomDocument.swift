import OstiaryCore
import OstiaryTesting

@testable import OstiaryDialect

/// Makes documents of the table of shapes, so that each has a shape that is right and content that is anything.
struct RandomDocument {
  private var random: SplitMix64

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  mutating func document() -> OrderedJSON { value(.document, depth: 0) }

  private static let texts = [
    "/a", "/a/0/b~1c", "{token}", "Bearer {token}", "server", "totp", "X-A", "a", "", "{password}", "{code?}", "+02:00",
    "https://a.example/", "token", "\u{E9}\n", "/{username}/b", "{handle}", "{", "/~", "session*", "*", "{x:number}",
    "/..",
    "acme", "values",
  ]
  private static let names = [
    "a", "token", "server", "totp", "X-A", "Authorization", "b c", "\u{E9}", "x~/y", "values",
  ]

  private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  private mutating func text() -> String { Self.texts.randomElement(using: &random) ?? "" }

  private mutating func count(_ counts: ClosedRange<Int>) -> Int {
    Int.random(in: counts.lowerBound...min(counts.upperBound, counts.lowerBound + 2), using: &random)
  }

  private mutating func value(_ shape: DialectShape, depth: Int) -> OrderedJSON {
    switch shape {
    case .null: .null
    case .flag: .bool(chance(50))
    case .always: .bool(true)
    case .version: .integer(Int64(Dialect.version))
    case .integer(let range): .integer(Int64(chance(50) ? range.lowerBound : range.upperBound))
    case .text: .string(text())
    case .choice(let values): .string(values.randomElement(using: &random) ?? "")
    case .scalar: chance(50) ? .string(text()) : chance(50) ? .number(2.5) : .null
    case .json: .object([.init(text(), .string(text())), .init("list", .array([.string(text()), .integer(1)]))])
    case .list(let element, let counts): .array((0..<count(counts)).map { _ in value(element, depth: depth + 1) })
    case .map(let element, let counts): map(element, counts, depth: depth)
    case .object(let fields): .object(members(fields, depth: depth))
    case .variants(let variants):
      variants.randomElement(using: &random).map { .object(members($0, depth: depth)) } ?? .null
    case .sorts(let member, let sorts): sort(member, sorts, depth: depth)
    case .either(let shapes): shapes.randomElement(using: &random).map { value($0, depth: depth) } ?? .null
    case .definition(.condition) where depth > 8: .object([.init("status", .integer(401))])
    case .definition(let definition): value(definition.shape, depth: depth + 1)
    }
  }

  private mutating func map(_ element: DialectShape, _ counts: ClosedRange<Int>, depth: Int) -> OrderedJSON {
    let names = Self.names.shuffled(using: &random).prefix(count(counts))
    return .object(names.map { .init($0, value(element, depth: depth + 1)) })
  }

  private mutating func sort(_ member: DialectShape.Member, _ sorts: [DialectShape.Sort], depth: Int) -> OrderedJSON {
    guard let sort = sorts.randomElement(using: &random), let name = sort.values.randomElement(using: &random) else {
      return .null
    }
    return .object([.init(member.name, .string(name))] + members(sort.fields, depth: depth))
  }

  private mutating func members(_ fields: DialectShape.Fields, depth: Int) -> [OrderedJSON.Member] {
    let chosen = fields.oneOf.randomElement(using: &random)
    var result: [OrderedJSON.Member] = []
    for member in fields.members {
      let isThere = fields.oneOf.contains(member.name) ? member.name == chosen : member.isRequired || chance(35)
      if isThere { result.append(.init(member.name, value(member.shape, depth: depth + 1))) }
    }
    return result.shuffled(using: &random)
  }
}
