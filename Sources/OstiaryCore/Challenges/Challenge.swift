/// A response that demands sign-in instead of answering, and the request that met it.
public struct Challenge: Sendable {
  /// The request as the app made it, without the proof of a session.
  public let request: TransportRequest
  /// The response that demanded sign-in.
  public let response: TransportResponse
  /// Whether ``response`` has the whole body. A streamed response is read only as far as recognising it took.
  public let hasWholeBody: Bool
  /// What gave it away.
  public let recognition: Recognition

  /// Makes a challenge.
  public init(
    request: TransportRequest, response: TransportResponse, recognition: Recognition, hasWholeBody: Bool = true
  ) {
    self.request = request
    self.response = response
    self.recognition = recognition
    self.hasWholeBody = hasWholeBody
  }
}

extension Challenge: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// What was found, and the request's method and host.
  public var description: String { "\(request): \(recognition.reason)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: ["challenge": description], displayStyle: .struct) }
}
