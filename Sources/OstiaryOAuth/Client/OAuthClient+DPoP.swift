internal import Foundation
internal import HTTPTypes
internal import OstiaryCore
internal import OstiaryJOSE

/// The key that a client's requests are proven with.
struct DPoPBinding: Sendable {
  let key: DPoPKey
  /// How the tokens that come with the requests are presented.
  var tokens = Tokens.bound

  enum Tokens: Sendable, Hashable {
    /// With a proof (RFC 9449 §7.1).
    case bound
    /// As bearer tokens: the server binds none, and the app takes those.
    case insecureBearer
    /// Not at all: the server has bound them no more.
    case unusable
  }
}

/// A request that has been answered.
struct AnsweredRequest: Sendable {
  let request: TransportRequest
  let response: TransportResponse
  /// When it was sent and when the answer came, by this device's clock.
  let sentAt: Date
  let now: Date
}

extension OAuthClient {
  /// The same client, whose requests for tokens prove that it holds a key: tokens that it is given are bound to that
  /// (``TokenSet/proofKey``). ``OAuthAuthenticator`` does this by itself; a client alone is bound once for each sign-in.
  public func proving(with key: DPoPKey) -> OAuthClient {
    var client = self
    client.binding = DPoPBinding(key: key)
    return client
  }

  /// The same client with the key of a session or of a request; the client itself, where it has one.
  /// - Throws: ``OstiaryError``: `proofKeyUnavailable`, or `proofKeyLost`, which is terminal.
  func proving(keyStoredAs text: Secret) throws -> OAuthClient {
    guard binding == nil else { return self }
    do {
      return proving(with: try (dpop ?? DPoP()).keys.key(storedAs: text))
    } catch let error as OstiaryError where error.code == .proofKeyLost {
      throw error
    } catch {
      throw OstiaryError.unreadableProofKey(error)
    }
  }

  /// The same client with what another one has for proofs: the settings, the key and what servers have said.
  package func proving(as other: OAuthClient) -> OAuthClient {
    var client = self
    (client.dpop, client.binding, client.proofMemory) = (other.dpop, other.binding, other.proofMemory)
    return client
  }

  /// Refuses to ask for tokens that would be bound to no key.
  func requireKey() throws {
    guard dpop != nil, binding == nil else { return }
    throw OstiaryError.invalidOAuthInput(
      "The client has no key to prove.", "Use the client that proving(with:) returns, with a new key for each sign-in.")
  }

  /// Sends a request, and again with newer proof while each answer brings what the next one needs, at most three times.
  /// - Parameters:
  ///   - origin: where it goes.
  ///   - provesKey: whether it goes with a proof, where the client has a key.
  ///   - accessToken: the token that comes with it.
  ///   - make: makes the request for a time by the server's clock, another one for each sending.
  func exchange(
    at origin: Origin?, provesKey: Bool, accessToken: Secret? = nil, in context: AuthenticationContext,
    _ make: (Date) async throws -> TransportRequest
  ) async throws -> AnsweredRequest {
    let key = provesKey ? binding?.key : nil
    let hash = key == nil ? nil : accessToken.map { DPoPProofMaker.hash(of: $0) }
    var repetitions = 0
    while true {
      let turn: RequestTurn? =
        if key != nil, let origin {
          try await requestTurn(at: origin, isRepeated: repetitions > 0, context)
        } else {
          nil
        }
      defer { turn?.end() }
      var request = try await make(serverTime(at: origin, in: context))
      if let key, let origin {
        do {
          let nonce = proofMemory.wanted(at: origin).nonce
          request.head.headerFields[fields: .dpop] = [
            try key.field(
              for: request.head, accessTokenHash: hash, nonce: nonce, at: serverTime(at: origin, in: context))
          ]
        } catch {
          throw OstiaryError.unreadableProofKey(error)
        }
      }
      let sentAt = context.clock.now
      let response = try await context.transport.send(request)
      let now = context.clock.now
      let answered = AnsweredRequest(request: request, response: response, sentAt: sentAt, now: now)
      guard let origin else { return answered }
      let next = proofMemory.read(
        response.head, to: request.head, at: origin, refusal: DPoPRefusal(answer: response), now: now)
      guard next == .again, repetitions < 3, request.replay != .never else { return answered }
      repetitions += 1
    }
  }

  private func requestTurn(
    at origin: Origin, isRepeated: Bool, _ context: AuthenticationContext
  ) async throws -> RequestTurn {
    try await proofMemory.turn(
      at: origin, isRepeated: isRepeated, within: min(timeout, .seconds(10)), by: context.clock)
  }

  /// The time by a server's clock, as far as its answers have shown it.
  func serverTime(at origin: Origin?, in context: AuthenticationContext) -> Date {
    let measured = origin.flatMap { proofMemory.wanted(at: $0).skew }
    return context.clock.now.addingTimeInterval(measured ?? context.previous?.clockSkew ?? 0)
  }
}

extension DPoPRefusal {
  /// The refusal in an answer to a form (RFC 9449 §5 and §8), or in a challenge.
  init?(answer response: TransportResponse) {
    if (400..<500).contains(response.status.code),
      let code = OAuthAnswer.members(of: response)?["error"]?.string, let refusal = DPoPRefusal(rawValue: code)
    {
      self = refusal
    } else {
      self.init(response.head)
    }
  }
}
