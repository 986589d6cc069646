internal import Foundation
internal import HTTPTypes
public import OstiaryCore
internal import OstiaryHTML

extension GatewayAuthenticator {
  /// Answers the challenge that began the sign-in, or, when the app signs in by itself, the one that ``server`` gives.
  ///
  /// When the app signs in by itself, and when a handler saw no sign of success, the protected address is asked with what
  /// the gateway gave: only its answer without a challenge is a sign-in. Otherwise the request that was challenged is sent
  /// again and shows the same.
  ///
  /// - Throws: ``/OstiaryCore/OstiaryError``: what a handler throws; `notChallenged` when the gateway does not ask to
  ///   sign in or a handler says that it doesn't; `challengedAgain` after ``maximumRounds``; `captivePortal`,
  ///   `serverUnavailable` and the network's own errors, which say nothing about the credential.
  public func signIn(with credential: Credential, in context: AuthenticationContext) async throws -> SessionGrant {
    var conversation = ChallengeConversation(
      context, credential: credential, proof: knownProof(of: context.previous, for: credential))
    if case .proof(let proof) = credential {
      conversation.proof = proof
      guard let challenge = try await provoke(&conversation) else { return grant(conversation) }
      throw OstiaryError(
        .invalidCredentials, "The gateway does not accept the cookies: \(challenge.recognition.reason).",
        advice: "Sign in again where they came from.", request: challenge.request.head)
    }
    var challenge: Challenge
    if let met = context.challenge {
      conversation.keepCookies(of: met)
      challenge = met
    } else if let met = try await provoke(&conversation) {
      challenge = met
    } else if let previous = context.previous {
      // It was refused by mistake, and is good after all.
      return SessionGrant(
        user: previous.user, proof: conversation.proof, expiresAt: previous.expiresAt, clockSkew: previous.clockSkew,
        attributes: previous.attributes)
    } else {
      throw OstiaryError(
        .notChallenged, "The gateway did not ask to sign in; it may not be in the way here.",
        advice: "Send requests; a sign-in begins when one is challenged.", requestMayHaveExecuted: false)
    }
    for round in 1...max(1, maximumRounds) {
      conversation.round = round
      guard let handler = handler(for: challenge) else { throw Self.notChallenged(challenge, by: nil) }
      // A handler may ask a person, who is not asked in vain.
      try Task.checkCancellation()
      switch try await handler.answer(challenge, in: &conversation) {
      case .answered:
        return try await checked(&conversation, after: challenge)
      case .notMine:
        throw Self.notChallenged(challenge, by: handler)
      case .submitted(let response):
        let request = conversation.request(answeredBy: response) ?? challenge.request
        if let error = portal.obstruction(in: response, to: request, knowing: knownOrigins) { throw error }
        guard let recognition = recogniser.recognise(response, to: request) else {
          if let error = OstiaryError(unavailable: response, to: request, now: context.clock.now) { throw error }
          return try await checked(&conversation, after: challenge)
        }
        challenge = Challenge(
          request: request, response: response, recognition: recognition, original: challenge.original)
      }
    }
    throw OstiaryError(
      .challengedAgain,
      "The gateway still asks to sign in after \(maximumRounds) rounds: \(challenge.recognition.reason).",
      request: challenge.request.head)
  }

  /// Asks the protected address whether the gateway accepts what it gave, where that could not be told when the password
  /// was sent.
  /// - Throws: ``/OstiaryCore/OstiaryError``: `invalidCredentials` when it still demands sign-in; `serverUnavailable`,
  ///   `captivePortal` and the network's own errors, after which asking can be repeated.
  public func identify(_ grant: SessionGrant, in context: AuthenticationContext) async throws -> SessionGrant {
    var conversation = ChallengeConversation(context, credential: .byHandler, proof: grant.proof)
    if let challenge = try await provoke(&conversation) { throw Self.stillAsks(challenge, isPassword: true) }
    var grant = grant
    grant.proof = conversation.proof
    grant.needsIdentification = false
    return grant
  }

  /// The session that a handler's answer has brought, once the protected address has answered without a challenge.
  private func checked(
    _ conversation: inout ChallengeConversation, after challenge: Challenge
  ) async throws -> SessionGrant {
    guard conversation.context.challenge == nil || conversation.isUnproven, !asksHandlersFirst,
      hasAddressToCheck(conversation.context, challenge.original)
    else { return grant(conversation) }
    let again: Challenge?
    do {
      again = try await provoke(&conversation)
    } catch let error as OstiaryError where error.code == .redirectRefused {
      // It leads elsewhere, and not to the login.
      again = nil
    } catch {
      // The gateway has acted on what was sent. Only the question is repeated.
      var grant = self.grant(conversation)
      grant.needsIdentification = true
      return grant
    }
    guard let again else { return grant(conversation) }
    throw Self.stillAsks(again, isPassword: conversation.credential.user != nil)
  }

