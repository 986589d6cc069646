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
    var signs: [DialectCondition] = []
    let numbers = sessionFailureNumbers.sorted()
    if !numbers.isEmpty {
      signs.append(
        .pointer(number, .isOneOf(numbers.flatMap { [JSONValue.integer(Int64($0)), .string(String($0))] })))
    }
    let phrases = sessionFailurePhrases.filter { !$0.isEmpty }
    if !phrases.isEmpty {
      // The text is in the result where there is no message.
      let isSilent = DialectCondition.any([
        .pointer(message, .exists(false)), .pointer(message, .isOneOf(["", " "])),
      ])
      let texts = phrases.map { DialectCondition.pointer(message, .contains($0)) }
      let results = phrases.map { DialectCondition.pointer(result, .contains($0)) }
      signs.append(
        .all([.pointer(number, .exists(false)), .any(texts + [.all([isSilent, .any(results)])])]))
    }
    // Without a sign no failure is about the session.
    let isNone = DialectCondition.all([.status(200), .not(.status(200))])
    return .all([
      .any([.status(200), .status(401), .status(403)]), hasStatus([false, 0, "0", "false", "False", "FALSE"]),
      signs.isEmpty ? isNone : .any(signs),
    ])
  }

  private func hasStatus(_ values: [JSONValue]) -> DialectCondition {
    .pointer(DialectPointer(parts: [answerKeys.status]), .isOneOf(values))
  }

  private var result: DialectPointer { DialectPointer(parts: [answerKeys.result]) }
}
