internal import Foundation
internal import OstiaryAsyncHTTPClient
package import OstiaryCore

/// The transport to a server, the same on every platform, with the certificates that a profile trusts.
package struct CommandTransport: Transport {
  let transport: AsyncHTTPClientTransport
  let timeout: Duration?
  /// The bodies that are read while they are sent.
  var bodies: StreamedBodies?

  /// - Parameters:
  ///   - certificateFile: a PEM file with certificates to trust besides the system's.
  ///   - timeout: how long to wait for each answer, and for each further piece of it; `nil` for each request's own time, and
  ///     the default for pieces.
  package init(trusting certificateFile: String? = nil, timeout: Duration? = nil) throws {
    var options = AsyncHTTPClientTransport.Options()
    options.userAgent = "ostiary/\(CommandEnvironment.version)"
    if let certificateFile { options.additionalTrustRoots = try .init(pemFile: URL(filePath: certificateFile)) }
    transport = AsyncHTTPClientTransport(options: options)
    self.timeout = timeout
  }

  package func stream(_ request: TransportRequest) async throws -> StreamingResponse {
    var response: StreamingResponse
    if let body = try bodies?.body(of: request) {
      response = try await stream(request, sending: body)
    } else {
      response = try await transport.stream(limited(request))
    }
    let patience = timeout ?? TransportRequest.defaultTimeout
    let body = response.body
    response.body = ResponseBody { try await Self.next(of: body, within: patience) }
    return response
  }

  package func send(_ request: TransportRequest) async throws -> TransportResponse {
    guard try bodies?.body(of: request) == nil else { return try await collect(stream(request), for: request) }
    return try await transport.send(limited(request))
  }

  /// Closes the connections.
  package func close() async { await transport.close() }

  private func limited(_ request: TransportRequest) -> TransportRequest {
    // A request that says itself that it takes longer, as one with a part of a file does, keeps its time.
    guard let timeout, request.timeout <= TransportRequest.defaultTimeout || timeout > request.timeout else {
      return request
    }
    var request = request
    request.timeout = timeout
    return request
  }

  /// The next piece of a body, unless it is longer in coming: a server that stalls must not hold a command for ever.
  private static func next(of body: ResponseBody, within patience: Duration) async throws -> Data? {
    try await withThrowingTaskGroup(of: Data?.self) { group in
      group.addTask {
        // Each iterator of a body continues where the last one stopped.
        var pieces = body.makeAsyncIterator()
        return try await pieces.next()
      }
      group.addTask {
        try await Task.sleep(for: patience)
        throw OstiaryError(
          .timedOut, SessionMessage.nothingMore(time: Timestamp.words(patience)), requestMayHaveExecuted: true)
      }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
  }
}
