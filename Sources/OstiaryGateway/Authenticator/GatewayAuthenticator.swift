public import Foundation
public import OstiaryCore

/// Signs in to a gateway that stands in front of a server and answers in its place with a challenge: a 401, a redirect
/// to a login page, a page with a login form, at any address.
///
/// The proof is the cookies that the gateway sets. What a challenge looks like and how it is answered is the business of
/// ``handlers``, asked in order: the first that recognises a response answers it. Requests go out without a session until
/// they are challenged, as the gateway may not be in the way everywhere.
///
/// To put something behind the gateway, use its ``/OstiaryCore/AuthenticatedTransport`` as that session's transport;
/// ``GatewayStack`` signs out of all layers in the right order.
public struct GatewayAuthenticator: Authenticator, AuthenticatorWithEndConfirmation {
  /// The address of what stands behind the gateway. It is fetched to be challenged when the app signs in by itself, and
  /// to see whether a session is good: best one that needs a session and costs the server little.
  public let server: URL
  /// Who recognises and answers challenges, in order.
  public let handlers: [any ChallengeHandler]
  /// The origins that the gateway guards. By default that of ``server``.
  public var origins: [Origin]
  /// When requests need a session. By default when challenged.
  public var proofNeed: ProofNeed = .whenChallenged
  /// How the gateway's session is ended. By default not at all.
  public var logout: GatewayLogout = .none
  /// The names of the cookies that carry the gateway's session, which are written to the store before the response that
  /// brought them is handed on. `nil`, the default, means every cookie; name them where another gateway with cookies of its
  /// own is in front of this one.
  public var sessionCookieNames: Set<String>?
  /// How many rounds of challenge and answer one sign-in may take. 7.
  public var maximumRounds = 7
  /// How the redirects of the gateway's own pages are followed.
  public var redirects = RedirectPolicy()

  /// Whether what a handler recognises is its challenge even if it could be a captive portal's page, and what it has answered
  /// is answered. For handlers that are an app's own and recognise one gateway's pages, wherever their forms lead.
  package var asksHandlersFirst = false

  /// What any of the handlers recognises.
  let recogniser: ChallengeRecogniser
  let portal = CaptivePortal()

  /// The origins that the gateway guards, and those of its own pages.
  var knownOrigins: [Origin] { origins + handlers.flatMap(\.origins) }

  /// Makes an authenticator.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `invalidInput` when `server` is not an http or https URL.
  public init(server: URL, handlers: [any ChallengeHandler]) throws {
    guard let origin = Origin(server), server.user() == nil else {
      throw OstiaryError(
        .invalidInput, "The server's address is not an http or https URL without a user name.",
        requestMayHaveExecuted: false)
    }
    self.server = server
    self.handlers = handlers
    origins = [origin]
    recogniser = .any(of: handlers.map(\.recogniser))
  }

  public var kind: AuthenticatorKind { .gateway }

  public func attachment(for session: Session) -> ProofAttachment {
    ProofAttachment(origins: origins, cookies: session.proof.cookies)
  }

  public func isProof(cookieNamed name: String) -> Bool { sessionCookieNames?.contains(name) ?? true }

  /// A captive portal answers in the server's place, a challenge refuses the session, everything else is the app's.
  public func judge(_ response: TransportResponse, to request: TransportRequest) -> Verdict {
    func obstruction() -> Verdict? {
      portal.obstruction(in: response, to: request, knowing: knownOrigins).map(Verdict.obstructed)
    }
    if !asksHandlersFirst, let verdict = obstruction() { return verdict }
    guard let recognition = recogniser.recognise(response, to: request) else {
      return (asksHandlersFirst ? obstruction() : nil) ?? .accepted
    }
    return recognition.isDoubtful
      ? .doubtful(reason: recognition.reason, mayHaveExecuted: recognition.mayHaveExecuted)
      : .rejected(reason: recognition.reason, mayHaveExecuted: recognition.mayHaveExecuted)
  }

  public func bodyNeeded(toJudge response: StreamingResponse, to request: TransportRequest) -> Int {
    max(
      recogniser.bodyNeeded(toRecognise: response.head, to: request),
      portal.bodyNeeded(toJudge: response.head, to: request))
  }

  /// Asks for ``server`` with the session's cookies, following redirects, and sees whether that is challenged.
  /// - Throws: ``/OstiaryCore/OstiaryError``, among them `captivePortal`, and `serverUnavailable` for a 5xx and 429: nothing was
  ///   learnt.
  public func verify(_ session: Session, in context: AuthenticationContext) async throws -> Verification {
    var conversation = ChallengeConversation(context, credential: .byHandler, proof: session.proof)
    if let challenge = try await provoke(&conversation) { return .invalid(reason: challenge.recognition.reason) }
    return .valid(attributes: nil)
  }
}

/// How a session at a gateway is ended there.
public enum GatewayLogout: Sendable, Hashable {
  /// The gateway knows no way; its session runs out by itself.
  case none
  /// An address is fetched: WebSEAL's `/pkmslogout`.
  case visit(URL)
  /// A form is fetched and sent as it is, hidden fields included: gateways that guard their logout with a token.
  case submitForm(at: URL)
}
