public import Foundation
public import HTTPTypes

/// Proof that is made anew for each request, because it depends on the request or on what the server said last: an HTTP
/// Digest, a signature, a token that is bound to a key.
///
/// It must add its fields quickly, for any number of requests at once, and take in what answers say about the proof
/// (a newer nonce). It must never send, wait, ask or store, and must leave a request alone that is none of its own.
///
/// An attachment without one costs nothing more for it. One object serves all requests of a session's version.
public protocol RequestProof: AnyObject, Sendable {
  /// Adds proof to a request that goes to one of the attachment's origins, as it will be sent.
  /// - Parameter body: the request's body; `nil` when it has none, or when its sender has not said.
  func attach(to request: inout HTTPRequest, body: Data?)

  /// What an answer means for this proof, and what to do about it. Called for every answer to a request that went to one
  /// of the attachment's origins, whether or not proof was added to it.
  /// - Parameters:
  ///   - body: the answer's body; `nil` while it is still arriving.
  ///   - request: the request as it was sent.
  ///   - repetitions: how often the request has been sent again because of this review; `nil` when the caller can't
  ///     send it again at once, so that the fields of ``ProofReview/again(_:)`` will not be used.
  func review(
    _ response: HTTPResponse, body: Data?, to request: TransportRequest, repetitions: Int?
  ) -> ProofReview

  /// The same as ``attach(to:body:)``, for proof that says when it was made. By default the time means nothing.
  /// - Parameter now: tells the time by the manager's clock.
  func attach(to request: inout HTTPRequest, body: Data?, at now: () -> Date)

  /// The same as ``review(_:body:to:repetitions:)``, for proof that takes the time from what the server answers. By default it
  /// means nothing.
  /// - Parameter now: when the answer came, by the manager's clock.
  func review(
    _ response: HTTPResponse, body: Data?, to request: TransportRequest, repetitions: Int?, at now: Date
  ) -> ProofReview

  /// Why no request can carry the proof now; `nil`, the default, when requests can. A terminal error says that none ever can
  /// here: the user is asked to sign in again. Asked before each request.
  var obstacle: OstiaryError? { get }

  /// Who lets requests through, for servers that take one after another; `nil`, the default, where they need not wait.
  var turns: (any RequestTurns)? { get }
}

extension RequestProof {
  public func attach(to request: inout HTTPRequest, body: Data?, at now: () -> Date) {
    attach(to: &request, body: body)
  }

  public func review(
    _ response: HTTPResponse, body: Data?, to request: TransportRequest, repetitions: Int?, at now: Date
  ) -> ProofReview {
    review(response, body: body, to: request, repetitions: repetitions)
  }

  public var obstacle: OstiaryError? { nil }

  public var turns: (any RequestTurns)? { nil }
}

/// What an answer means for proof that is made for each request.
public enum ProofReview: Sendable {
  /// Nothing. ``Authenticator/judge(_:to:)`` has the word.
  case undecided
  /// This; the authenticator is not asked.
  case decided(Verdict)
  /// The server has not acted on the request and wants it again with these fields: the nonce was stale, or the proof was
  /// missing. The session is as good as before. Without fields, proof is attached anew when the request is sent.
  case again([HTTPField])
  /// The server has not acted on the request, and gives what the proof needs only to a request without these fields:
  /// again, and without them.
  case againWithout([HTTPField.Name])
  /// The answer must not be believed.
  case failed(OstiaryError)
}

extension ProofReview {
  /// Changes a request as it is wanted again.
  package func apply(to request: inout HTTPRequest) {
    switch self {
    case .again(let fields):
      for field in fields { request.headerFields[fields: field.name] = [field] }
    case .againWithout(let names):
      for name in names { request.headerFields[fields: name] = [] }
    case .undecided, .decided, .failed: break
    }
  }
}

extension ProofReview: Redacted {
  /// The kind of answer; never the fields.
  public var description: String {
    switch self {
    case .undecided: "undecided"
    case .decided(.accepted): "accepted"
    case .decided(.rejected(let reason, _)): "rejected: \(reason)"
    case .decided(.doubtful(let reason, _)): "doubtful: \(reason)"
    case .decided(.insufficient(let reason)): "insufficient: \(reason)"
    case .decided(.obstructed(let error)): "obstructed: \(error.code)"
    case .againWithout(let names): "again without \(names.map(\.rawName))"
    case .again(let fields): "again with \(fields.map(\.name.rawName))"
    case .failed(let error): "failed: \(error.code)"
    }
  }
}
