internal import Foundation
internal import HTTPTypes
internal import OstiaryCore

/// The bodies that are read while they are sent.
///
/// The layers of a session keep a request's body so that they can send it again. They get some bytes that stand for it; the transport
/// puts the body in their place each time. So the rules for sending again, and for redirects, are the same for every body.
final class StreamedBodies: Sendable {
  private let bodies = Locked<[Data: StreamedBody]>([:])

  /// The bytes that stand for a body from now on.
  func standIn(for body: StreamedBody) -> Data {
    let standIn = Data("body \(UUID().uuidString)".utf8)
    bodies.withLock { $0[standIn] = body }
    return standIn
  }

  /// The body for which a request's bytes stand, if they do.
  /// - Throws: ``OstiaryError`` `invalidInput` where the request has a proof that was made of the wrong bytes.
  func body(of request: TransportRequest) throws -> StreamedBody? {
    guard let standIn = request.body, let body = bodies.withLock({ $0[standIn] }) else { return nil }
    let proofs = [HTTPField.Name.authorization, .proxyAuthorization].compactMap { request.head.headerFields[$0] }
    guard !proofs.contains(where: { $0.contains("auth-int") }) else {
      throw OstiaryError.usage(RequestMessage.proofCoversBody)
    }
    return body
  }
}
