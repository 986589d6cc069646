@testable import OstiaryExperiences

extension DeadEndDocument {
  private static func field(
    _ key: String, _ kind: Experience.FieldKind = .text, rules: Experience.Constraints = .init(),
    options: [String] = []
  ) -> Experience.Field {
    Experience.Field(
      key: key, kind: kind, isRequired: true, constraints: rules, options: options.map { Experience.Field.Option($0) })
  }

  private static func number(
    _ rules: Experience.Constraints, isSecure: Bool = false, _ key: String = "count"
  ) -> Experience.Field {
    Experience.Field(key: key, kind: .number, isRequired: true, isSecure: isSecure, constraints: rules)
  }

  private static func days(_ first: String?, _ last: String?, pattern: String? = nil, matches: String? = nil)
    -> Experience.Constraints
  {
    func bound(_ text: String?) -> Experience.Constraints.Bound? { text.flatMap { CalendarDay($0) }.map { .day($0) } }
    return .init(
      pattern: pattern.flatMap { Pattern($0) }, minimum: bound(first), maximum: bound(last), matches: matches)
  }

  /// Fields of one screen, and whether their limits leave no value.
  private static let cases: [(String, [Experience.Field], Bool)] = [
    ("1000 in two characters", [number(.init(maxLength: 2, minimum: .number(1_000)))], true),
    ("1000 in three characters: 1e3", [number(.init(maxLength: 3, minimum: .number(1_000)))], false),
    ("a secret 1000 in two characters", [number(.init(maxLength: 2, minimum: .number(1_000)), isSecure: true)], true),
    ("99 in two characters", [number(.init(maxLength: 2, minimum: .number(99)))], false),
    ("less than -9 in two characters", [number(.init(maxLength: 2, maximum: .number(-9.5)))], true),
    ("-9 in two characters", [number(.init(maxLength: 2, maximum: .number(-9)))], false),
    ("9 in five characters", [number(.init(minLength: 5, maximum: .number(9)))], false),
    ("100 in two digits", [number(.init(pattern: Pattern("[0-9]{2}"), minimum: .number(100)))], true),
    ("0 to 500 in four digits", [number(.init(pattern: Pattern("[1-9][0-9]{3}"), maximum: .number(500)))], true),
    ("0 to 1000 in four digits", [number(.init(pattern: Pattern("[1-9][0-9]{3}"), maximum: .number(1_000)))], false),
    (
      "no whole number",
      [number(.init(pattern: Pattern("[0-9]+"), minimum: .number(5.2), maximum: .number(5.8)))], true
    ),
    ("decimals", [number(.init(pattern: Pattern("[0-9.]+"), minimum: .number(5.2), maximum: .number(5.8)))], false),
    ("below zero without a sign", [number(.init(pattern: Pattern("[0-9.]*"), maximum: .number(-1)))], true),
    ("below zero", [number(.init(pattern: Pattern("[0-9-]*"), maximum: .number(-1)))], false),
    ("a number of seventeen digits", [number(.init(pattern: Pattern("[1-9][0-9]{16}"), minimum: .number(0)))], false),
    (
      "one number in two ranges",
      [number(.init(maximum: .number(5))), number(.init(minimum: .number(6), matches: "count"), "same")], true
    ),
    (
      "one number in texts of two lengths",
      [number(.init(maxLength: 3)), number(.init(minLength: 4, matches: "count"), "same")], false
    ),
    ("an address without @", [field("email", .email, rules: .init(pattern: Pattern("[a-z.]+")))], true),
    ("an address with nothing after @", [field("email", .email, rules: .init(pattern: Pattern("[a-z]+@")))], true),
    ("an address with two @", [field("email", .email, rules: .init(pattern: Pattern("[a-z]+@[a-z]+@[a-z]+")))], true),
    ("an address with @ or none", [field("email", .email, rules: .init(pattern: Pattern("[a-z]+(@a)?")))], false),
    (
      "an address in letters of any script",
      [field("email", .email, rules: .init(pattern: Pattern("[é]@[^a-z]-é")))], false
    ),
    ("spaces alone", [field("text", rules: .init(pattern: Pattern(" {2,}")))], true),
    ("a space at the end", [field("text", rules: .init(pattern: Pattern("[a-z]+ ")))], true),
    ("a space at the end of a secret", [field("text", .password, rules: .init(pattern: Pattern("[a-z]+ ")))], false),
    (
      "a long line that is shorter than it must be",
      [field("text", rules: .init(minLength: 400, pattern: Pattern("[a-z]{1,350}")))], true
    ),
    ("a long line", [field("text", rules: .init(minLength: 400, pattern: Pattern("[a-z]{1,450}")))], false),
    ("a space inside", [field("text", rules: .init(pattern: Pattern("[a-z]+ [a-z ]+")))], false),
    ("a day of other years", [field("day", .date, rules: days("2030-01-01", nil, pattern: "20[012].*"))], true),
    ("a day of these years", [field("day", .date, rules: days("2029-12-31", nil, pattern: "20[012].*"))], false),
    (
      "one day in two ranges",
      [
        field("day", .date, rules: days(nil, "2025-01-31")),
        field("same", .date, rules: days("2025-02-01", nil, matches: "day")),
      ], true
    ),
    (
      "one day at the end of two ranges",
      [
        field("day", .date, rules: days(nil, "2025-01-31")),
        field("same", .date, rules: days("2025-01-31", nil, matches: "day")),
      ], false
    ),
    ("a toggle as a number", [field("on", .toggle), number(.init(matches: "on"))], true),
    ("a toggle as a word", [field("on", .toggle), field("word", rules: .init(matches: "on"))], false),
    (
      "a toggle as a short word",
      [field("on", .toggle), field("word", rules: .init(maxLength: 3, matches: "on"))], true
    ),
    ("an option with spaces", [field("size", .choice, options: [" S ", " M"])], false),
    (
      "an option with spaces, repeated as a text",
      [field("size", .choice, options: [" S "]), field("text", rules: .init(matches: "size"))], true
    ),
  ]

  /// Those whose limits leave no value.
  static let limits: [DeadEndDocument] = cases.filter { $0.2 }.map { name, fields, _ in
    .init(name, [flow(screen("s", fields, .move(.next)))], at: "$.flows[0].screens[0]")
  }

  /// Those whose limits nearly leave none.
  static let possibleLimits: [DeadEndDocument] = cases.filter { !$0.2 }.map { name, fields, _ in
    .init(name, [flow(screen("s", fields, .move(.next)))])
  }
}
