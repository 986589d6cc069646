public import HTTPTypes

/// A path, the methods it knows, and what answers them.
public struct Route: Sendable {
  /// Answers a request.
  public typealias Handler = @Sendable (DoorRequest) async throws -> DoorResponse

  /// The path's segments, as text or as `:name`, which matches any one segment.
  let segments: [String]
  /// What answers each method.
  let handlers: [HTTPRequest.Method: Handler]

  /// Makes a route.
  /// - Parameters:
  ///   - pattern: Such as `/prweb/api/v1/cases` or `/items/:item`.
  ///   - handlers: What answers each method. `GET` answers `HEAD` as well; any other method gets 405.
  public init(_ pattern: String, _ handlers: [HTTPRequest.Method: Handler]) {
    segments = pattern.split(separator: "/").map(String.init)
    self.handlers = handlers
  }
}
