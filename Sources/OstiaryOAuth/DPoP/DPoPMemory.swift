internal import Foundation
package import HTTPTypes
package import OstiaryCore

/// What a client has learnt of its servers for proofs: nonces and clocks by origin, in this process alone. It lets requests through.
package final class DPoPMemory: RequestTurns {
  private struct State: Sendable {
    var nonces = DPoPNonces()
    var lastRequest: UInt64 = 0
    var waiters: [UInt64: CheckedContinuation<Void, any Error>] = [:]
  }

  private let state = Locked(State())

  init() {}

  package func turn(
    for request: HTTPRequest, isRepeated: Bool, within patience: Duration, by clock: any SessionClock
  ) async throws -> RequestTurn {
    guard let origin = Origin(request) else { return RequestTurn {} }
    return try await turn(at: origin, isRepeated: isRepeated, within: patience, by: clock)
  }

  /// Waits until a request to an origin may be sent. A request that needn't wait goes also when its task is cancelled.
  func turn(
    at origin: Origin, isRepeated: Bool, within patience: Duration, by clock: any SessionClock
  ) async throws -> RequestTurn {
    let timer = Locked<OneTimer?>(nil)
    defer { timer.withLock { $0 }?.cancel() }
    let number = state.withLock { state in
      state.lastRequest &+= 1
      return state.lastRequest
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let entry = state.withLock { state -> Result<Void, any Error>? in
          if state.nonces.begin(number, isRepeated: isRepeated, at: origin) { return .success(()) }
          guard !Task.isCancelled else {
            state.nonces.left(number, at: origin)
            return .failure(CancellationError())
          }
          state.waiters[number] = continuation
          timer.withLock { timer in
            timer = OneTimer(after: patience, clock: clock) { [self] in hurry(number, at: origin) }
          }
          return nil
        }
        if let entry { continuation.resume(with: entry) }
      }
    } onCancel: {
      let waiter = state.withLock { state -> CheckedContinuation<Void, any Error>? in
        guard let waiter = state.waiters.removeValue(forKey: number) else { return nil }
        state.nonces.left(number, at: origin)
        return waiter
      }
      waiter?.resume(throwing: CancellationError())
    }
    return RequestTurn { [self] in ended(number, at: origin) }
  }

  /// Lets a request go that has waited long enough.
  private func hurry(_ number: UInt64, at origin: Origin) {
    let waiter = state.withLock { state -> CheckedContinuation<Void, any Error>? in
      guard state.nonces.hurried(number, at: origin) else { return nil }
      return state.waiters.removeValue(forKey: number)
    }
    waiter?.resume()
  }

  private func ended(_ number: UInt64, at origin: Origin) {
    let next = state.withLock { state in
      state.nonces.ended(number, at: origin).compactMap { state.waiters.removeValue(forKey: $0) }
    }
    for waiter in next { waiter.resume() }
  }

  /// What a proof for an origin has to have.
  func wanted(at origin: Origin) -> (nonce: String?, skew: TimeInterval?) {
    state.withLock { ($0.nonces.nonce(at: origin), $0.nonces.skew(at: origin)) }
  }

  /// Takes in what an answer says.
  /// - Parameters:
  ///   - request: the request as it was sent.
  ///   - refusal: what its body or its challenge says of the proof.
  ///   - now: when it came, by this device's clock.
  func read(
    _ response: HTTPResponse, to request: HTTPRequest, at origin: Origin, refusal: DPoPRefusal?, now: Date
  ) -> DPoPNonces.Next {
    // What it showed matters where that was refused, and where it shows how the server takes nonces.
    let isSideBySide = state.withLock { $0.nonces.goesSideBySide(at: origin) }
    let isProven = request.headerFields[.dpop] != nil
    let shown =
      refusal == nil && isSideBySide
      ? (isProven ? ShownProof(nonce: nil, issuedAt: nil) : nil) : ShownProof(request)
    let answer = DPoPNonces.Answer(
      shown: shown, error: refusal, nonce: response.dpopNonce, skew: response.serverSkew(at: now))
    return state.withLock { $0.nonces.answered(answer, at: origin, now: now) }
  }
}
