/// What settings are read from, as messages call it, and how its mistakes are told.
package struct SettingsSource: Sendable {
  /// What holds the settings: a file's name, or a key of an Info.plist.
  package let name: String
  /// The code of the errors.
  package var code: OstiaryError.Code
  /// What lists all settings, as the beginning of a sentence; `nil` for none.
  package var article: String?

  /// Makes a source.
  package init(_ name: String, code: OstiaryError.Code = .invalidInput, article: String? = nil) {
    self.name = SettingText.shown(name)
    self.code = code
    self.article = article
  }

  /// An error about the source as a whole.
  /// - Parameter problem: the end of a sentence that begins with the source.
  package func refusal(_ problem: String, advice: String, underlying: (any Error)? = nil) -> OstiaryError {
    OstiaryError(
      code, "\(name) \(problem).", advice: advice, disposition: .misuse, requestMayHaveExecuted: false,
      underlying: underlying)
  }

  /// How many problems are told.
  private static let mostTold = 8

  /// An error about settings, each of which it names.
  package func refusal(_ problems: [SettingProblem]) -> OstiaryError {
    var told = problems.prefix(Self.mostTold).enumerated().map { index, problem in
      "“\(problem.path)”\(index == 0 ? " in \(name)" : "") \(problem.text)"
    }
    if problems.count > told.count { told.append("and \(problems.count - told.count) more") }
    let advice = problems.first?.advice ?? article.map { "Correct it. \($0) lists all settings." } ?? "Correct it."
    return OstiaryError(
      code, "\(told.joined(separator: "; ")).", advice: advice, disposition: .misuse, requestMayHaveExecuted: false)
  }
}
