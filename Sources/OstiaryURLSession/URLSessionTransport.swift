internal import HTTPTypes
public import OstiaryCore

#if canImport(FoundationNetworking)
  internal import Foundation
  internal import FoundationNetworking
#else
  internal import Foundation
#endif

/// Sends requests with URLSession: the transport on Apple platforms.
///
/// It does what a ``/OstiaryCore/Transport`` must: it follows no redirect, stores no cookie, credential or cached response
/// and answers no authentication challenge, so that a 401 is a response like any other. Of its own, Foundation adds
/// `Accept`, `Accept-Language` and `User-Agent` where the request has none; compression is declined, so that limits mean
/// the bytes on the wire.
///
/// - Warning: On Linux this type compiles, but Foundation's URLSession there is not fit for signing in: a `401` with
///   `WWW-Authenticate: Basic` is never delivered (it fails here, where URLSession alone would hang), and a reader who is
///   slow does not slow the sender. Use `AsyncHTTPClientTransport`.
public final class URLSessionTransport: Transport {
  private let session: URLSession
  private let delegate: URLSessionTransportDelegate
  private let isClosed = Locked(false)

  /// Makes a transport with a session of its own.
  public init() {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.httpCookieAcceptPolicy = .never
    configuration.urlCredentialStorage = nil
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    #if canImport(Darwin)
      // Waiting for a network would look like a server that does not answer.
      configuration.waitsForConnectivity = false
    #endif
    delegate = URLSessionTransportDelegate()
    session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
  }

  deinit {
    // A session keeps itself and its delegate alive until then. Streams that are still read come to their end.
    session.finishTasksAndInvalidate()
  }

  /// Ends what is under way and closes every connection. Later requests fail. Harmless when repeated.
  public func close() {
    isClosed.withLock { isClosed in
      guard !isClosed else { return }
      isClosed = true
      session.invalidateAndCancel()
    }
  }

  public func stream(_ request: TransportRequest) async throws -> StreamingResponse {
    try Task.checkCancellation()
    let exchange = try start(request)
    do {
      let head = try await withDeadline(request.timeout) {
        try await exchange.head()
      } timedOut: {
        .timedOut(request.head)
      }
      let reader = URLSessionExchange.Reader(exchange)
      return StreamingResponse(
        head, body: ResponseBody { try await reader.next() }, url: request.head.targetURL)
    } catch {
      exchange.cancel()
      throw OstiaryError.describing(error, of: request.head)
    }
  }

  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    let start = ContinuousClock.now
    let response = try await stream(request)
    return try await withDeadline(request.timeout.clampedForTimers - (ContinuousClock.now - start)) {
      try await self.collect(response, for: request)
    } timedOut: {
      .timedOut(request.head)
    }
  }

  private func start(_ request: TransportRequest) throws -> URLSessionExchange {
    let outgoing = try URLRequest(request)
    // Making a task of a session that is closed would raise an exception.
    let task = try isClosed.withLock { isClosed throws -> URLSessionDataTask in
      guard !isClosed else { throw request.head.unsendable("The transport has been closed.") }
      return session.dataTask(with: outgoing)
    }
    let exchange = URLSessionExchange(task, request: request.head)
    delegate.add(exchange)
    task.resume()
    return exchange
  }
}
