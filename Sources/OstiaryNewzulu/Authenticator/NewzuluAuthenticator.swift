public import Foundation
internal import HTTPTypes
internal import Logging
public import OstiaryCore

/// Signs in to a Newzulu platform.
///
/// The proof of a session is an opaque token that the platform takes among a call's arguments. `AuthenticatedTransport` puts it
/// there, into the body of a call, and nowhere else: a request whose body is not at hand can't carry it.
/// ``NewzuluClient`` does all of that, and is what most programs want.
///
/// A token that was obtained elsewhere (an app's own server that signs users in) is taken over with `Credential.proof`,
/// under ``sessionToken``; the platform is asked whose it is.
///
/// The platform documents no way to end a session: signing out forgets it.
public struct NewzuluAuthenticator: Authenticator, AuthenticatorWithoutEnd, AuthenticatorWithEndConfirmation {
  /// The platform's address.
  public let server: URL
  /// The tenant in which the account lives.
  public let vhost: String
  /// The names that the server uses.
  public let configuration: NewzuluConfiguration

  /// Among a proof's tokens, the session token.
  public static let sessionToken = "sessiontoken"
  /// The vendor's platform.
  public static let vendorServer = URL(string: "https://api.filemobile.com")

  let origin: Origin
  let services: URL
  let apiKey: Secret

  /// Makes an authenticator.
  /// - Parameters:
  ///   - server: the platform's address, such as `https://api.filemobile.com`.
  ///   - apiKey: the app's key.
  ///   - vhost: the tenant in which the account lives.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `invalidRequest` when the address is not an `http` or `https` URL.
  public init(
    server: URL, apiKey: Secret, vhost: String, configuration: NewzuluConfiguration = NewzuluConfiguration()
  ) throws {
    let services = server.appending(path: configuration.servicesPath)
    // A path that leads to another origin would take the password there.
    guard let origin = Origin(services), server.query == nil, origin == Origin(server) else {
      throw OstiaryError(
        .invalidRequest, "The platform's address is not an http or https URL with a host.",
        advice: "Give an address such as https://api.filemobile.com.", requestMayHaveExecuted: false)
    }
    _ = try HTTPRequest(.post, to: services)
    self.server = server
    self.apiKey = apiKey
    self.vhost = vhost
    self.configuration = configuration
    self.origin = origin
    self.services = services
  }

  public var kind: AuthenticatorKind { .newzulu }

  /// The same platform with accounts of another tenant.
  func with(vhost: String) throws -> NewzuluAuthenticator {
    try NewzuluAuthenticator(server: server, apiKey: apiKey, vhost: vhost, configuration: configuration)
  }

  /// Signs in.
  ///
  /// - Throws: ``/OstiaryCore/OstiaryError``: `invalidInput` before anything is sent, for an e-mail address or password that
  ///   is empty; `invalidCredentials` as the server's word; `newzuluRefused`, `serverUnavailable` and
  ///   `unexpectedResponse` for what says nothing about the credential; the network's own errors.
  public func signIn(with credential: Credential, in context: AuthenticationContext) async throws -> SessionGrant {
    switch credential {
    case .password(let username, let password):
      try Self.check(username: username, password: password)
      return try await signIn(username, password, context)
    case .proof(let proof):
      guard let token = proof.tokens[Self.sessionToken] else { throw Self.unsupported }
      return try await takeOver(token, context)
    case .request, .byHandler:
      throw Self.unsupported
    }
  }

  /// Asks the platform whose session it is.
  public func verify(_ session: Session, in context: AuthenticationContext) async throws -> Verification {
    guard let token = session.proof.tokens[Self.sessionToken] else { return .invalid(reason: Self.noToken) }
    let (answer, request) = try await ask(configuration.calls.getLoggedInUser, carrying: token, context)
    if case .sessionOver = answer { return .invalid(reason: TerminalAnswer.sessionOver.reason) }
    let result = try answer.result(for: request, calling: configuration.calls.getLoggedInUser, configuration)
    // A server that does not know this token may answer as it does to a wrong password.
    if result.isFalse { return .invalid(reason: TerminalAnswer.sessionOver.reason) }
    guard let user = result.object.flatMap({ NewzuluUser($0, configuration: configuration) }) else {
      throw Self.notAUser(result, configuration, request, hiding: [token, apiKey])
    }
    guard user.id == session.user.id else { return .invalid(reason: "The session token is another user's.") }
    return .valid(attributes: user.attributes)
  }

  /// Does nothing: the platform has no such call. The session is forgotten.
  public func end(_ session: Session, in context: AuthenticationContext) async throws {}

  package func confirmEnd(of session: Session, in context: AuthenticationContext) async -> EndConfirmation {
    .localOnly(reason: "the platform has no call that ends a session; its token runs out by itself")
  }

  public func attachment(for session: Session) -> ProofAttachment {
    guard let token = session.proof.tokens[Self.sessionToken] else { return ProofAttachment(origins: [origin]) }
    let argument = TokenArgument(name: configuration.tokenName, token: token)
    return ProofAttachment(origins: [origin], inBody: { argument.add(to: &$0) }, below: "")
  }

  /// The proof is a token: cookies that come with answers are a gateway's.
  public func isProof(cookieNamed name: String) -> Bool { false }

  /// A failure that is about the session refuses it, and shows that the call was not carried out.
  public func judge(_ response: TransportResponse, to request: TransportRequest) -> Verdict {
    guard response.body.count <= Self.failureSize,
      case .sessionOver = NewzuluAnswer(
        status: response.status.code, body: response.body, configuration: configuration)
    else { return .accepted }
    return .rejected(reason: TerminalAnswer.sessionOver.reason, mayHaveExecuted: false)
  }

  public func bodyNeeded(toJudge response: StreamingResponse) -> Int {
    response.head.mediaType == "application/json" ? Self.failureSize + 1 : 0
  }

  /// How large the answer for a failure can be: it is a sentence and a number.
  static let failureSize = 16 * 1024

  /// A call that carries the key, and the tenant unless its arguments say another.
  func call(_ method: String, _ arguments: [String: JSONValue] = [:], withKey: Bool = true) -> NewzuluCall {
    var call = NewzuluCall(
      method: method, arguments: [configuration.vhostArgument: .string(vhost)],
      methodArgument: configuration.methodArgument)
    if withKey { call.arguments[configuration.keyArgument] = .string(apiKey.reveal()) }
    call.arguments.merge(arguments) { $1 }
    return call
  }
}

extension NewzuluAuthenticator: CustomStringConvertible, CustomReflectable {
  /// The platform and the tenant.
  public var description: String { "NewzuluAuthenticator(\(origin), \(vhost))" }
  public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}