  /// Whether an address can be asked without an effect. Some servers keep a request that they challenge, and carry it out
  /// when its address is asked for next; that is left to the request itself, which is sent again.
  private func hasAddressToCheck(_ context: AuthenticationContext, _ original: TransportRequest) -> Bool {
    guard context.challenge != nil, context.challengedAddress == nil, let address = try? HTTPRequest(.get, to: server)
    else { return true }
    return !original.head.hasSameTarget(as: address)
  }

  private static func stillAsks(_ challenge: Challenge, isPassword: Bool) -> OstiaryError {
    guard isPassword else {
      return OstiaryError(
        .challengedAgain,
        "The gateway still asks to sign in after its challenge was answered: \(challenge.recognition.reason).",
        disposition: .terminal, request: challenge.request.head)
    }
    return OstiaryError(
      .invalidCredentials,
      "The gateway does not accept the user name or password: it still asks to sign in after they were sent.",
      request: challenge.request.head)
  }

  /// Ends the session at the gateway, the way that ``logout`` says. Any 2xx or 3xx says that the gateway was told, and a
  /// challenge that the session was over; `confirmEnd(of:in:)` tells whether it is.
  public func end(_ session: Session, in context: AuthenticationContext) async throws {
    var conversation = ChallengeConversation(context, credential: .byHandler, proof: session.proof)
    let request: TransportRequest
    switch logout {
    case .none:
      return
    case .visit(let url):
      request = try TransportRequest.get(url)
    case .submitForm(let url):
      let opening = try TransportRequest.get(url)
      let response = try await conversation.send(opening, redirects: redirects)
      if recogniser.recognise(response, to: opening) != nil { return }
      let page = HTMLPage(response)
      guard let form = page.forms.first, let submission = try form.submission(on: page) else {
        throw OstiaryError(.unexpectedResponse, "The gateway did not show its logout form.", request: opening.head)
      }
      guard let target = Origin(submission.head), origins.contains(target) || target == Origin(url) else {
        throw OstiaryError(.redirectRefused, "The logout form leads to another server.", request: submission.head)
      }
      request = submission
    }
    // Where the gateway redirects to afterwards doesn't matter.
    let response = try await conversation.send(request, redirects: .none)
    switch response.status.code {
    case 200..<400, 401: return
    default:
      throw OstiaryError(unavailable: response, to: request, now: context.clock.now)
        ?? OstiaryError(
          .unexpectedResponse, "The gateway answered \(response.status.code) to the logout.", request: request.head)
    }
  }

  /// Shows the gateway the old cookies: a challenge confirms the end.
  package func confirmEnd(of session: Session, in context: AuthenticationContext) async -> EndConfirmation {
    guard logout != .none else {
      return .localOnly(reason: "no logout address of the gateway is known; its session runs out by itself")
    }
    return await confirmEndByProof(of: session, in: context)
  }

  /// The first handler that recognises a challenge.
  private func handler(for challenge: Challenge) -> (any ChallengeHandler)? {
    handlers.first { $0.recogniser.recognise(challenge.response, to: challenge.request) != nil }
  }

  /// What of an earlier session goes into a sign-in: a gateway may know the device by a cookie. Another user gets none.
  private func knownProof(of previous: Session?, for credential: Credential) -> Proof {
    guard let previous else { return Proof() }
    if case .password(let username, _) = credential, username != previous.user.id { return Proof() }
    return previous.proof
  }

  /// Fetches ``server``, or where a challenge was met before, until something demands sign-in.
  /// - Returns: what did; `nil` when nothing does.
  func provoke(_ conversation: inout ChallengeConversation) async throws -> Challenge? {
    let known = conversation.context.challengedAddress.flatMap { url in
      Origin(url).flatMap { origins.contains($0) ? url : nil }
    }
    let first = try TransportRequest.get(known ?? server)
    var hop = first
    for hops in 0... {
      let (response, isWhole) = try await conversation.look(at: hop) { bodyNeeded(toJudge: $0, to: hop) }
      if let error = portal.obstruction(in: response, to: hop, knowing: knownOrigins) { throw error }
      if let recognition = recogniser.recognise(response, to: hop) {
        return Challenge(
          request: hop, response: response, recognition: recognition, hasWholeBody: isWhole, original: first)
      }
      guard let next = try redirects.next(after: response.head, to: hop, hops: hops) else {
        if let error = OstiaryError(unavailable: response, to: hop, now: conversation.context.clock.now) { throw error }
        return nil
      }
      hop = next
    }
    return nil
  }

  private func grant(_ conversation: ChallengeConversation) -> SessionGrant {
    SessionGrant(
      user: conversation.user ?? conversation.credential.user ?? .unknown, proof: conversation.proof,
      expiresAt: conversation.expiresAt, attributes: conversation.attributes)
  }

  private static func notChallenged(_ challenge: Challenge, by handler: (any ChallengeHandler)?) -> OstiaryError {
    OstiaryError(
      .notChallenged,
      handler.map { "The handler \($0.name) found that the response was no challenge after all." }
        ?? "No handler takes the response for its challenge.", request: challenge.request.head)
  }
}

extension Credential {
  /// Whose it is, where it says.
  fileprivate var user: Session.User? {
    if case .password(let username, _) = self { Session.User(id: username) } else { nil }
  }
}
