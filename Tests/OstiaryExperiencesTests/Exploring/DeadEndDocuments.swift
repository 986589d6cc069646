import Foundation

@testable import OstiaryExperiences

/// A document that traps a person, and the screens where.
struct DeadEndDocument: Sendable, CustomStringConvertible {
  let description: String
  let experience: Experience
  /// The paths of the problems that a check finds.
  let problems: [String]

  init(_ description: String, _ flows: [Experience.Flow], at problems: String...) {
    self.description = description
    self.problems = problems
    experience = Experience(id: "dead-end", flows: flows)
  }

  static func flow(_ screens: Experience.Screen...) -> Experience.Flow {
    Experience.Flow(id: "f", kind: .custom, screens: screens)
  }

  static func flow(then: Experience.Move, _ screens: Experience.Screen...) -> Experience.Flow {
    Experience.Flow(id: "f", kind: .custom, screens: screens, onSuccess: then)
  }

  static func flow(
    _ id: String, then: Experience.Move? = nil, _ screens: Experience.Screen...
  ) -> Experience.Flow {
    Experience.Flow(id: id, kind: .custom, screens: screens, onSuccess: then)
  }

  static func flow(
    _ id: String, _ kind: Experience.Flow.Kind, then: Experience.Move? = nil, _ screens: Experience.Screen...
  ) -> Experience.Flow {
    Experience.Flow(id: id, kind: kind, screens: screens, onSuccess: then)
  }

  static func screen(
    _ id: String, required: Bool = false, _ fields: [Experience.Field] = [], _ works: Experience.Action.Work...,
    triggers: [Experience.Trigger] = []
  ) -> Experience.Screen {
    Experience.Screen(
      id: id, fields: fields, actions: works.enumerated().map { Experience.Action(id: "a\($0)", work: $1) },
      triggers: triggers, isRequired: required)
  }

  private static let first = "$.flows[0].screens[0]"
  private static let second = "$.flows[0].screens[1]"
  static let name = Experience.Field(key: "name", kind: .text)

  /// Those of the row.
  static let shown: [DeadEndDocument] = [
    .init("no action", [flow(screen("s", [name]))], at: first),
    .init("only an action of an unknown kind", [flow(screen("s", [name], .unknown("throwConfetti")))], at: first),
    .init("only back, on the first screen", [flow(screen("s", [name], .move(.back)))], at: first),
    .init(
      "only skip, on a required screen", [flow(screen("s", required: true, [name], .move(.skip), .move(.skipScreen)))],
      at: first),
    .init(
      "a required screen that is left without being submitted",
      [
        flow(
          "f", .login, screen("s", required: true, [name], .move(.goToScreen("t"))), screen("t", [], .move(.submit)))
      ], at: first, second),
    .init(
      "a required screen whose fields are handed to the app, and which then can only be closed",
      [
        flow(
          "f", .login, screen("s", required: true, [name], .submitFields(nil, onSuccess: .dismiss)),
          screen("t", [], .move(.submit)))
      ], at: first),
  ]

  /// Others.
  static let others: [DeadEndDocument] = [
    .init(
      "two screens that lead to each other",
      [flow(screen("s", [], .move(.goToScreen("t"))), screen("t", [], .move(.goToScreen("s"))))], at: first, second),
    .init("a flow that leads to itself", [flow(then: .goToFlow("f"), screen("s", [name], .move(.submit)))], at: first),
    .init(
      "three flows in a circle",
      [
        flow("f", then: .goToFlow("g"), screen("s", [], .move(.next))),
        flow("g", .recoverPassword, then: .goToFlow("h"), screen("t", [name], .move(.submit))),
        flow("h", screen("u", [], .move(.goToFlow("f")))),
      ], at: first, "$.flows[1].screens[0]", "$.flows[2].screens[0]"),
    .init(
      "only an address to open",
      [flow(screen("s", [], URL(string: "https://example.com/terms").map { .move(.openURL($0)) } ?? .move(.next)))],
      at: first),
    .init(
      "only a trigger that leads nowhere when the app says yes",
      [flow(screen("s", [], .trigger("t"), triggers: [.init(name: "t", onFailure: .dismiss)]))], at: first),
    .init(
      "only a permission that leads nowhere when it is denied",
      [flow(screen("s", [], .requestPermission("camera", onSuccess: .dismiss, onFailure: nil)))], at: first),
    .init(
      "a required choice without an option that is accepted",
      [
        flow(
          screen(
            "s",
            [
              Experience.Field(
                key: "size", kind: .choice, isRequired: true, constraints: .init(minLength: 3),
                options: [.init("S"), .init("M")])
            ], .move(.next)))
      ], at: first),
    .init(
      "only fields to hand over, after which nothing happens",
      [flow(screen("s", [name], .submitFields(nil, onSuccess: nil)))], at: first),
    .init(
      "a screen without a way out in another flow",
      [flow(screen("s", [], .move(.dismiss), .move(.goToFlow("g")))), flow("g", .login, screen("t", [name]))],
      at: "$.flows[1].screens[0]"),
    .init(
      "a last screen that is skipped past a required one which nothing completes",
      [
        flow(
          "f", .signUp, screen("s", required: true, [name], .move(.goToScreen("t"))),
          screen("t", [name], .move(.skipScreen)))
      ], at: first, second),
    .init(
      "a required screen that can be closed but never completed",
      [
        flow(
          "f", .login, screen("s", required: true, [name], .move(.goToScreen("t")), .move(.dismiss)),
          screen("t", [], .move(.submit)))
      ], at: first),
    .init(
      "a last screen that only an app opens",
      [flow(screen("s", [name], .move(.submit)), screen("t", [], .move(.goToScreen("t"))))], at: second),
    .init(
      "a date of eleven characters",
      [
        flow(
          screen(
            "s", [Experience.Field(key: "day", kind: .date, isRequired: true, constraints: .init(minLength: 11))],
            .move(.next)))
      ], at: first),
  ]
}
