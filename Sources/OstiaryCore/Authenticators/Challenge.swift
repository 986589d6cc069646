/// A response that demands sign-in instead of answering, and the request that met it.
public struct Challenge: Sendable {
  /// The request that met it, without the proof of a session: what the app asked for, or where the server redirected to
  /// from there.
  public let request: TransportRequest
  /// The request as the app made it, which is sent again once the challenge has been answered.
  public let original: TransportRequest
  /// The response that demanded sign-in.
  public let response: TransportResponse
  /// Whether ``response`` has the whole body. A streamed response is read only as far as recognising it took.
  public let hasWholeBody: Bool
  /// What gave it away.
  public let recognition: Recognition

  /// Makes a challenge.
  /// - Parameter original: the request as the app made it; by default `request`.
  public init(
    request: TransportRequest, response: TransportResponse, recognition: Recognition, hasWholeBody: Bool = true,
    original: TransportRequest? = nil
  ) {
    self.request = request
    self.original = original ?? request
    self.response = response
    self.recognition = recognition
    self.hasWholeBody = hasWholeBody
  }
}

extension Challenge: Redacted {
  /// What was found, and the request's method and host.
  public var description: String { "\(request): \(recognition.reason)" }
}

/// What a recogniser found in a response that demands sign-in.
public struct Recognition: Sendable, Hashable {
  /// What gave it away, in words for a person: "the server redirects to its login page". Never a secret.
  public var reason: String
  /// Whether the server can have acted on the request before it demanded sign-in. `false` is a promise, and lets a
  /// request with any method be sent again.
  public var mayHaveExecuted: Bool
  /// Whether an application behind the gateway may have given the same response for reasons of its own. A request without
  /// a session begins a sign-in all the same; for one with a session the gateway is asked before the session counts as
  /// refused. `false`.
  package var isDoubtful = false

  /// Makes a finding. Without knowledge to the contrary a request may have been executed.
  public init(_ reason: String, mayHaveExecuted: Bool = true) {
    self.reason = reason
    self.mayHaveExecuted = mayHaveExecuted
  }
}
