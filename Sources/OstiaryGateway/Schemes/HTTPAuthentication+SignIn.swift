internal import Foundation
internal import HTTPTypes
public import OstiaryCore

extension HTTPAuthentication {
  /// Answers the strongest of the server's challenges, and tries the answer with a `HEAD` request where the server asked
  /// for it.
  ///
  /// - Parameter credential: a user name and a password, or a proof with an ``accessToken`` for Bearer.
  /// - Throws: ``/OstiaryCore/OstiaryError``: `invalidCredentials` as the server's word; `noUsableScheme` when it offers none that
  ///   is allowed; `invalidInput` for what the scheme can't carry, such as a user name with a colon under Basic;
  ///   `unexpectedResponse` when it doesn't ask for anything at the address; `serverUnavailable`, and the network's own.
  public func signIn(with credential: Credential, in context: AuthenticationContext) async throws -> SessionGrant {
    let isToken = try Self.isToken(credential)
    let asked = try await challenge(in: context)
    let candidate = try answer(asked, with: credential, isToken: isToken)
    // It has been refused a moment ago, as proof of the session that this sign-in replaces.
    if memory.takeRefused(candidate.secret) { throw Self.refused(candidate, request: asked.address) }
    guard let proof = proof(of: candidate) else {
      throw OstiaryError(
        .invalidInput, "The token has characters that no header field can carry.",
        advice: "Check the token for stray line breaks.", requestMayHaveExecuted: false)
    }
    let first = candidate.isUnasked ? nil : asked.response
    switch try await check(proof, at: asked.address, challengedBy: first, in: context) {
    case .refused:
      _ = memory.takeRefused(candidate.secret)
      throw Self.refused(candidate, request: asked.address)
    case .accepted(let response):
      if candidate.isUnasked { try Self.compare(response, with: asked) }
      memory.forgetRefused()
      return candidate.grant(clockSkew: response.clockSkew(at: context.clock.now) ?? 0)
    }
  }

  /// Shows the proof where it was tried when the session began.
  /// - Throws: ``/OstiaryCore/OstiaryError`` when that says nothing: the server is failing, or does not protect the address any more.
  public func verify(_ session: Session, in context: AuthenticationContext) async throws -> Verification {
    guard let known = SchemeSession(session), let proof = proof(of: known) else {
      return .invalid(reason: "the session is of a scheme that is not allowed here")
    }
    let address = try configuration.checkURL.map { try HTTPRequest(.head, to: $0) } ?? address(path: known.checkedPath)
    switch try await check(proof, at: address, challengedBy: nil, in: context) {
    case .refused(let reason): return .invalid(reason: reason)
    case .accepted(let response):
      // Without a challenge only a success tells a good password from none.
      guard !known.isUnasked || response.status.kind == .successful else {
        throw OstiaryError(
          .unexpectedResponse,
          "The server answered \(response.status.code) where it took the user name and password before.",
          request: address)
      }
      return .valid(attributes: nil)
    }
  }

  // MARK: What is asked

  /// A challenge, or the answer to a request without proof, and where it was met.
  private struct Asked: Sendable {
    let response: HTTPResponse
    let address: HTTPRequest
    /// Whether Basic is sent though the server did not ask for it.
    var isUnasked = false
  }

  private static func isToken(_ credential: Credential) throws -> Bool {
    switch credential {
    case .password: return false
    case .proof(let proof) where proof.tokens[accessToken] != nil: return true
    default:
      throw OstiaryError(
        .unsupportedCredential, "HTTP authentication takes a user name and a password, or an access token.",
        requestMayHaveExecuted: false)
    }
  }

  /// The challenge that began the sign-in, or the one that the server gives when asked.
  private func challenge(in context: AuthenticationContext) async throws -> Asked {
    if configuration.checkURL == nil, let met = context.challenge, met.response.status == .unauthorized {
      let address = try met.response.url.map { try HTTPRequest(.head, to: $0) } ?? met.request.head
      if Origin(address) == origin {
        return Asked(response: met.response.head, address: try self.address(path: address.path))
      }
    }
    // A password that is typed anew is tried where the first one was asked for.
    let known = context.challengedAddress.flatMap { Origin($0) == origin ? $0 : nil }
    let address = try HTTPRequest(.head, to: configuration.checkURL ?? known ?? server)
    guard Origin(address) == origin else {
      throw OstiaryError(
        .invalidInput, "The address to check user names and passwords at is another server's.",
        advice: "Give an address of the server itself.", requestMayHaveExecuted: false)
    }
    for method in [HTTPRequest.Method.head, .get] {
      var head = address
      head.method = method
      let response = try await send(TransportRequest(head), in: context).head
      if response.status == .unauthorized, !configuration.sendsBasicUnasked || offersScheme(response) {
        return Asked(response: response, address: address)
      }
      // What GET says counts where HEAD is not known.
      guard try isFinal(response, to: head, in: context) else { continue }
      if configuration.sendsBasicUnasked { return try unasked(response, at: address) }
      break
    }
    throw OstiaryError(
      .unexpectedResponse, "The server does not ask for authentication at this address.",
      advice: "Set checkURL to an address that the server protects.", request: address)
  }

