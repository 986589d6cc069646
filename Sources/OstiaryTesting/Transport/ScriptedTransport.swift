import Foundation
public import HTTPTypes
public import OstiaryCore

/// A transport that plays a server: routes answer requests, a fault plan breaks what should break, everything is
/// counted.
///
/// ```swift
/// let transport = ScriptedTransport { _ in .json(["hello": "world"]) }
/// transport.on(.post, "/renew") { _ in .status(.serviceUnavailable) }
/// transport.inject(.dropAfterServerActed, into: .post("/sign-in"), at: .nth(1))
/// ```
///
/// Nothing here is an actor: ten thousand callers at once meet one lock for a few microseconds each.
public final class ScriptedTransport: Transport {
  /// Answers a request.
  public typealias Handler = @Sendable (TransportRequest) async throws -> TransportResponse

  private struct Script: Sendable {
    var routes: [String: Handler] = [:]
    var faults = FaultPlan()
    var requests: [TransportRequest] = []
  }

  private struct Tally: Sendable {
    var total = 0
    var byRoute: [String: Int] = [:]
  }

  private let script = Locked(Script())
  private let tally = Observed(Tally())
  private let clock: any SessionClock
  private let checkpoint: Checkpoint?
  private let fallback: Handler

  /// Makes a transport.
  /// - Parameters:
  ///   - clock: measures delays and time-outs.
  ///   - handler: answers requests that no route does; by default with 404.
  ///   - checkpoint: is passed twice by every request: as `"POST /renew sent"` before the server acts and as
  ///     `"POST /renew answered"` afterwards.
  public init(
    clock: any SessionClock = .system,
    handler: @escaping Handler = { _ in TransportResponse(HTTPResponse(status: .notFound)) },
    checkpoint: Checkpoint? = nil
  ) {
    self.clock = clock
    self.checkpoint = checkpoint
    self.fallback = handler
  }

  /// Lets `handler` answer requests with this method and path, with any query.
  public func on(_ method: HTTPRequest.Method, _ path: String, _ handler: @escaping Handler) {
    script.withLock { $0.routes["\(method.rawValue) \(path)"] = handler }
  }

  /// Breaks some of the requests that match. See ``FaultPlan/inject(_:into:at:)``.
  public func inject(_ fault: Fault, into match: RequestMatch = .any, at occurrence: Occurrence = .every) {
    script.withLock { $0.faults.inject(fault, into: match, at: occurrence) }
  }

  /// Replaces the whole fault plan; without an argument, heals everything. Requests under way keep their faults.
  public func setFaults(_ plan: FaultPlan = FaultPlan()) {
    script.withLock { $0.faults = plan }
  }

  // MARK: What was seen

  /// Every request so far, in the order of arrival, also those that a fault kept from the server.
  public var requests: [TransportRequest] { script.withLock { $0.requests } }

  /// How many requests there were.
  public var count: Int { tally.read(\.total) }

  /// How many requests with this method and path there were.
  public func count(_ method: HTTPRequest.Method, _ path: String) -> Int {
    tally.read { $0.byRoute["\(method.rawValue) \(path)"] ?? 0 }
  }

  /// Waits until there were `count` requests.
  /// - Throws: ``WaitTimedOut`` when there weren't within `limit` of real time.
  public func waitForRequests(_ count: Int, within limit: Duration = .seconds(120)) async throws {
    _ = try await tally.wait(for: "\(count) requests", within: limit) { $0.total >= count ? true : nil }
  }

  /// Waits until there were `count` requests with this method and path.
  /// - Throws: ``WaitTimedOut`` when there weren't within `limit` of real time.
  public func waitForRequests(
    _ count: Int, to method: HTTPRequest.Method, _ path: String, within limit: Duration = .seconds(120)
  ) async throws {
    let route = "\(method.rawValue) \(path)"
    _ = try await tally.wait(for: "\(count) × \(route)", within: limit) {
      ($0.byRoute[route] ?? 0) >= count ? true : nil
    }
  }

