internal import Ostiary

/// Gives challenges to the handlers that the app has registered, and waits for their word: all of them are one handler to
/// the gateway's authenticator.
///
/// The session that comes of it holds nothing: what a gateway gives are cookies, and those belong to the client, which sends
/// login forms without a challenge, too. Which handlers there are is looked up for each response, so that one can be registered, or replaced, at any time.
struct HandlerDispatch: CoreChallengeHandler {
  let registry: HandlerRegistry
  let cookies: ClientCookies

  var name: String { "registered handler" }

  var recogniser: ChallengeRecogniser {
    .closure { [registry] response, _ in
      registry.gateway(claiming: WLResponse(response)).map { handler in
        Recognition("the handler \"\(handler.handlerName ?? "")\" recognised a challenge of its gateway")
      }
    }
  }

  func answer(_ challenge: Challenge, in conversation: inout ChallengeConversation) async throws -> ChallengeAnswer {
    conversation.proof = Proof()
    let revision = await cookies.revision(at: conversation.context.clock.now)
    guard let pending = begin(challenge.response) else { return .notMine }
    switch await pending.ending() {
    case .answered:
      cookies.noteAnswer()
      return .answered
    case .givenBack:
      let now = await cookies.revision(at: conversation.context.clock.now)
      guard pending.wasFormSubmitted || now != revision else { return .notMine }
      cookies.noteAnswer()
      return .answered
    case .exhausted:
      throw OstiaryError(
        .challengedAgain, "The challenge was not answered by as many login forms as one may take.",
        disposition: .terminal, requestMayHaveExecuted: false)
    case .cancelled:
      throw OstiaryError(
        .interactionCancelled, "Challenge handler operation was cancelled.", requestMayHaveExecuted: false)
    case .abandoned:
      throw OstiaryError(
        .interactionCancelled, "The challenge handler was released before it had answered.",
        requestMayHaveExecuted: false)
    }
  }

  /// Lets the handler begin. The handler is not kept for longer: the app may release it.
  private func begin(_ response: TransportResponse) -> PendingChallenge? {
    let identity = ResponseIdentity()
    guard let handler = registry.gateway(claiming: WLResponse(response, identity: identity)) else { return nil }
    let pending = PendingChallenge(identity)
    handler.challenges.open(pending)
    MainActorDelivery.deliver { [weak handler] in
      guard !pending.isOver else { return }
      handler?.handleChallenge(WLResponse(response, identity: identity))
    }
    return pending
  }
}
