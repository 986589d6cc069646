internal import Foundation
internal import HTTPTypes
internal import Logging
internal import OstiaryCore

/// A few exchanges with one server that share their cookies: one login, one question.
struct PegaConversation: Sendable {
  let authenticator: PegaAuthenticator
  let context: AuthenticationContext
  /// The cookies that the server has set so far.
  var cookies: CookieJar
  /// The address that a form login was redirected to.
  var sessionURL: Secret?
  /// Whether the user name and password went in the login form.
  var hasSentForm = false
  /// What the server has been given and may repeat: it is hidden in messages, as are the cookies.
  var secrets: [Secret] = []
  /// Whether the server has begun a session that is of no use unless the login succeeds.
  var hasUnwantedSession = false

  init(_ authenticator: PegaAuthenticator, _ context: AuthenticationContext, cookies: CookieJar = CookieJar()) {
    self.authenticator = authenticator
    self.context = context
    self.cookies = cookies
  }

  private var configuration: PegaConfiguration { authenticator.configuration }
  /// The path of the servlet, which a person may have written wrong.
  var servletPath: String { authenticator.address.servlet.path(percentEncoded: true) }

  /// Sends a request with the cookies, follows redirects, keeps the cookies that come.
  /// - Throws: ``/OstiaryCore/OstiaryError``; a loop of redirects is an `unexpectedResponse`.
  mutating func exchange(_ request: TransportRequest) async throws -> TransportResponse {
    var request = request
    if !configuration.containerVersionField.isEmpty,
      let name = HTTPField.Name(configuration.containerVersionField),
      Origin(request.head) == authenticator.address.origin
    {
      request.head.headerFields[name] = configuration.containerVersion
    }
    do {
      return try await context.exchange(request, jar: &cookies)
    } catch let error as OstiaryError where error.code == .tooManyRedirects {
      throw OstiaryError(
        .unexpectedResponse, "The server redirects in a circle.", request: request.head, underlying: error)
    }
  }

  /// Sends a request and says what the response means.
  /// - Parameter presentsCredential: whether the request is a login attempt, and not a question by cookies alone.
  mutating func ask(_ request: TransportRequest, presentsCredential: Bool = false) async throws -> PegaAnswer {
    let answer = answer(try await exchange(request), to: request)
    return presentsCredential ? answer : answer.toCookiesAlone
  }

  /// What a response means. Where redirects have led to another server, it is no word of the one that was asked.
  func answer(_ response: TransportResponse, to request: TransportRequest) -> PegaAnswer {
    if let url = response.url, let asked = Origin(request.head), let answered = Origin(url), answered != asked,
      !(answered.host == asked.host && answered.scheme == "https")
    {
      return .unexpected("Another server answered: the server redirects to \(url.host() ?? "it").")
    }
    let answer = PegaAnswer(response, configuration: configuration, now: context.clock.now)
    // An activity that the server calls otherwise is answered with a page, or with an error of the container.
    guard let activity = authenticator.activity(askedFor: request) else { return answer }
    switch answer {
    case .unexpected(let misfit)
    where misfit.settings.isEmpty && response.status != .unauthorized && !(200..<300).contains(response.status.code):
      return .unexpected(
        PegaMisfit(
          "The server answered \(response.status.code) to the activity “\(activity.name)”.", set: [activity.setting],
          asked: response.status == .notFound ? servletPath : nil))
    case .page:
      return .unexpected(
        PegaMisfit(
          "The server answered the activity “\(activity.name)” with a page in place of a session's data.",
          set: [activity.setting]))
    default: return answer
    }
  }

  /// The failure that an answer is. What was presented is not shown.
  func error(_ answer: PegaAnswer, _ request: TransportRequest) -> OstiaryError {
    var error = answer.error(for: request.head, hiding: secrets + cookies.cookies.map(\.value))
    if case .terminal(.loginForm) = answer, let activity = authenticator.activity(askedFor: request) {
      // A server answers so, too, where the request asks for nothing that it knows.
      error.advice += " Where they are right, see that it has the activity “\(activity.name)” (\(activity.setting))."
    }
    return error
  }

  /// The failure that a misfit is, where nothing has been executed.
  func error(_ misfit: PegaMisfit, _ request: TransportRequest) -> OstiaryError {
    var error = error(.unexpected(misfit), request)
    error.requestMayHaveExecuted = false
    return error
  }

  /// Asks the login activity and makes its response a session.
  /// - Parameters:
  ///   - username: who signs in, in case the response doesn't say.
  ///   - presentsCredential: whether the request holds the user name and password.
  mutating func grant(
    for username: String?, ask request: TransportRequest, presentsCredential: Bool = false
  ) async throws -> SessionGrant {
    var answer = try await ask(request, presentsCredential: presentsCredential)
    if hasSentForm { answer = answer.afterLoginForm }
    guard case .dictionary(let response, let versions) = answer else { throw error(answer, request) }
    guard versions.allows(configuration.containerVersion) else {
      hasUnwantedSession = true
      var error = TerminalAnswer.unsupportedVersion.error
      error.advice =
        "Update this app, which says that it is version \(configuration.containerVersion) (containerVersion)."
      throw error
    }
    let login = PegaLogin(response, configuration: configuration)
    let user = Session.User(
      id: login.operatorID ?? username ?? Session.User.unknown.id, displayName: login.operatorName)
    var proof = Proof(cookies: cookies)
    if let sessionURL { proof.tokens[PegaAuthenticator.sessionURLToken] = sessionURL }
    return SessionGrant(user: user, proof: proof, attributes: response)
  }

  /// Sends the app's own login request.
  /// - Throws: for every answer that is no success; the page that comes with a success may be anything but the login form.
  mutating func present(_ request: TransportRequest) async throws {
    let response = try await exchange(request)
    // The app's own address may answer with any 2xx that isn't a page: an empty body, JSON, anything else.
    if (200..<300).contains(response.status.code), response.mediaType != "text/html" { return }
    let answer = answer(response, to: request)
    switch answer {
    case .page, .dictionary: return
    case .unexpected where (200..<300).contains(response.status.code): return
    default: throw error(answer, request)
    }
  }

  /// Ends the session that the cookies belong to. It is one request: where the server redirects to afterwards doesn't
  /// matter.
  func logOff() async throws {
    var request = try TransportRequest.get(
      authenticator.address.activity(configuration.logOffActivity, configuration: configuration))
    if let value = cookies.header(for: request.head, at: context.clock.moment) {
      request.head.headerFields[.cookie] = value
    }
    let response = try await context.transport.send(request)
    switch response.status.code {
    case 200..<400: return
    case 401: return
    default:
      throw error(answer(response, to: request), request)
    }
  }

  /// Ends the session that the cookies belong to, if that works, even when the login itself was cancelled.
  func tryToLogOff() async {
    let ending = SharedWork<Void>()
    ending.launch { [self] in try await logOff() }
    if case .failure = await ending.outcome {
      context.logger.notice("A session that is not wanted could not be ended at the server.")
    }
  }
}
