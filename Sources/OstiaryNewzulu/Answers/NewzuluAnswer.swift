internal import Foundation
internal import HTTPTypes
internal import OstiaryCore

/// What a server's response to a call means. The article of this module has the table, "What an answer means".
///
/// Only ``sessionOver(_:)`` is a word about the session: a failure whose number says so or, where a server sends none,
/// whose text does. Not a status code alone, a 5xx, a 429 or a page of a host in between.
enum NewzuluAnswer: Sendable {
  /// It was carried out, with this result.
  case result(JSONValue)
  /// It was not carried out because of the session. Nothing was done.
  case sessionOver(NewzuluRefusal)
  /// It was not carried out for another reason.
  case refused(NewzuluRefusal)
  /// The server, or one in front of it, can't answer now.
  case unavailable(HTTPResponse.Status, retryAfter: Duration?)
  /// Anything else, described for a person.
  case unexpected(String)

  /// Reads a response.
  /// - Parameter secrets: what no text of a refusal may repeat, not even in part.
  init(_ response: TransportResponse, configuration: NewzuluConfiguration, now: Date, hiding secrets: [Secret] = []) {
    switch response.status.code {
    case 429, 500...599:
      let asked = response.head.headerFields[.retryAfter]
        .flatMap { RetryAfter.parse($0, now: response.head.date(now: now) ?? now) }
      self = .unavailable(response.status, retryAfter: asked)
    case 300..<400:
      self = .unexpected("The server redirects elsewhere.")
    default:
      self.init(
        status: response.status.code, body: response.body, configuration: configuration, hiding: secrets)
    }
  }

  /// Reads what a server that can answer has answered.
  init(status: Int, body: Data, configuration: NewzuluConfiguration, hiding secrets: [Secret] = []) {
    self.init(body: body, configuration: configuration, hiding: secrets)
    switch (status, self) {
    case (200, _), (401, .sessionOver), (403, .sessionOver), (400..<500, .refused): break
    default: self = .unexpected("The server answered \(status).")
    }
  }

  private init(body: Data, configuration: NewzuluConfiguration, hiding secrets: [Secret]) {
    guard let members = JSONValue(json: body)?.object else {
      self = .unexpected("The server answered something that is not a JSON object.")
      return
    }
    let keys = configuration.answerKeys
    let result = members[keys.result]
    guard let isDone = members[keys.status].flatMap(Self.truth) else {
      let names = MissingName(keys.status, setting: "answer.status", in: .object(members), hiding: secrets)
      self = .unexpected("The server's answer does not say whether the call was carried out: \(names).")
      return
    }
    if isDone {
      guard let result else {
        let names = MissingName(keys.result, setting: "answer.result", in: .object(members), hiding: secrets)
        self = .unexpected("The server's answer has no result: \(names).")
        return
      }
      self = .result(result)
      return
    }
    let code = members[keys.code].flatMap { $0 == .null ? nil : $0 }
    let number = code?.looseInteger.flatMap(Int.init(exactly:))
    guard code == nil || number != nil else {
      // It may have been the word about the session, an upload or a method; the text beside it does not tell.
      self = .unexpected("The server's answer has a failure number that can't be read.")
      return
    }
    let text = members[keys.message]?.looseText ?? result?.looseText ?? ""
    // What is shortened first may show the beginning of a secret.
    let isSafe = !secrets.contains { !$0.isEmpty && text.contains($0.reveal()) }
    let refusal = NewzuluRefusal(number: number, text: isSafe ? text : "")
    let isAboutSession = NewzuluRefusal(number: number, text: text).isAboutSession(configuration)
    self = isAboutSession ? .sessionOver(refusal) : .refused(refusal)
  }

  /// The documented `true` and `false`, and what PHP makes of them as numbers and texts; `nil` for everything else.
  private static func truth(_ status: JSONValue) -> Bool? {
    switch status.looseText?.lowercased() ?? status.bool.map(String.init) {
    case "true", "1": true
    case "false", "0": false
    default: nil
    }
  }

