internal import Foundation
internal import HTTPTypes
internal import OstiaryCore
internal import OstiaryHTML

/// What a server's response to a login attempt, or to "am I signed in?", means.
enum PegaAnswer: Sendable {
  /// 2xx with a JSON object.
  case dictionary([String: JSONValue])
  /// 2xx with a page that refuses nothing: the portal, for example.
  case page(PegaPage)
  /// The server's definite word.
  case terminal(TerminalAnswer)
  /// Too many attempts; later ones may be heard again.
  case tooManyAttempts(retryAfter: Duration)
  /// The server, or one in front of it, can't answer now.
  case unavailable(HTTPResponse, at: Date)
  /// Anything else, described for a person.
  case unexpected(String)

  init(_ response: TransportResponse, configuration: PegaConfiguration, now: Date) {
    switch response.status.code {
    case 200..<300:
      self.init(success: response, configuration: configuration)
    case 401:
      self = Self.namesLock(response, configuration) ? .terminal(.accountLocked) : .terminal(.unauthorized)
    case 403 where Self.namesLock(response, configuration):
      self = .terminal(.accountLocked)
    case 429:
      self = .tooManyAttempts(retryAfter: response.head.retryAfter(at: now) ?? configuration.lockoutWait)
    case _ where response.head.saysUnavailable:
      self = .unavailable(response.head, at: now)
    case let code:
      self = .unexpected("The server answered \(code).")
    }
  }

  private init(success response: TransportResponse, configuration: PegaConfiguration) {
    guard !response.body.isEmpty else {
      self = .unexpected("The server answered \(response.status.code) with nothing in it.")
      return
    }
    if let dictionary = JSONValue(json: response.body)?.object {
      self = .dictionary(dictionary)
      return
    }
    guard response.mediaType == "text/html" || response.mediaType == "application/xhtml+xml" else {
      self = .unexpected("The server answered something that is neither a JSON object nor a page.")
      return
    }
    let page = PegaPage(response, configuration: configuration)
    switch page.errorName {
    case configuration.accountLockedName: self = .terminal(.accountLocked)
    case configuration.tooManyAttemptsName: self = .tooManyAttempts(retryAfter: configuration.lockoutWait)
    default:
      if page.hasError {
        self = .terminal(.loginError)
      } else if page.loginForm != nil {
        self = .terminal(.loginForm)
      } else {
        self = .page(page)
      }
    }
  }

  /// What this answer means for a request that presented cookies and nothing else. A page that reports an error says
  /// nothing about the cookies then: a server that is down for maintenance may show one.
  var toCookiesAlone: PegaAnswer {
    guard case .terminal(.loginError) = self else { return self }
    return .unexpected("The server answered with a page that says that something went wrong.")
  }

  /// The failure that this answer is, where a dictionary was expected.
  func error(for request: HTTPRequest) -> OstiaryError {
    var error =
      switch self {
      case .terminal(let answer):
        answer.error
      case .tooManyAttempts(let wait):
        OstiaryError(
          .accountLocked, "The server takes no more attempts for now.", advice: "Wait before trying again.",
          disposition: .transient(retryAfter: wait))
      case .unavailable(let response, let now):
        OstiaryError(unavailable: response, to: request, now: now)
          ?? OstiaryError(.serverUnavailable, "The server can't answer now.")
      case .unexpected(let what):
        OstiaryError(.unexpectedResponse, what)
      case .page:
        OstiaryError(.unexpectedResponse, "The server answered with a page in place of a session's data.")
      case .dictionary:
        OstiaryError(.unexpectedResponse, "The server answered with data in place of a page.")
      }
    error.method = request.method
    error.host = request.authority
    return error
  }

  /// Whether a JSON answer says that the account is locked: `{"errors":[{"ID":"AccountLocked"}]}`.
  private static func namesLock(_ response: TransportResponse, _ configuration: PegaConfiguration) -> Bool {
    JSONValue(json: response.body)?["errors"]?.array?.contains { $0["ID"]?.string == configuration.accountLockedName }
      ?? false
  }
}
