internal import OstiaryCore
internal import OstiaryHTML

/// What did not fit in an answer, in a sentence for a person, and the settings that may have to be others.
struct PegaMisfit: Sendable, ExpressibleByStringInterpolation {
  private let message: String
  /// The names that the answer has in place of those that were expected. The server has chosen them.
  private let found: [String]
  /// The names of settings, as a file of ``PegaSettings`` has them.
  let settings: [String]
  /// The path that was asked, where the server may have nothing at all.
  private let path: String?

  /// Describes what did not fit.
  /// - Parameters:
  ///   - message: a sentence, without its full stop where names were found.
  ///   - found: what the answer has instead.
  ///   - settings: the settings that may have to be others.
  ///   - path: the path that was asked, if the server may have nothing there: then the address comes before the settings.
  init(_ message: String, found: [String] = [], set settings: [String] = [], asked path: String? = nil) {
    self.message = message
    self.found = found
    self.settings = settings
    self.path = path
  }

  init(stringLiteral value: String) { self.init(value) }

  /// The page that should have had the login form has not.
  init(noLoginFormIn response: TransportResponse, _ configuration: PegaConfiguration) {
    let forms = HTMLPage(response.body).forms
    self.init(
      "The server did not show its login form: its answer has no form with the id “\(configuration.loginFormID)”, and none "
        + "with the fields “\(configuration.userParameter)” and “\(configuration.passwordParameter)”.",
      found: forms.compactMap(\.id) + forms.flatMap(\.fields).compactMap(\.name),
      set: ["loginFormID", "userParameter", "passwordParameter"])
  }

  /// The failure that it is.
  /// - Parameter secrets: what the server has been given, and must not be shown where it repeats it.
  func error(hiding secrets: [Secret]) -> OstiaryError {
    var error = OstiaryError(.unexpectedResponse, message + Self.list(found, hiding: secrets))
    let names = settings.joined(separator: ", ")
    if let path {
      error.advice = "Check the path of the server's address: “\(path)” was asked."
      if !names.isEmpty { error.advice += " If it is right, set \(names) to what the server has." }
    } else if !names.isEmpty {
      error.advice = "Check the server's address, and set \(names) to what the server has."
    }
    return error
  }

  /// The first few names, shortened.
  private static func list(_ names: [String], hiding secrets: [Secret]) -> String {
    guard !names.isEmpty else { return "" }
    let shown = names.prefix(8).map { "“\(ServerWords.shown($0, hiding: secrets, limit: 40))”" }
    let more = names.count > 8 ? " and \(names.count - 8) more" : ""
    return " It has \(shown.joined(separator: ", "))\(more)."
  }
}