  /// Whether a 401 asks for a user name and password in a way that may be answered.
  private func offersScheme(_ response: HTTPResponse) -> Bool {
    response.authenticationChallenges.contains { challenge in
      HTTPAuthenticationScheme(rawValue: challenge.scheme).map { $0 != .bearer && configuration.schemes.contains($0) }
        ?? false
    }
  }

  /// The answer that Basic, sent unasked, has to change.
  /// - Throws: ``/OstiaryCore/OstiaryError`` where the server answers strangers, or Basic may not be sent.
  private func unasked(_ response: HTTPResponse, at address: HTTPRequest) throws -> Asked {
    guard response.status.kind != .successful else {
      throw OstiaryError(
        .unexpectedResponse,
        "The server answers at this address without a password, so that it can't be told whether one is right.",
        advice: "Set checkURL to an address that the server protects.", request: address)
    }
    guard configuration.schemes.contains(.basic) else {
      throw Self.unusable(UnusableChallenge("Basic, which is not allowed here"), request: address)
    }
    guard isConfidential || configuration.insecurelySendsSecretsOverHTTP else {
      throw Self.unusable(
        .readable("Basic over plain http, which shows the password on the way"), request: address)
    }
    return Asked(response: response, address: address, isUnasked: true)
  }

  /// Whether an answer to a proof that the server did not ask for shows that the server took it: a success where strangers
  /// get none.
  private static func compare(_ answer: HTTPResponse, with asked: Asked) throws {
    if answer.status.kind == .successful { return }
    let code = answer.status.code
    guard answer.status != asked.response.status else {
      throw OstiaryError(
        .invalidCredentials,
        "The server answers \(code) with the user name and password as it does without them.",
        advice: "Check them, and that the address is one that needs them.", request: asked.address,
        requestMayHaveExecuted: false)
    }
    throw OstiaryError(
      .unexpectedResponse,
      "The server answers \(code) to the user name and password and \(asked.response.status.code) without them, which does not show that they are right.",
      advice: "Set checkURL to an address that the server answers with the right ones.", request: asked.address)
  }

  private func address(path: String?) throws -> HTTPRequest {
    HTTPRequest(method: .head, scheme: origin.scheme, authority: origin.authority, path: path ?? "/")
  }

  /// The session that answers a challenge, if the server agrees.
  private func answer(_ asked: Asked, with credential: Credential, isToken: Bool) throws -> SchemeSession {
    let choice: SchemeChoice?
    do throws(UnusableChallenge) {
      choice =
        asked.isUnasked
        ? .basic(realm: "", isUTF8: true)
        : try SchemeChoice.strongest(
          of: asked.response.authenticationChallenges, configuration: configuration, isConfidential: isConfidential,
          isEligible: { ($0 == .bearer) == isToken })
    } catch {
      throw Self.unusable(error, request: asked.address)
    }
    let path = asked.address.path?.prefix { $0 != "?" }
    var folder = PathPrefixes.folder(of: asked.address.path).map { [$0] } ?? []
    if asked.isUnasked, let base = PathPrefixes.folder(of: server.path(percentEncoded: true)) { folder.append(base) }
    func session(_ user: Session.User, _ realm: String?, _ shown: SchemeSession.Shown, _ paths: [String])
      -> SchemeSession
    {
      SchemeSession(
        user: user, realm: realm, shown: shown, paths: paths, checkedPath: path.map(String.init),
        isUnasked: asked.isUnasked)
    }
    switch (choice, credential) {
    case (.digest(let challenge), .password(let username, let password)):
      let account = try DigestAccount(username: username, password: password, for: challenge)
      var parts = PathPrefixes(challenge.prefixes(at: origin))
      for prefix in folder where !parts.contains(asked.address.path) { parts.add(prefix) }
      return session(Session.User(id: username), challenge.realm, .digest(account), parts.prefixes)
    case (.basic(let realm, let isUTF8), .password(let username, let password)):
      let value = try BasicCredentials.authorization(
        username: DigestAccount.prepared(username, isUTF8: isUTF8),
        password: Secret(DigestAccount.prepared(password.reveal(), isUTF8: isUTF8)))
      let pair = Secret(String(value.reveal().dropFirst("Basic ".count)))
      return session(Session.User(id: username), realm, .basic(pair), folder)
    case (.bearer(let realm), .proof(let proof)):
      guard let token = proof.tokens[Self.accessToken] else { break }
      return session(configuration.tokenUser, realm, .bearer(token), ["/"])
    default: break
    }
    throw Self.unusable(
      UnusableChallenge("it offers none of \(configuration.schemes.map(\.name).sorted().joined(separator: ", "))"),
      request: asked.address)
  }

