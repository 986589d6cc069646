internal import Foundation
internal import HTTPTypes
internal import OstiaryCore
internal import OstiaryHTML

/// What a server's response to a login attempt, or to "am I signed in?", means. The article "What an answer means" of this
/// module has the table.
enum PegaAnswer: Sendable {
  /// 200 with the members of a sign-in, as the server has written them, and the container versions that they name.
  case dictionary([String: JSONValue], ContainerVersionRange)
  /// 2xx with a page that refuses nothing: the portal, for example.
  case page(PegaPage)
  /// 2xx with the login form, which names another reason than the password: an old page, for example.
  case notice
  /// 2xx with a page that reports an error and has no login form: the word on a password, and on nothing else. A server that is
  /// down for maintenance may show one.
  case errorPage
  /// The server's definite word.
  case terminal(TerminalAnswer)
  /// Too many attempts; later ones may be heard again.
  case tooManyAttempts(retryAfter: Duration)
  /// The server, or one in front of it, can't answer now.
  case unavailable(HTTPResponse, at: Date)
  /// Anything else, described for a person, with the settings that may have to be others.
  case unexpected(PegaMisfit)

  init(_ response: TransportResponse, configuration: PegaConfiguration, now: Date) {
    switch response.status.code {
    case 200..<300:
      self.init(success: response, configuration: configuration)
    case 401 where Self.namesLock(response, configuration), 403 where Self.namesLock(response, configuration):
      self = .terminal(.accountLocked)
    case 401 where Self.isPortalPage(response, configuration):
      self = .unexpected("The server answered 401 with a page that is not its own; it may be a portal's.")
    case 401:
      self = .terminal(.unauthorized)
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
      if response.status != .ok {
        self = .unexpected("The server answered \(response.status.code) with data, which is not a sign-in's.")
      } else if let misfit = PegaLogin(dictionary, configuration: configuration).misfit {
        self = .unexpected(misfit)
      } else {
        let range = ContainerVersionRange(
          ContainerVersionRange.withVersionsAsTexts(dictionary, in: response.body, keys: configuration.keys),
          keys: configuration.keys)
        self = .dictionary(dictionary, range)
      }
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
      if page.loginForm != nil, page.errorName != nil {
        self = .notice
      } else if page.loginForm != nil {
        self = .terminal(page.hasError ? .loginError : .loginForm)
      } else if page.hasError {
        self = .errorPage
      } else {
        self = .page(page)
      }
    }
  }

  /// What this answer means for a request that presented cookies and nothing else: no word about a password.
  var toCookiesAlone: PegaAnswer {
    switch self {
    case .notice, .terminal(.loginError): .terminal(.loginForm)
    case .errorPage: Self.somethingWrong
    default: self
    }
  }

  /// What this answer means after the login form was sent: the login activity has seen the cookies that came of it, and not
  /// the password.
  var afterLoginForm: PegaAnswer {
    switch self {
    case .terminal(.unauthorized), .terminal(.loginForm), .terminal(.loginError):
      .unexpected("The login form was sent, and no session came of it.")
    case .errorPage: Self.somethingWrong
    default: self
    }
  }

  private static var somethingWrong: PegaAnswer {
    .unexpected("The server answered with a page that says that something went wrong.")
  }

  /// The failure that this answer is, where a dictionary was expected.
  /// - Parameter secrets: what must not be shown where the server repeats it.
  func error(for request: HTTPRequest, hiding secrets: [Secret]) -> OstiaryError {
    var error =
      switch self {
      case .terminal(let answer):
        answer.error
      case .errorPage:
        TerminalAnswer.loginError.error
      case .tooManyAttempts(let wait):
        OstiaryError(
          .accountLocked, "The server takes no more attempts for now.", advice: "Wait before trying again.",
          disposition: .transient(retryAfter: wait))
      case .unavailable(let response, let now):
        OstiaryError(unavailable: response, to: request, now: now)
          ?? OstiaryError(.serverUnavailable, "The server can't answer now.")
      case .unexpected(let misfit):
        misfit.error(hiding: secrets)
      case .notice:
        OstiaryError(
          .unexpectedResponse, "The server shows its login form again, for another reason than the password.")
      case .page:
        OstiaryError(.unexpectedResponse, "The server answered with a page in place of a session's data.")
      case .dictionary:
        OstiaryError(.unexpectedResponse, "The server answered with data in place of a page.")
      }
    error.method = request.method
    error.host = request.authority
    return error
  }

  /// Whether a 401 is a page without any mark of the server's: a portal's, for the server's own comes with its challenge
  /// (RFC 9110 §15.5.2).
  private static func isPortalPage(_ response: TransportResponse, _ configuration: PegaConfiguration) -> Bool {
    response.mediaType == "text/html" && response.head.authenticationChallenges.isEmpty
      && !PegaMark.isIn(response, configuration)
  }

  /// Whether a JSON answer says that the account is locked: `{"errors":[{"ID":"AccountLocked"}]}`.
  private static func namesLock(_ response: TransportResponse, _ configuration: PegaConfiguration) -> Bool {
    PegaMark.errorIDs(response, configuration.keys)?.contains(configuration.accountLockedName) == true
  }
}
