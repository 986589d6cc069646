public import Foundation
internal import HTTPTypes
public import OstiaryCore
internal import OstiaryDialect

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
///
/// The protocol is a document, ``NewzuluConfiguration/dialect``; what is here are the names of its session and its own words for errors.
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
  private let dialect: DialectAuthenticator

  /// Makes an authenticator.
  /// - Parameters:
  ///   - server: the platform's address, such as `https://api.filemobile.com`.
  ///   - apiKey: the app's key.
  ///   - vhost: the tenant in which the account lives.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `invalidRequest` when the address is not an `http` or `https` URL, or when a name of
  ///   the configuration is none that can be sent.
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
    do {
      dialect = try DialectAuthenticator(
        dialect: configuration.dialect, server: server, settings: ["apiKey": apiKey, "vhost": Secret(vhost)],
        replacing: Self.replacements(configuration))
    } catch {
      throw OstiaryError(
        .invalidRequest, "The configuration has a name that can't be sent.",
        advice: "Check the path, the names of calls and arguments, and the tenant.", requestMayHaveExecuted: false,
        underlying: error)
    }
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
    let shown: Credential
    let refusal: TerminalAnswer
    switch credential {
    case .password: (shown, refusal) = (credential, .wrongCredentials)
    case .proof(let proof):
      guard let token = proof.tokens[Self.sessionToken] else { throw Self.unsupported }
      (shown, refusal) = (.proof(Proof(tokens: [Self.dialectToken: token])), .sessionOver)
    case .request, .byHandler:
      throw Self.unsupported
    }
    do {
      var grant = try await dialect.signIn(with: shown, in: context)
      grant.proof = Proof(tokens: [Self.sessionToken: grant.proof.tokens[Self.dialectToken]].compactMapValues { $0 })
      return grant
    } catch let error as OstiaryError where error.code == .invalidCredentials {
      throw refusal.error
    }
  }

  /// Asks the platform whose session it is.
  public func verify(_ session: Session, in context: AuthenticationContext) async throws -> Verification {
    guard session.proof.tokens[Self.sessionToken] != nil else { return .invalid(reason: Self.noToken) }
    return try await dialect.verify(Self.inDialect(session), in: context)
  }

  /// Does nothing: the platform has no such call. The session is forgotten.
  public func end(_ session: Session, in context: AuthenticationContext) async throws {}

  package func confirmEnd(of session: Session, in context: AuthenticationContext) async -> EndConfirmation {
    .localOnly(reason: "the platform has no call that ends a session; its token runs out by itself")
  }

  public func attachment(for session: Session) -> ProofAttachment { dialect.attachment(for: Self.inDialect(session)) }

  /// The proof is a token: cookies that come with answers are a gateway's.
  public func isProof(cookieNamed name: String) -> Bool { false }

  /// A failure that is about the session refuses it, and shows that the call was not carried out.
  public func judge(_ response: TransportResponse, to request: TransportRequest) -> Verdict {
    guard case .rejected = dialect.judge(response, to: request) else { return .accepted }
    return .rejected(reason: TerminalAnswer.sessionOver.reason, mayHaveExecuted: false)
  }

  public func bodyNeeded(toJudge response: StreamingResponse, to request: TransportRequest) -> Int {
    dialect.bodyNeeded(toJudge: response, to: request)
  }

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

extension NewzuluAuthenticator {
  private static let noToken = "The session has no token."

  /// What the document calls the token. Stored sessions have it under ``sessionToken``.
  private static let dialectToken = "token"

  private static func inDialect(_ session: Session) -> Session {
    var session = session
    session.proof.tokens = [dialectToken: session.proof.tokens[sessionToken]].compactMapValues { $0 }
    return session
  }

  private static var unsupported: OstiaryError {
    OstiaryError(
      .unsupportedCredential, "A Newzulu platform is signed in to with a password or a session token.",
      requestMayHaveExecuted: false)
  }
}

extension NewzuluAuthenticator: CustomStringConvertible, CustomReflectable {
  /// The platform and the tenant.
  public var description: String { "NewzuluAuthenticator(\(origin), \(vhost))" }
  public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}