  // MARK: What comes of it

  private enum Outcome: Sendable {
    case accepted(HTTPResponse)
    case refused(String)
  }

  /// Shows a proof at an address, as often as the server wants it newer.
  /// - Parameter first: the challenge, if there has been one already.
  private func check(
    _ proof: any RequestProof, at address: HTTPRequest, challengedBy first: HTTPResponse?,
    in context: AuthenticationContext
  ) async throws -> Outcome {
    // Some programs know no HEAD, or fail over it.
    for method in [HTTPRequest.Method.head, .get] {
      var request = TransportRequest(address)
      request.head.method = method
      var answer: (head: HTTPResponse, body: Data?)
      if let first {
        answer = (first, nil)
      } else {
        proof.attach(to: &request.head, body: nil)
        answer = try await send(request, in: context)
      }
      var repetitions = 0
      review: while true {
        let verdict = proof.review(answer.head, body: answer.body, to: request, repetitions: repetitions)
        switch verdict {
        case .again, .againWithout:
          guard repetitions < Self.maximumRepetitions else {
            throw OstiaryError(
              .unexpectedResponse, "The server keeps asking for another nonce.", request: request.head)
          }
          repetitions += 1
          verdict.apply(to: &request.head)
          answer = try await send(request, in: context)
        case .decided(.rejected(let reason, _)), .decided(.doubtful(let reason, _)): return .refused(reason)
        case .failed(let error), .decided(.obstructed(let error)): throw error
        case .decided(.accepted), .decided(.insufficient), .undecided: break review
        }
      }
      if answer.head.status == .unauthorized {
        guard answer.head.headerFields[.wwwAuthenticate] != nil else {
          return .refused("the server answers 401 without saying what it wants")
        }
        // Another realm or scheme: the address has not answered, and says nothing of this proof.
        throw OstiaryError(
          .unexpectedResponse, "The server asks for another realm or scheme than before at this address.",
          advice: "Check that the address is one that this user name and password are for.", request: request.head)
      }
      guard request.head.headerFields[.authorization] != nil else {
        throw OstiaryError(
          .unexpectedResponse, "The server did not ask for proof where it did before.",
          advice: "Set checkURL to an address that the server protects.", request: request.head)
      }
      if try isFinal(answer.head, to: request.head, in: context) { return .accepted(answer.head) }
    }
    throw OstiaryError(.internalError, "No method was left to check with.", request: address)
  }

  private static let maximumRepetitions = 3

  /// Whether an answer says something about proof; `false` when another method may say more.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `serverUnavailable`.
  private func isFinal(_ response: HTTPResponse, to request: HTTPRequest, in context: AuthenticationContext) throws
    -> Bool
  {
    let doesNotKnowHead = [405, 500, 501].contains(response.status.code)
    if doesNotKnowHead, request.method == .head { return false }
    if response.status.code == 501 { return true }
    if let error = OstiaryError(unavailable: response, to: request, now: context.clock.now) { throw error }
    return true
  }

  private func send(
    _ request: TransportRequest, in context: AuthenticationContext
  ) async throws -> (head: HTTPResponse, body: Data?) {
    // The body of a GET may be large, and is read only for a proof that covers it.
    guard request.head.method == .head || configuration.requiresServerProof else {
      return (try await context.transport.stream(request).head, nil)
    }
    let response = try await context.transport.send(request)
    return (response.head, response.body)
  }

  private static func refused(_ session: SchemeSession, request: HTTPRequest) -> OstiaryError {
    if case .bearer = session.shown {
      return OstiaryError(
        .invalidCredentials, "The server does not accept the token.", advice: "Get a new token.", request: request,
        requestMayHaveExecuted: false)
    }
    return OstiaryError(
      .invalidCredentials, "The server does not accept the user name or password.", request: request,
      requestMayHaveExecuted: false)
  }
}
