internal import Foundation
internal import HTTPTypes
internal import OstiaryCore
internal import OstiaryJOSE

/// Shows with each request of a session that this side holds the key that the session's token is bound to. The token goes with a proof, or
/// not at all.
final class DPoPRequestProof: RequestProof {
  /// What of a session a proof is made of.
  struct Subject: Sendable {
    let accessToken: Secret
    /// Whether the access token is bound to the key.
    let isBound: Bool
    /// What the session keeps of its key.
    let storedKey: Secret
    let source: any DPoPKeySource
    let memory: DPoPMemory
    /// The server's clock minus this device's when the session was given, in seconds.
    let clockSkew: TimeInterval
  }

  private let subject: Subject
  private let authorization: HTTPField
  private let hash: String
  /// The key, once it could be read.
  private let key = Locked<DPoPKey?>(nil)
  /// Changes the request's address before its proof is made.
  private let before: (any RequestProof)?

  init(_ subject: Subject, after before: (any RequestProof)? = nil) {
    self.subject = subject
    self.before = before
    authorization = HTTPField(name: .authorization, value: "DPoP " + subject.accessToken.reveal())
    hash = DPoPProofMaker.hash(of: subject.accessToken)
    _ = obstacle
  }

  var obstacle: OstiaryError? {
    guard subject.isBound else { return .tokenNotBound }
    do {
      _ = try readKey()
      return nil
    } catch let error as OstiaryError where error.code == .proofKeyLost {
      return error
    } catch {
      return .unreadableProofKey(error)
    }
  }

  var turns: (any RequestTurns)? { subject.memory }

  /// What could not be read may be readable later.
  private func readKey() throws -> DPoPKey {
    if let key = key.withLock({ $0 }) { return key }
    let read = try subject.source.key(storedAs: subject.storedKey)
    key.withLock { $0 = read }
    return read
  }

  func attach(to request: inout HTTPRequest, body: Data?) { attach(to: &request, body: body, at: Date.init) }

  func attach(to request: inout HTTPRequest, body: Data?, at now: () -> Date) {
    before?.attach(to: &request, body: body, at: now)
    guard subject.isBound, let key = try? readKey(), let origin = Origin(request) else { return }
    let wanted = subject.memory.wanted(at: origin)
    let time = now().addingTimeInterval(wanted.skew ?? subject.clockSkew)
    guard let field = try? key.field(for: request, accessTokenHash: hash, nonce: wanted.nonce, at: time) else { return }
    request.headerFields[fields: .authorization] = [authorization]
    request.headerFields[fields: .dpop] = [field]
  }

  func review(
    _ response: HTTPResponse, body: Data?, to request: TransportRequest, repetitions: Int?
  ) -> ProofReview {
    review(response, body: body, to: request, repetitions: repetitions, at: Date())
  }

  func review(
    _ response: HTTPResponse, body: Data?, to request: TransportRequest, repetitions: Int?, at now: Date
  ) -> ProofReview {
    guard let origin = Origin(request.head) else { return .undecided }
    let refusal = DPoPRefusal(response)
    switch subject.memory.read(response, to: request.head, at: origin, refusal: refusal, now: now) {
    case .again: return .again([])
    case .refused(let refusal): return .failed(.proofRefused(refusal.rawValue))
    case .goOn: break
    }
    if response.status == .unauthorized, request.head.headerFields[.dpop] == nil {
      // It went without token and proof.
      if let obstacle { return .failed(obstacle) }
      if repetitions != nil { return .failed(.proofKeyUnavailable("The key of the session could not sign a request.")) }
    }
    return .undecided
  }
}

extension DPoPRequestProof: Redacted {
  var description: String { "DPoPRequestProof" }
}

extension DPoPKey {
  /// The field with a proof for a request, which makes it at once.
  func field(
    for request: HTTPRequest, accessTokenHash: String? = nil, nonce: String?, at time: Date
  ) throws -> HTTPField {
    // As the server sees it: transports leave out a usual port, and encode what a path can't have.
    let origin = Origin(request)?.description ?? "\(request.scheme ?? "")://\(request.authority ?? "")"
    let address = origin + request.targetAsSent
    let proof = try maker.proof(
      DPoPProofMaker.Statement(
        method: request.method.rawValue, address: address, issuedAt: time, accessTokenHash: accessTokenHash,
        nonce: nonce))
    return HTTPField(name: .dpop, value: proof)
  }
}

extension OstiaryError {
  /// A key that could not be read, for a reason that may pass.
  static func unreadableProofKey(_ error: any Error) -> OstiaryError {
    if let error = error as? OstiaryError, error.code == .proofKeyUnavailable { return error }
    return .proofKeyUnavailable("The key of the session can't be read now.", underlying: error)
  }
}
