#if AsyncHTTPClient
  internal import AsyncHTTPClient
  internal import Dispatch
  public import Foundation
  internal import HTTPTypes
  internal import NIOCore
  internal import NIOPosix
  internal import NIOSSL
  public import OstiaryCore

  /// Sends requests with AsyncHTTPClient: the transport on Linux, and wherever the `AsyncHTTPClient` trait is on.
  ///
  /// It does what a ``/OstiaryCore/Transport`` must and nothing besides. It follows no redirect, keeps no cookie,
  /// consults no cache, credential or proxy setting, retries nothing, and asks for no compression, so that bodies and
  /// their limits mean the bytes on the wire. Of its own it adds the fields that HTTP requires (`Host` from the request's
  /// authority, the body's length), `Accept: */*` where the request has none, and the ``Options/userAgent`` where the
  /// request names none. It speaks HTTP/2 where a
  /// TLS server offers it, HTTP/1.1 elsewhere. A path is sent as it is, except that what RFC 3986 does not allow in one is
  /// percent-encoded.
  ///
  /// Connections are kept for reuse as long as the transport lives: make one and share it. It closes them when it is
  /// dropped; call ``close()`` to wait until it has.
  public final class AsyncHTTPClientTransport: Transport {
    private let client: HTTPClient
    private let userAgent: String?

    /// Makes a transport.
    public convenience init(options: Options = Options()) {
      self.init(options: options) { _ in }
    }

    /// Makes a transport whose client is configured further, for tests that need names to lead to a loopback address.
    package convenience init(options: Options = Options(), addresses: [String: String]) {
      self.init(options: options) { $0.dnsOverride = addresses }
    }

    private init(options: Options, adjusting adjust: (inout HTTPClient.Configuration) -> Void) {
      var configuration = HTTPClient.Configuration(
        redirectConfiguration: .disallow,
        timeout: .init(connect: .seconds(15)),
        connectionPool: .init(
          idleTimeout: .nanoseconds(options.idleConnectionTimeout.clampedNanoseconds),
          concurrentHTTP1ConnectionsPerHostSoftLimit: max(1, options.connectionsPerHost)),
        decompression: .disabled)
      // Otherwise a refused connection is tried again until the request's time is over.
      configuration.connectionPool.retryConnectionEstablishment = false
      // A tracer would put whole addresses into its spans and fields into the requests.
      configuration.tracing.tracer = nil
      configuration.refuseInvalidStatuses()
      if let roots = options.additionalTrustRoots {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.additionalTrustRoots = [.certificates(roots.certificates)]
        configuration.tlsConfiguration = tls
      }
      adjust(&configuration)
      client = HTTPClient(eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: configuration)
      userAgent = options.userAgent
    }

    deinit {
      // The client keeps itself alive until it is shut down, and answers a second time with an error of no interest.
      client.shutdown(queue: .global()) { _ in }
    }

    /// Ends what is under way and closes every connection. Later requests fail. Harmless when repeated.
    public func close() async {
      await withCheckedContinuation { continuation in
        client.shutdown(queue: .global()) { _ in continuation.resume() }
      }
    }

    public func stream(_ request: TransportRequest) async throws -> StreamingResponse {
      try await stream(request, reading: nil)
    }

    private func stream(_ request: TransportRequest, reading body: BodySource?) async throws -> StreamingResponse {
      try await execute(HTTPClientRequest(request, reading: body, userAgent: userAgent), for: request)
    }

    /// Sends a request with a body that is read while it is sent, in the place of the request's own, so that memory never holds the
    /// whole of it.
    ///
    /// The pieces are read as fast as the server takes them, at most once. To send the request again, pass pieces that begin anew. The
    /// request's time-out covers the time until the response's head is there, the sending of the body included.
    /// - Parameters:
    ///   - pieces: the body. An error that it throws ends the request, and is the error of this call.
    ///   - length: how many bytes there are; `nil` where only the end tells (HTTP/1.1 sends chunks then).
    public func stream<Pieces: AsyncSequence & Sendable>(
      _ request: TransportRequest, sending pieces: Pieces, length: Int64?
    ) async throws -> StreamingResponse where Pieces.Element == Data {
      var outgoing = try HTTPClientRequest(request, userAgent: userAgent)
      outgoing.body = .stream(
        DataBuffers(pieces: pieces, group: client.eventLoopGroup), length: length.map { .known($0) } ?? .unknown)
      return try await execute(outgoing, for: request)
    }

    private func execute(_ outgoing: HTTPClientRequest, for request: TransportRequest) async throws -> StreamingResponse
    {
      guard request.timeout > .zero else { throw OstiaryError.timedOut(request.head, sent: false) }
      do {
        try Task.checkCancellation()
        let response = try await client.execute(
          outgoing, deadline: .now() + .nanoseconds(request.timeout.clampedNanoseconds))
        let reader = BodyReader(response.body, of: request.head, keeping: self)
        return StreamingResponse(
          try HTTPResponse(response, to: request.head), body: ResponseBody { try await reader.next() },
          url: request.head.targetURL)
      } catch {
        throw OstiaryError.describing(error, of: request.head)
      }
    }

    public func send(_ request: TransportRequest) async throws -> TransportResponse {
      try await send(request, body: nil)
    }

    private func send(_ request: TransportRequest, body: BodySource?) async throws -> TransportResponse {
      let start = ContinuousClock.now
      let response = try await stream(request, reading: body)
      return try await withDeadline(request.timeout.clampedForTimers - (ContinuousClock.now - start)) {
        try await self.collect(response, for: request)
      } timedOut: {
        .timedOut(request.head)
      }
    }
  }

  extension AsyncHTTPClientTransport: BodyReadingTransport {
    package func send(_ request: TransportRequest, reading body: BodySource) async throws -> TransportResponse {
      try await send(request, body: body)
    }
  }
#endif
