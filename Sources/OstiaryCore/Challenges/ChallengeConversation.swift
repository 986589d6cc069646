public import Foundation
internal import HTTPTypes

/// One sign-in at a gateway as its handlers see it: rounds of requests that share their cookies.
public struct ChallengeConversation: Sendable {
  /// The way to the server, the time and a log.
  public let context: AuthenticationContext
  /// What the app presented; ``Credential/byHandler`` when the handler is to ask for what it needs.
  public let credential: Credential
  /// Counts the rounds of this sign-in, from 1.
  public package(set) var round = 1
  /// What the server has given so far: the cookies of all responses, and tokens that a handler keeps.
  public var proof: Proof
  /// Who signs in, as far as the handler knows.
  public var user: Session.User?
  /// When the proof stops being accepted, if the server said so.
  public var expiresAt: Date?
  /// The request that was sent last.
  private var lastRequest: TransportRequest?
  /// What else the server said.
  public var attributes: [String: JSONValue]

  /// Begins a conversation.
  /// - Parameter proof: what is known already, such as the cookie of a device that the server remembers.
  package init(_ context: AuthenticationContext, credential: Credential, proof: Proof = Proof()) {
    self.context = context
    self.credential = credential
    self.proof = proof
    attributes = [:]
  }

  /// Sends a request with the conversation's cookies, follows redirects, and keeps the cookies that come. The response is
  /// given to no recogniser: the caller judges it, or returns it as ``ChallengeAnswer/submitted(_:)``.
  /// - Returns: the final response; its `url` is where the redirects ended.
  /// - Throws: ``OstiaryError``: the transport's, and those of the redirect policy.
  public mutating func send(
    _ request: TransportRequest, redirects: RedirectPolicy = RedirectPolicy()
  ) async throws -> TransportResponse {
    lastRequest = request
    return try await context.exchange(request, jar: &proof.cookies, redirects: redirects)
  }

  /// The request that a response to the last one sent answers: another where redirects were followed.
  package func request(answeredBy response: TransportResponse) -> TransportRequest? {
    guard var request = lastRequest, let url = response.url, let head = try? HTTPRequest(.get, to: url) else {
      return lastRequest
    }
    guard request.head.targetURL != url else { return request }
    request.head.method = .get
    request.head.path = head.path
    request.head.scheme = head.scheme
    request.head.authority = head.authority
    request.body = nil
    return request
  }

  /// Keeps the cookies of a response that was received elsewhere: the challenge's own.
  public mutating func keepCookies(of challenge: Challenge) {
    proof.cookies.storeAll(from: challenge.response.head, to: challenge.request.head, at: context.clock.moment)
  }
}

extension ChallengeConversation: Redacted {
  /// Which round it is and who signs in; never the proof.
  public var description: String { "ChallengeConversation(round \(round), \(user?.id ?? "?"), \(proof))" }
}
