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

extension Challenge: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// What was found, and the request's method and host.
  public var description: String { "\(request): \(recognition.reason)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: ["challenge": description], displayStyle: .struct) }
}
