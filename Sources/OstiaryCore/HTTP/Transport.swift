public import Foundation
internal import HTTPTypes

/// Sends one HTTP request and returns its response.
///
/// A transport must do exactly that: no redirect followed, no cookie kept or added, no credential or cache consulted,
/// repeated response fields kept apart. It must never retry, and must throw ``OstiaryError`` (or `CancellationError`
/// when its task is cancelled), with ``OstiaryError/requestMayHaveExecuted`` `false` only where the server cannot have
/// seen the request.
///
/// Write a transport to reach the network another way; write a decorator (a transport that holds a transport) to add
/// behaviour to every request.
public protocol Transport: Sendable {
  /// Sends a request and returns its response, reading the body as it arrives.
  ///
  /// The request's time-out covers the time until the response's head is there.
  func stream(_ request: TransportRequest) async throws -> StreamingResponse

  /// Sends a request and returns its whole response.
  ///
  /// The request's time-out covers everything. A body larger than the request allows is an error, raised before it is
  /// read when the server announces it.
  func send(_ request: TransportRequest) async throws -> TransportResponse
}

extension Transport {
  /// Collects a streamed response whose announced and real size stay within the request's limit.
  ///
  /// For transports: the body of `send` when only `stream` talks to the network. The time-out is the caller's.
  public func collect(_ response: StreamingResponse, for request: TransportRequest) async throws -> TransportResponse {
    let limit = request.responseBodyLimit
    // The answer to a HEAD and a 304 tell the length of a body that does not follow (RFC 9110 §8.6).
    if let announced = response.head.headerFields[.contentLength], let length = Int64(announced), length > Int64(limit),
      request.head.method != .head, response.head.status != .notModified
    {
      throw OstiaryError(
        .responseTooLarge, "The server announced \(length) bytes; the limit is \(limit).", request: request.head)
    }
    do {
      return TransportResponse(response.head, body: try await response.body.collect(upTo: limit), url: response.url)
    } catch var error as OstiaryError where error.host == nil {
      error.method = request.head.method
      error.host = request.head.authority
      throw error
    }
  }

  /// Fetches `url`.
  public func get(_ url: URL) async throws -> TransportResponse {
    try await send(.get(url))
  }
}
