internal import Foundation
internal import Ostiary

/// Makes the handlers' work a sign-in, so that the session manager sees to it that it happens once.
///
/// The session that comes of it holds nothing: what a gateway gives are cookies, and those belong to the client, which sends
/// login forms without a challenge, too.
struct HandlerAuthenticator: Authenticator {
  let server: URL
  let dispatch: HandlerDispatch

  var kind: AuthenticatorKind { AuthenticatorKind("mobilefirst") }
  var proofNeed: ProofNeed { .whenChallenged }

  func signIn(with credential: Credential, in context: AuthenticationContext) async throws -> SessionGrant {
    guard case .byHandler = credential, let challenge = context.challenge else {
      throw OstiaryError(.interactionRequired, "No challenge has come that could be answered.")
    }
    var conversation = ChallengeConversation(context, credential: credential)
    switch try await dispatch.answer(challenge, in: &conversation) {
    case .answered, .submitted:
      return SessionGrant(user: Session.User(id: "gateway"), proof: Proof())
    case .notMine:
      throw OstiaryError(.notChallenged, "The challenge handler gave the response back.", requestMayHaveExecuted: false)
    }
  }

  func verify(_ session: Session, in context: AuthenticationContext) async throws -> Verification {
    throw OstiaryError(.unsupportedCredential, "Only a request can tell whether a gateway lets it pass.")
  }

  func end(_ session: Session, in context: AuthenticationContext) async throws {}

  func attachment(for session: Session) -> ProofAttachment {
    ProofAttachment(origins: origins)
  }

  func judge(_ response: TransportResponse, to request: TransportRequest) -> Verdict {
    guard let recognition = dispatch.recogniser.recognise(response, to: request) else { return .accepted }
    return .rejected(reason: recognition.reason, mayHaveExecuted: recognition.mayHaveExecuted)
  }
}
