internal import OstiaryCore
internal import OstiaryDialect

// The server is written in PHP: the same thing may come as a number, a text or a boolean.
extension NewzuluConfiguration {
  /// The call was carried out.
  var isDone: DialectCondition {
    .all([.status(200), hasStatus([true, 1, "1", "true", "True", "TRUE"]), .pointer(result, .exists(true))])
  }

  /// The documented `false`, and nothing else that PHP would take for it: "this method always returns false when username or password
  /// is incorrect", with HTTP 200.
  var saysFalse: DialectCondition { .all([isDone, .pointer(result, .equals(false))]) }

  /// The call was not carried out because of the session: a failure whose number says so or, where there is none, whose text
  /// does. When in doubt, the session is good.
  var speaksOfSession: DialectCondition {
    let number = DialectPointer(parts: [answerKeys.code])
    let message = DialectPointer(parts: [answerKeys.message])
    var signs = Self.chunks(sessionFailureNumbers.sorted()).map { numbers -> DialectCondition in
      .pointer(number, .isOneOf(numbers.flatMap { [JSONValue.integer(Int64($0)), .string(String($0))] }))
    }
    let phrases = sessionFailurePhrases.filter { !$0.isEmpty }
    if !phrases.isEmpty {
      let hasNoNumber = DialectCondition.pointer(number, .exists(false))
      // The text is in the result where there is no message.
      let isSilent = DialectCondition.any([
        .pointer(message, .exists(false)), .pointer(message, .isOneOf(["", " "])),
      ])
      signs += [
        .all([hasNoNumber, Self.any(phrases.map { .pointer(message, .contains($0)) })]),
        .all([hasNoNumber, isSilent, Self.any(phrases.map { .pointer(result, .contains($0)) })]),
      ]
    }
    // Without a sign no failure is about the session.
    let isNone = DialectCondition.all([.status(200), .not(.status(200))])
    return .all([
      .any([.status(200), .status(401), .status(403)]), hasStatus([false, 0, "0", "false", "False", "FALSE"]),
      signs.isEmpty ? isNone : Self.any(signs),
    ])
  }

  /// A document has at most 16 conditions in a list.
  private static func any(_ conditions: [DialectCondition]) -> DialectCondition {
    conditions.count <= 16 ? .any(conditions) : .any(chunks(conditions).map { .any($0) })
  }

  private static func chunks<Element>(_ elements: [Element]) -> [[Element]] {
    stride(from: 0, to: elements.count, by: 16).map { Array(elements[$0..<min($0 + 16, elements.count)]) }
  }

  private func hasStatus(_ values: [JSONValue]) -> DialectCondition {
    .pointer(DialectPointer(parts: [answerKeys.status]), .isOneOf(values))
  }

  private var result: DialectPointer { DialectPointer(parts: [answerKeys.result]) }
}
