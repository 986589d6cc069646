import Foundation

@testable import OstiaryExperiences

extension DeadEndDocument {
  private static let firstScreen = "$.flows[0].screens[0]"
  private static let secondScreen = "$.flows[0].screens[1]"

  private static func field(
    _ key: String, _ kind: Experience.FieldKind = .text, required: Bool = true, value: String? = nil,
    rules: Experience.Constraints = .init(), options: [String] = []
  ) -> Experience.Field {
    Experience.Field(
      key: key, kind: kind, isRequired: required, value: value, constraints: rules,
      options: options.map { Experience.Field.Option($0) })
  }

  /// A choice that accepts none of its options.
  private static let impossible = field("size", .choice, rules: .init(minLength: 3), options: ["S", "M"])

  /// Those whose fields accept no value.
  static let values: [DeadEndDocument] = [
    .init(
      "a pattern that is shorter than the value must be",
      [flow(screen("s", [field("pin", rules: .init(minLength: 5, pattern: Pattern("[0-9]{4}")))], .move(.next)))],
      at: firstScreen),
    .init(
      "a pattern that nothing matches",
      [flow(screen("s", [field("pin", rules: .init(pattern: Pattern(#"a[^\s\S]+"#)))], .move(.next)))], at: firstScreen),
    .init(
      "a pattern that matches nothing but nothing",
      [flow(screen("s", [field("pin", rules: .init(pattern: Pattern("(a{0})*")))], .move(.next)))], at: firstScreen),
    .init(
      "a number of letters",
      [flow(screen("s", [field("count", .number, rules: .init(pattern: Pattern("[A-Z]{2}[0-9]")))], .move(.next)))],
      at: firstScreen),
    .init(
      "a day with points",
      [
        flow(
          screen(
            "s", [field("day", .date, rules: .init(pattern: Pattern(#"[0-9]{2}\.[0-9]{2}\.[0-9]{4}"#)))], .move(.submit)
          ))
      ], at: firstScreen),
    .init(
      "a repetition that is shorter than what it repeats",
      [
        flow(
          "f", .signUp,
          screen(
            "s",
            [
              field("password", .newPassword, rules: .init(minLength: 8)),
              field("again", .newPassword, required: false, rules: .init(maxLength: 4, matches: "password")),
            ], .move(.next)))
      ], at: firstScreen),
    .init(
      "a choice that repeats one with other options",
      [
        flow(
          screen(
            "s",
            [
              field("from", .choice, options: ["a", "b"]),
              field("to", .choice, rules: .init(matches: "from"), options: ["c", "d"]),
            ], .move(.next)))
      ], at: firstScreen),
    .init(
      "a hidden value that is too long for the field that repeats it",
      [
        flow(
          screen(
            "s",
            [
              field("code", .hidden, required: false, value: "admin"),
              field("word", required: false, rules: .init(maxLength: 3, matches: "code")),
            ], .move(.next)))
      ], at: firstScreen),
    .init(
      "a repetition of a secret that is asked for later",
      [
        flow(
          "f", .signUp, screen("s", [field("again", .newPassword, rules: .init(matches: "password"))], .move(.next)),
          screen("t", [field("password", .newPassword)], .move(.next), .move(.back)))
      ], at: firstScreen),
    .init(
      "one key on two required screens with other options",
      [
        flow(
          "f", .login, screen("s", required: true, [field("size", .choice, options: ["S", "M"])], .move(.next)),
          screen("t", required: true, [field("size", .choice, options: ["L", "XL"])], .move(.submit)))
      ], at: firstScreen, secondScreen),
    .init(
      "one key on two required screens with other lengths",
      [
        flow(
          "f", .login, screen("s", required: true, [field("code", rules: .init(minLength: 6))], .move(.next)),
          screen("t", required: true, [field("code", required: false, rules: .init(maxLength: 4))], .move(.submit)))
      ], at: firstScreen, secondScreen),
    .init(
      "a part that is handed over, beside a field that the flow's submission refuses",
      [
        flow(
          "f", .login, screen("s", [name, impossible], .submitFields(["name"], onSuccess: .goToScreen("t"))),
          screen("t", [], .move(.submit)))
      ], at: firstScreen),
    .init(
      "a required part that is handed over and leads to another flow",
      [
        flow(
          "f", .login,
          screen(
            "s", required: true, [name, impossible], .submitFields(["name"], onSuccess: .goToFlow("g")),
            .move(.dismiss)), screen("t", [], .move(.submit))),
        flow("g", screen("u", [], .move(.dismiss), .move(.goToFlow("f")))),
      ], at: firstScreen),
  ]

  /// Documents that only look like those.
  static let possible: [DeadEndDocument] = [
    .init(
      "patterns that fit their kinds and lengths",
      [
        flow(
          screen(
            "s",
            [
              field("pin", rules: .init(minLength: 4, maxLength: 4, pattern: Pattern("[0-9]{4}|[0-9]{9}"))),
              field("long", rules: .init(minLength: 4_000, pattern: Pattern("(ab|c)*"))),
              field("count", .number, rules: .init(pattern: Pattern("-?[1-9][0-9]*"))),
              field("day", .date, rules: .init(pattern: Pattern("2[0-9]{3}-.*"))),
              field("phone", .phone, rules: .init(pattern: Pattern(#"\+49 .+"#))),
              field("email", .email, rules: .init(pattern: Pattern(#".+@example\.com"#))),
            ], .move(.next)))
      ]),
    .init(
      "an impossible pattern of a value that may be left out",
      [flow(screen("s", [field("pin", required: false, rules: .init(pattern: Pattern(#"[^\s\S]"#)))], .move(.next)))]),
    .init(
      "a repetition on a later screen",
      [
        flow(
          "f", .signUp, screen("s", required: true, [field("password", .newPassword)], .move(.next)),
          screen(
            "t", required: true, [field("again", .newPassword, rules: .init(matches: "password"))], .move(.next),
            .move(.back))
        )
      ]),
    .init(
      "a repetition of a secret of a later screen that one can go to first",
      [
        flow(
          "f", .signUp,
          screen(
            "s", [field("again", .newPassword, rules: .init(matches: "password"))], .move(.next), .move(.skipScreen)),
          screen("t", [field("password", .newPassword)], .move(.next), .move(.back)))
      ]),
    .init(
      "choices that share an option",
      [
        flow(
          screen(
            "s",
            [
              field("from", .choice, options: ["a", "b"]),
              field("to", .choice, rules: .init(matches: "from"), options: ["b", "c"]),
            ], .move(.next)))
      ]),
    .init(
      "one key on two required screens whose options differ by a space",
      [
        flow(
          "f", .login, screen("s", required: true, [field("size", .choice, options: ["S "])], .move(.next)),
          screen("t", required: true, [field("size", .choice, options: ["S"])], .move(.submit)))
      ]),
    .init(
      "one key on two required screens that begin with values of their own",
      [
        flow(
          "f", .login,
          screen("s", required: true, [field("size", .choice, value: "S", options: ["S"])], .move(.next)),
          screen("t", required: true, [field("size", .choice, value: "L", options: ["L"])], .move(.submit)))
      ]),
    .init(
      "one key on two required screens that hand it over, and leave a flow that is never submitted",
      [
        flow(
          "f", .custom,
          screen(
            "s", required: true, [field("code", rules: .init(maxLength: 4))],
            .submitFields(nil, onSuccess: .goToScreen("t"))),
          screen(
            "t", required: true, [field("code", rules: .init(minLength: 6))],
            .submitFields(["code"], onSuccess: .dismiss)))
      ]),
    .init(
      "one key on two screens of which one may be skipped",
      [
        flow(
          "f", .login, screen("s", [field("size", .choice, options: ["S"])], .move(.next)),
          screen("t", required: true, [field("size", .choice, options: ["L"])], .move(.submit)))
      ]),
    .init(
      "a hidden value that can be repeated, and one that repeats",
      [
        flow(
          screen(
            "s",
            [
              field("code", .hidden, required: false, value: "admin", rules: .init(matches: "word")),
              field("word", rules: .init(matches: "code")), field("none", .hidden), field("on", .toggle),
            ], .move(.next)))
      ]),
    .init(
      "a part that is handed over before one leaves",
      [flow("f", .login, screen("s", [name, impossible], .submitFields(["name"], onSuccess: .dismiss)))]),
  ]
}
