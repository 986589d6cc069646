public import HTTPTypes

/// A path, the methods it knows, and what answers them.
public struct Route: Sendable {
  /// Answers a request.
  public typealias Handler = @Sendable (DoorRequest) async throws -> DoorResponse
  /// Answers a request whose body is too large to be held: it reads it itself, as it arrives.
  typealias StreamHandler = @Sendable (DoorRequest, BodyStream) async throws -> DoorResponse

  /// What answers a method.
  enum Receiver: Sendable {
    /// Gets the request with its whole body, which the server's limits bound.
    case whole(Handler)
    /// Gets the body as a stream that ends, at the latest, after `time`.
    case streamed(time: Duration, StreamHandler)
  }

  /// The path's segments, as text or as `:name`, which matches any one segment.
  let segments: [String]
  /// What answers each method.
  let receivers: [HTTPRequest.Method: Receiver]

  /// Makes a route.
  /// - Parameters:
  ///   - pattern: Such as `/prweb/api/v1/cases` or `/items/:item`.
  ///   - handlers: What answers each method. `GET` answers `HEAD` as well; any other method gets 405.
  public init(_ pattern: String, _ handlers: [HTTPRequest.Method: Handler]) {
    self.init(pattern, receivers: handlers.mapValues { .whole($0) })
  }

  /// As ``init(_:_:)``, for handlers that may want the body as a stream.
  init(_ pattern: String, receivers: [HTTPRequest.Method: Receiver]) {
    segments = pattern.split(separator: "/").map(String.init)
    self.receivers = receivers
  }
}
