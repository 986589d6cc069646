internal import Foundation
internal import HTTPTypes
public import OstiaryCore

/// Records a ``SessionTrace``: what goes to servers and comes back, which pages a browser shows, and what session managers decide.
///
/// ```swift
/// let recorder = SessionTraceRecorder()
/// let manager = SessionManager(authenticator: authenticator, transport: recorder.transport(over: PlatformTransport()))
/// recorder.observe(manager)
/// // … a sign-in that does not do what it should …
/// try Data(recorder.trace.page.utf8).write(to: file)
/// ```
///
/// Requests pass unchanged. Bodies of streamed answers are not read.
public final class SessionTraceRecorder: Sendable {
  private struct State: Sendable {
    var mask = TraceMask()
    var entries: [SessionTrace.Entry] = []
    var leftOut = 0
    var exchanges = 0
  }

  private let state = Locked(State())
  private let clock: any SessionClock
  private let began: Moment
  private let limit: Int

  /// Makes a recorder.
  /// - Parameters:
  ///   - clock: tells when things happen.
  ///   - limit: how many entries are kept: the first ones.
  public init(clock: any SessionClock = .system, limit: Int = 2000) {
    self.clock = clock
    self.limit = max(1, limit)
    began = clock.moment
  }

  /// What was recorded so far.
  public var trace: SessionTrace {
    state.withLock { SessionTrace(began: began.wall, entries: $0.entries, leftOut: $0.leftOut) }
  }

  /// A transport that records what goes through it. The innermost one sees what really travels.
  public func transport(over inner: any Transport) -> any Transport { TracingTransport(inner: inner, recorder: self) }

  /// A user agent that records which page it shows, and what came back: they go through the browser, and through no transport.
  public func userAgent(over inner: any UserAgent) -> any UserAgent { TracingUserAgent(inner: inner, recorder: self) }

  /// Records what a session manager decides from now on.
  /// - Returns: ends that.
  @discardableResult
  public func observe(_ manager: SessionManager) -> @Sendable () -> Void {
    manager.onEvent { [weak self] event in self?.note(event) }
  }

  // MARK: Inside

  private func note(_ event: SessionEvent) {
    add { mask, seconds in
      var details = [SessionTrace.Detail("because", event.cause.rawValue)]
      if let user = event.user { details.append(SessionTrace.Detail("user", mask.mark(user))) }
      if let detail = event.detail { details.append(SessionTrace.Detail("detail", mask.words(detail))) }
      return SessionTrace.Entry(
        seconds: seconds, kind: .decision, title: event.kind.rawValue, details: details)
    }
  }

  private func newExchange() -> Int {
    state.withLock { state in
      state.exchanges += 1
      return state.exchanges
    }
  }

  /// - Returns: the number of the exchange.
  fileprivate func begin(_ request: TransportRequest) -> Int {
    let number = newExchange()
    add { mask, seconds in
      SessionTrace.Entry(
        seconds: seconds, kind: .request, exchange: number, server: Origin(request.head)?.description,
        title: mask.title(of: request.head), details: mask.details(of: request))
    }
    return number
  }

  fileprivate func end(_ number: Int, _ request: TransportRequest, _ response: HTTPResponse, body: Data?) {
    add { mask, seconds in
      SessionTrace.Entry(
        seconds: seconds, kind: .answer, exchange: number, server: Origin(request.head)?.description,
        title: String(response.status.code), details: mask.details(of: response, body: body))
    }
  }

  fileprivate func fail(_ number: Int, _ server: Origin?, _ error: any Error) {
    add { mask, seconds in
      let known = error as? OstiaryError
      let details = known.map { [SessionTrace.Detail("message", mask.words($0.message))] } ?? []
      return SessionTrace.Entry(
        seconds: seconds, kind: .failure, exchange: number, server: server?.description,
        title: known?.code.rawValue ?? "cancelled", details: details)
    }
  }

  /// The browser is sent to a page.
  fileprivate func begin(_ page: URL) -> Int {
    let number = newExchange()
    add { mask, seconds in
      SessionTrace.Entry(
        seconds: seconds, kind: .request, exchange: number, server: Origin(page)?.description,
        title: mask.title(ofPage: page), details: mask.details(ofPage: page))
    }
    return number
  }

  fileprivate func end(_ number: Int, _ page: URL, _ callback: URL) {
    add { mask, seconds in
      SessionTrace.Entry(
        seconds: seconds, kind: .answer, exchange: number, server: Origin(page)?.description, title: "callback",
        details: mask.details(ofCallback: callback))
    }
  }

  private var seconds: Double {
    // Milliseconds, so that the same number is written and read.
    (max(0, clock.moment.seconds(since: began)) * 1000).rounded() / 1000
  }

  private func add(_ make: (inout TraceMask, Double) -> SessionTrace.Entry) {
    let seconds = seconds
    state.withLock { state in
      guard state.entries.count < limit else {
        state.leftOut += 1
        return
      }
      state.entries.append(make(&state.mask, seconds))
    }
  }
}

extension SessionTraceRecorder: Redacted {
  /// How much was recorded.
  public var description: String { "SessionTraceRecorder(\(trace.entries.count) entries)" }
}

private struct TracingTransport: Transport {
  let inner: any Transport
  let recorder: SessionTraceRecorder

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    let number = recorder.begin(request)
    do {
      let response = try await inner.send(request)
      recorder.end(number, request, response.head, body: response.body)
      return response
    } catch {
      recorder.fail(number, Origin(request.head), error)
      throw error
    }
  }

  func stream(_ request: TransportRequest) async throws -> StreamingResponse {
    let number = recorder.begin(request)
    do {
      let response = try await inner.stream(request)
      recorder.end(number, request, response.head, body: nil)
      return response
    } catch {
      recorder.fail(number, Origin(request.head), error)
      throw error
    }
  }
}

private struct TracingUserAgent: UserAgent {
  let inner: any UserAgent
  let recorder: SessionTraceRecorder

  func visit(
    _ redirectURI: URL, page: @Sendable (URL) async throws -> AuthorizationRequest
  ) async throws -> AuthorizationVisit {
    let shown = Locked<(number: Int, page: URL)?>(nil)
    do {
      let visit = try await inner.visit(redirectURI) { uri in
        let request = try await page(uri)
        let number = recorder.begin(request.url)
        shown.withLock { $0 = (number, request.url) }
        return request
      }
      if let shown = shown.withLock({ $0 }) { recorder.end(shown.number, shown.page, visit.callback) }
      return visit
    } catch {
      if let shown = shown.withLock({ $0 }) { recorder.fail(shown.number, Origin(shown.page), error) }
      throw error
    }
  }
}
