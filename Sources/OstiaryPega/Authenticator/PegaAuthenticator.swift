public import Foundation
internal import HTTPTypes
public import OstiaryCore
internal import OstiaryHTML

/// Signs in to Pega servers.
///
/// The proof of a Pega session is its cookies. Signing in presents a user name and password in one of three ways
/// (``PegaSignInMethod``), or takes over cookies that the app obtained itself: with a request of its own
/// (`Credential.request`) or elsewhere (`Credential.proof`). Either way the server's login activity has the last word: its
/// response becomes the session's attributes, unchanged (``PegaLogin`` gives its parts names).
///
/// Signing in by the login form also keeps the address that the server redirected to, under
/// ``sessionURLToken`` among the proof's tokens.
public struct PegaAuthenticator: Authenticator {
  /// Where the server is.
  public let address: PegaAddress
  /// How a user name and password travel.
  public let method: PegaSignInMethod
  /// The activity that answers who is signed in.
  public let loginActivity: PegaLoginActivity
  /// The names that the server uses.
  public let configuration: PegaConfiguration

  /// Among a proof's tokens, the address of the session that the server redirected to during a form login.
  public static let sessionURLToken = "sessionURL"

  /// Makes an authenticator.
  /// - Parameter server: the server's address in any of its spellings; see ``PegaAddress``.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `invalidInput` when it is not an `http` or `https` URL.
  public init(
    server: URL,
    method: PegaSignInMethod = .basic,
    loginActivity: PegaLoginActivity = .mobileAppConfiguration,
    configuration: PegaConfiguration = PegaConfiguration()
  ) throws {
    address = try PegaAddress(server, configuration: configuration)
    self.method = method
    self.loginActivity = loginActivity
    self.configuration = configuration
  }

  public var kind: AuthenticatorKind { .pega }
  public var server: URL { address.servlet }

  public func verify(_ session: Session, in context: AuthenticationContext) async throws -> Verification {
    var conversation = PegaConversation(self, context, cookies: session.proof.cookies)
    var request = try loginRequest()
    var answer = try await conversation.ask(request)
    if case .dictionary(let response, _) = answer, isSilent(response, about: session) {
      // The app may have changed the activity since the session began: the other one then says whose it is.
      request = try loginRequest(by: loginActivity.other)
      answer = try await conversation.ask(request)
      guard case .dictionary(let response, _) = answer, !isSilent(response, about: session) else {
        throw conversation.error(.unexpected("The server did not say whose session it is."), request)
      }
    }
    switch answer {
    case .dictionary(let response, _):
      // The cookies may be another operator's by now, after a sign-in in a web view for example.
      let before = PegaLogin(session, configuration: configuration).operatorID
      let now = PegaLogin(response, configuration: configuration).operatorID
      if before == now { return .valid(attributes: response) }
      if before != nil { return .invalid(reason: "The cookies are another operator's session.") }
      // Nothing but the name that signed in tells the operator. Another spelling of it is no definite word.
      if now == session.user.id { return .valid(attributes: response) }
      throw conversation.error(
        .unexpected("The server names another operator than the user who signed in."), request)
    case .terminal(let answer): return .invalid(reason: answer.reason)
    case let answer: throw conversation.error(answer, request)
    }
  }

  /// Whether an answer leaves it open whose session it is: it names no operator where the session has one, or the first one
  /// where neither the server nor a credential has named the user before.
  private func isSilent(_ response: [String: JSONValue], about session: Session) -> Bool {
    let before = PegaLogin(session, configuration: configuration).operatorID
    let now = PegaLogin(response, configuration: configuration).operatorID
    return before == nil ? now != nil && session.user.id == Session.User.unknown.id : now == nil
  }

  /// Ends a session with the server's log-off activity. Any 2xx or 3xx says that the server was told, and a 401 that the
  /// session was over; `verify(_:in:)` tells whether it is.
  public func end(_ session: Session, in context: AuthenticationContext) async throws {
    try await PegaConversation(self, context, cookies: session.proof.cookies).logOff()
  }

  /// The cookies go to the server's context and below, also those whose path is wider: other applications of the host are
  /// none of the session's business.
  public func attachment(for session: Session) -> ProofAttachment {
    ProofAttachment(origins: [address.origin], cookies: session.proof.cookies, below: address.contextPath)
  }

  /// A 401 and a 2xx with the login form refuse the session, and show that the request was not executed. Answers of other
  /// applications of the host count for nothing, and a 401 without a mark of the server's own is only a reason to ask.
  public func judge(_ response: TransportResponse, to request: TransportRequest) -> Verdict {
    guard request.head.isBelow(address.contextPath) else { return .accepted }
    switch response.status.code {
    case 401:
      let reason = TerminalAnswer.unauthorized.reason
      return PegaMark.isIn(response, configuration)
        ? .rejected(reason: reason, mayHaveExecuted: false) : .doubtful(reason: reason, mayHaveExecuted: false)
    case 200..<300 where response.mediaType == "text/html":
      guard PegaPage(response, configuration: configuration).loginForm != nil else { return .accepted }
      return .rejected(reason: TerminalAnswer.loginForm.reason, mayHaveExecuted: false)
    default:
      return .accepted
    }
  }

  public func bodyNeeded(toJudge response: StreamingResponse) -> Int {
    if response.head.status == .unauthorized {
      return PegaMark.isIn(response.head, configuration) ? 0 : Self.loginPageSize
    }
    let isPage = (200..<300).contains(response.head.status.code) && response.head.mediaType == "text/html"
    return isPage ? Self.loginPageSize : 0
  }

  public func isProof(cookieNamed name: String) -> Bool {
    configuration.sessionCookieNames.contains(name) || configuration.containerCookieNames.contains(name)
  }

  /// How much of a page is looked at for a login form. Pega's own has it within the first few thousand bytes.
  static let loginPageSize = 256 * 1024

  /// The largest response dictionary that is read, as it is kept with the session: 1 MiB.
  static let dictionarySize = 1 << 20

  /// The activity that a request asks for, and the setting that is its name; `nil` for a request that asks for none of these.
  func activity(askedFor request: TransportRequest) -> (name: String, setting: String)? {
    guard let query = request.head.path?.split(separator: "?", maxSplits: 1).dropFirst().first else { return nil }
    let activities = [
      (configuration.mobileAppConfigurationActivity, "mobileAppConfigurationActivity"),
      (configuration.accessGroupDetailsActivity, "accessGroupDetailsActivity"),
      (configuration.logOffActivity, "logOffActivity"),
    ]
    return activities.first { name, _ in
      let pair = PercentEncoding.encode(configuration.activityParameter) + "=" + PercentEncoding.encode(name)
      return query.split(separator: "&").first.map(String.init) == pair
    }
  }

  /// A request for a login activity.
  /// - Parameter other: the activity, where it is not the one that the app has chosen.
  func loginRequest(
    _ parameters: [(String, String)] = [], by other: PegaLoginActivity? = nil
  ) throws -> TransportRequest {
    let activity =
      switch other ?? loginActivity {
      case .mobileAppConfiguration: configuration.mobileAppConfigurationActivity
      case .accessGroupDetails: configuration.accessGroupDetailsActivity
      }
    var request = try TransportRequest.get(
      address.activity(activity, parameters, configuration: configuration))
    request.head.headerFields[.accept] = "application/json"
    request.responseBodyLimit = Self.dictionarySize
    return request
  }
}

extension PegaLoginActivity {
  fileprivate var other: PegaLoginActivity {
    self == .mobileAppConfiguration ? .accessGroupDetails : .mobileAppConfiguration
  }
}
