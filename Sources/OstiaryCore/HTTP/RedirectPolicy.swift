internal import HTTPTypes
public struct RedirectPolicy: Sendable {
  public init() {}
  func next(after response: HTTPResponse, to request: TransportRequest, hops: Int) throws -> TransportRequest? { nil }
}