  /// The result.
  /// - Parameter method: the call's method.
  /// - Throws: what the other answers are, as an ``/OstiaryCore/OstiaryError``.
  func result(
    for request: HTTPRequest, calling method: String, _ configuration: NewzuluConfiguration
  ) throws -> JSONValue {
    switch self {
    case .result(let value):
      return value
    case .sessionOver(let refusal):
      throw OstiaryError(
        .interactionRequired, "The server wants a session for this, and does not accept the one it has.",
        request: request, requestMayHaveExecuted: false, underlying: refusal)
    case .refused(let refusal):
      throw refusal.error(for: request, calling: method, configuration)
    case .unavailable(let status, let wait):
      throw OstiaryError(
        .serverUnavailable, "The server can't answer now (\(status.code)).",
        disposition: .transient(retryAfter: wait), request: request,
        // Both say that the server has not begun (RFC 9110 §15.6.4, RFC 6585 §4).
        requestMayHaveExecuted: ![429, 503].contains(status.code))
    case .unexpected(let what):
      throw OstiaryError(
        .unexpectedResponse, "\(what) It was called at “\(configuration.servicesPath)” (setting “servicesPath”).",
        advice: MissingName.advice, request: request)
    }
  }
}

extension NewzuluRefusal {
  /// Whether this is the server's word that a session is over.
  func isAboutSession(_ configuration: NewzuluConfiguration) -> Bool {
    if let number { return configuration.sessionFailureNumbers.contains(number) }
    let text = text.lowercased()
    return configuration.sessionFailurePhrases.contains { text.contains($0) }
  }

  /// Whether the server does not have the method.
  func isUnknownMethod(_ configuration: NewzuluConfiguration) -> Bool {
    number.map { $0 == configuration.unknownMethodNumber }
      ?? text.lowercased().contains(configuration.unknownMethodPhrase)
  }

  /// Whether the server does not have the upload.
  func isUnknownUpload(_ configuration: NewzuluConfiguration) -> Bool {
    number.map { $0 == configuration.unknownItemNumber }
      ?? text.lowercased().contains(configuration.unknownItemPhrase)
  }

  /// The error of a call that the server refused.
  func error(
    for request: HTTPRequest, calling method: String, _ configuration: NewzuluConfiguration
  ) -> OstiaryError {
    let number = number.map { " (\($0))" } ?? ""
    let words = text.isEmpty ? "" : ": “\(text)”"
    let isUnknown = isUnknownMethod(configuration)
    return OstiaryError(
      .newzuluRefused, "The server refused the call of “\(method)”\(words)\(number).",
      advice: isUnknown
        ? "Set what the server calls the method: the group “calls” of the configuration."
        : "Check the API key, the tenant, and the names of the arguments in the configuration.",
      disposition: .misuse, request: request, requestMayHaveExecuted: false, underlying: self)
  }
}

extension HTTPResponse {
  /// When the server says it answered (RFC 9110 §6.6.1).
  func date(now: Date) -> Date? {
    headerFields[.date].flatMap { HTTPDate.parse($0, now: now) }
  }
}

/// What a Newzulu server said when it refused a call. It is the ``/OstiaryCore/OstiaryError/underlying`` error of an
/// ``/OstiaryCore/OstiaryError`` `newzulu_refused`.
public struct NewzuluRefusal: Error, Sendable, Hashable {
  /// The failure's number, where the server sent one.
  public let number: Int?
  /// The server's text as it came, at most 200 characters of it without those that don't print; empty when there was none.
  public let text: String

  /// Makes a refusal.
  public init(number: Int?, text: String) {
    self.number = number
    self.text = String(text.unicodeScalars.prefix(200).filter(Self.isPrintable).map(Character.init))
  }

  /// Errors are shown on terminals, which take control characters for more than text.
  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
    default: true
    }
  }

}

/// The answers that are a Newzulu server's definite word about a credential or a session, each with the reason why it is
/// one. Nothing else ends a session or forgets a password.
enum TerminalAnswer: Sendable, Hashable, CaseIterable {
  /// `confirmCredentials` with the result `false`, as the reference documents it: the server looked, and the password is
  /// not this user's.
  case wrongCredentials
  /// A failure that is about the session, by its number or its text: the server looked, and does not know the token.
  case sessionOver

  /// What it means for a sign-in.
  var error: OstiaryError { OstiaryError(.invalidCredentials, reason) }

  /// The reason in words for a person.
  var reason: String {
    switch self {
    case .wrongCredentials: "The server does not know this e-mail address and password."
    case .sessionOver: "The server says that the session token is not valid."
    }
  }
}
