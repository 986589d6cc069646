internal import HTTPTypes
internal import OstiaryCore

/// Passes requests on and notes the cookies that come with the answers. A session keeps those that it knows by name; an app's own
/// requests are given the others, too: a load balancer's, for example.
final class NotedCookies: Transport {
  private let inner: any Transport
  private let clock: any SessionClock
  private let jar = Locked(CookieJar())

  init(_ inner: any Transport, clock: any SessionClock) {
    self.inner = inner
    self.clock = clock
  }

  /// The cookies that have come since the last time, which are forgotten.
  func take() -> CookieJar {
    jar.withLock { jar in
      defer { jar = CookieJar() }
      return jar
    }
  }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    let response = try await inner.send(request)
    note(response.head, request.head)
    return response
  }

  func stream(_ request: TransportRequest) async throws -> StreamingResponse {
    let response = try await inner.stream(request)
    note(response.head, request.head)
    return response
  }

  private func note(_ response: HTTPResponse, _ request: HTTPRequest) {
    _ = jar.withLock { $0.storeAll(from: response, to: request, now: clock.now) }
  }
}
