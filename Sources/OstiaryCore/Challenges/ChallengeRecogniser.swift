public import HTTPTypes

/// Tells a response that demands sign-in from every other.
///
/// Its two functions must be pure and quick: they are called for every response, the first with the head alone. The body
/// is looked at only when the head does not decide, so that a large JSON answer costs nothing. What is not clearly a
/// demand for sign-in must never be one: errors of the server, its maintenance page, a page that the app asked for.
public struct ChallengeRecogniser: Sendable {
  /// What a response's head says.
  public enum Finding: Sendable, Hashable {
    /// It is no challenge; the body does not matter.
    case nothing
    /// It is one; the body does not matter.
    case challenge(Recognition)
    /// The body decides, of which so many bytes have to be seen.
    case needsBody(Int)
  }

  private let head: @Sendable (HTTPResponse, TransportRequest) -> Finding
  private let body: @Sendable (TransportResponse, TransportRequest) -> Recognition?

  /// Makes a recogniser that looks at heads first.
  /// - Parameters:
  ///   - head: what a response's head says.
  ///   - body: what the whole response says; asked only when `head` needs the body. A streamed response has as much of
  ///     it as was asked for.
  public init(
    head: @escaping @Sendable (HTTPResponse, TransportRequest) -> Finding,
    body: @escaping @Sendable (TransportResponse, TransportRequest) -> Recognition? = { _, _ in nil }
  ) {
    self.head = head
    self.body = body
  }

  /// What a response's head says.
  package func finding(in response: HTTPResponse, to request: TransportRequest) -> Finding {
    head(response, request)
  }

  /// What gives the response away as a challenge; `nil` when it is none.
  public func recognise(_ response: TransportResponse, to request: TransportRequest) -> Recognition? {
    switch head(response.head, request) {
    case .nothing: nil
    case .challenge(let recognition): recognition
    case .needsBody: body(response, request)
    }
  }

  /// How much of a body has to be seen to recognise a response, in bytes; 0 when the head decides.
  public func bodyNeeded(toRecognise response: HTTPResponse, to request: TransportRequest) -> Int {
    if case .needsBody(let count) = head(response, request) { count } else { 0 }
  }
}