  // MARK: Transport

  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    try await collect(try await stream(request), for: request)
  }

  public func stream(_ request: TransportRequest) async throws -> StreamingResponse {
    guard Origin(request.head) != nil else {
      throw OstiaryError(
        .invalidRequest, "The request has no scheme or host.", request: request.head, requestMayHaveExecuted: false)
    }
    try Task.checkCancellation()
    let route = request.routeName
    let (faults, handler) = script.withLock { script in
      script.requests.append(request)
      return (script.faults.faults(for: request), script.routes[route] ?? fallback)
    }
    tally.update { tally in
      tally.total += 1
      tally.byRoute[route, default: 0] += 1
    }

    await checkpoint?("\(route) sent")
    for fault in faults { try await fault.onTheWay(request, clock) }
    var response: TransportResponse
    if let answer = faults.lazy.compactMap(\.answer).first {
      response = answer
    } else {
      response = try await handler(request)
    }
    if response.url == nil { response.url = request.head.targetURL }
    await checkpoint?("\(route) answered")

    var streamed = StreamingResponse(response.head, body: ResponseBody([response.body]), url: response.url)
    for fault in faults { try await fault.onTheWayBack(request, response, &streamed) }
    return streamed
  }
}

extension Fault {
  fileprivate func onTheWay(_ request: TransportRequest, _ clock: any SessionClock) async throws {
    switch self {
    case .delay(let duration):
      try await clock.sleep(for: min(duration, request.timeout))
      if duration >= request.timeout { throw Self.timedOut(request) }
    case .hang:
      try await clock.sleep(for: request.timeout)
      throw Self.timedOut(request)
    case .hold(let gate):
      try await gate.pass()
    case .refuseConnection:
      throw OstiaryError(
        .cannotConnect, "The server can't be reached.", request: request.head, requestMayHaveExecuted: false)
    case .dropBeforeServerActs:
      throw Self.connectionLost(request)
    default: break
    }
  }

  fileprivate var answer: TransportResponse? { if case .respond(let response) = self { response } else { nil } }

  fileprivate func onTheWayBack(
    _ request: TransportRequest, _ response: TransportResponse, _ streamed: inout StreamingResponse
  ) async throws {
    switch self {
    case .holdResponse(let gate):
      try await gate.pass()
    case .dropAfterServerActed:
      throw Self.connectionLost(request)
    case .garbage:
      throw OstiaryError(.malformedResponse, "The server's answer is not HTTP.", request: request.head)
    case .truncate(let length):
      streamed.head.headerFields[.contentLength] = String(response.body.count)
      let pending = Locked<Data?>(Data(response.body.prefix(max(0, length))))
      streamed.body = ResponseBody {
        let piece = pending.withLock { $0.take() }
        guard let piece, !piece.isEmpty else { throw Self.connectionLost(request) }
        return piece
      }
    case .garble(let seed):
      var generator = SplitMix64(seed: seed)
      let noise = Data(response.body.map { _ in UInt8.random(in: .min ... .max, using: &generator) })
      streamed.body = ResponseBody([noise])
    case .announce(let bytes):
      streamed.head.headerFields[.contentLength] = String(bytes)
    case .endless:
      streamed.head.headerFields[.contentLength] = nil
      let piece = Data(repeating: UInt8(ascii: "."), count: 64 * 1024)
      streamed.body = ResponseBody {
        try Task.checkCancellation()
        return piece
      }
    default: break
    }
  }

  private static func connectionLost(_ request: TransportRequest) -> OstiaryError {
    OstiaryError(.connectionLost, "The connection broke before the response was complete.", request: request.head)
  }

  private static func timedOut(_ request: TransportRequest) -> OstiaryError {
    OstiaryError(.timedOut, "The server did not answer in time.", request: request.head)
  }
}

extension TransportResponse {
  /// A response with a status, fields and no body.
  public static func status(_ status: HTTPResponse.Status, headerFields: HTTPFields = [:]) -> TransportResponse {
    TransportResponse(HTTPResponse(status: status, headerFields: headerFields))
  }

  /// A JSON response.
  public static func json(
    _ value: [String: JSONValue], status: HTTPResponse.Status = .ok, headerFields: HTTPFields = [:]
  ) -> TransportResponse {
    var fields = headerFields
    fields[.contentType] = "application/json"
    // A JSONValue holds nothing that JSON can't say, but for numbers without a value.
    let body = (try? JSONEncoder().encode(JSONValue.object(value))) ?? Data("{}".utf8)
    return TransportResponse(HTTPResponse(status: status, headerFields: fields), body: body)
  }

  /// An HTML page.
  public static func html(_ text: String, status: HTTPResponse.Status = .ok) -> TransportResponse {
    let fields: HTTPFields = [.contentType: "text/html; charset=utf-8"]
    return TransportResponse(HTTPResponse(status: status, headerFields: fields), body: Data(text.utf8))
  }
}
