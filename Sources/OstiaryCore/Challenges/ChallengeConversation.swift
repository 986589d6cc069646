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
  /// Whether the handler has answered without a sign that the server accepted it: nothing in the server's last response
  /// speaks against it, and nothing for it. The protected address is then asked before the sign-in counts.
  package var isUnproven = false
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

  /// Sends a request with the conversation's cookies, follows no redirect, keeps the cookies that come, and reads as much of
  /// the body as is needed: the address may have a large document.
  /// - Parameter needed: how many bytes of the body have to be seen.
  /// - Returns: the response with what was read of its body, and whether that is the whole body.
  package mutating func look(
    at request: TransportRequest, needing needed: (StreamingResponse) -> Int
  ) async throws -> (response: TransportResponse, isWhole: Bool) {
    lastRequest = request
    var outgoing = request
    if let cookies = proof.cookies.header(for: request.head, at: context.clock.moment, isProof: { _ in true }) {
      outgoing.head.headerFields.addCookies(cookies)
    }
    let streaming = try await context.transport.stream(outgoing)
    proof.cookies.storeAll(from: streaming.head, to: request.head, at: context.clock.moment)
    let limit = needed(streaming)
    var body = Data()
    var isWhole = false
    if limit > 0 {
      let whole = streaming.body
      (body, isWhole) = try await withDeadline(request.timeout) {
        var start = Data()
        let pieces = whole.makeAsyncIterator()
        while start.count <= limit {
          guard let piece = try await pieces.next() else { return (start, true) }
          start.append(piece)
        }
        return (start, false)
      } timedOut: {
        OstiaryError(.timedOut, "The server did not send enough of its answer in time.", request: request.head)
      }
    }
    return (TransportResponse(streaming.head, body: body, url: request.head.targetURL), isWhole)
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
