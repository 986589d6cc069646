import AsyncHTTPClient
import Dispatch
import Foundation
import HTTPTypes
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import OstiaryCore

/// The servers behind the gateway. Bodies are passed on in both directions as they arrive.
final class GatewayUpstreams: Sendable {
  let junctions: [JunctionMap]
  private let client: HTTPClient
  private let time: TimeAmount
  private let cookies: ServerCookieNames
  private let logger: Logger
  private let identity: GatewayIdentity

  /// - Throws: The problem with the file of authorities.
  init(
    _ configuration: GatewayDoorConfiguration, cookies: ServerCookieNames, identity: GatewayIdentity, logger: Logger
  ) throws {
    self.logger = logger
    junctions = configuration.junctions.compactMap(JunctionMap.init)
    self.cookies = cookies
    self.identity = identity
    time = TimeAmount(configuration.upstreamTime)
    var settings = HTTPClient.Configuration(
      redirectConfiguration: .disallow, timeout: .init(connect: .seconds(10), read: time),
      connectionPool: .init(idleTimeout: .seconds(30), concurrentHTTP1ConnectionsPerHostSoftLimit: 512),
      decompression: .disabled)
    settings.connectionPool.retryConnectionEstablishment = false
    settings.httpVersion = .http1Only
    settings.http1_1ConnectionDebugInitializer = UpstreamGuard.install
    // A tracer would write addresses into its spans.
    settings.tracing.tracer = nil
    if let file = configuration.upstreamAuthority {
      var tls = TLSConfiguration.makeClientConfiguration()
      tls.additionalTrustRoots = [
        .certificates(try NIOSSLCertificate.fromPEMBytes(Array(try Data(contentsOf: file))))
      ]
      settings.tlsConfiguration = tls
    }
    client = HTTPClient(eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: settings)
  }

  deinit {
    // Without this, a client that was not closed would end the process. A second call only returns an error.
    client.shutdown(queue: .global()) { _ in }
  }

  func close() async {
    // It fails only if it was closed before.
    try? await client.shutdown()
  }

  /// Sends a request to an upstream, and returns the upstream's answer.
  /// - Parameters:
  ///   - body: The unread part of the request's body.
  ///   - user: The user of its session; nil on a public path.
  func relay(
    _ request: DoorRequest, _ body: BodyStream?, to map: JunctionMap, user: User?, at origin: Origin
  ) async -> DoorResponse {
    var outgoing = HTTPClientRequest(url: map.url(for: request.target))
    outgoing.method = HTTPMethod(rawValue: request.method.rawValue)
    outgoing.headers = headers(for: request, map, user: user, origin: origin)
    let span = TraceSpan.child(.upstreamCall)
    defer { span?.end() }
    span?.set(.method, SpanText(request.method))
    if let span {
      // Its place in the trace is that of the span. A client's own fields may be none.
      for name in ["traceparent", "tracestate"] { outgoing.headers.remove(name: name) }
      for (name, value) in span.fields { outgoing.headers.replaceOrAdd(name: name, value: value) }
    }
    var pump: Pump?
    if let body, !body.isAtEnd {
      let started = Pump(body)
      pump = started
      outgoing.body = .stream(started.relay, length: body.announcedSize.map { .known(Int64($0)) } ?? .unknown)
    } else if !request.body.isEmpty {
      outgoing.body = .bytes(ByteBuffer(bytes: request.body))
    }
    do {
      let response = try await client.execute(outgoing, deadline: .now() + time)
      span?.set(.status, Int(response.status.code))
      return try await answer(response, to: request.method, map, pump)
    } catch {
      let cause: MetricValue =
        Self.isTimeOut(error) ? "timeout" : error is UpstreamHead.Problem ? "answer" : "connection"
      span?.fail(SpanText(cause))
      if let problem = error as? UpstreamHead.Problem {
        logger.warning(
          "An upstream's answer was refused: it is not HTTP.",
          metadata: [
            "upstream": "\(map.upstream)", "problem": "\(problem.rawValue)", "request_id": "\(request.id)",
          ])
      }
      let problem = await pump?.stop()
      if let problem { return .failure(problem.status, problem.text, for: request) }
      if Self.isTimeOut(error) {
        return .failure(.gatewayTimeout, .upstreamSlow, for: request)
      }
      return .failure(.badGateway, .upstreamGone, for: request)
    }
  }

  private static func isTimeOut(_ error: any Error) -> Bool {
    guard let error = error as? HTTPClientError else { return false }
    return [.readTimeout, .connectTimeout, .deadlineExceeded, .getConnectionFromPoolTimeout].contains(error)
  }

  private func headers(for request: DoorRequest, _ map: JunctionMap, user: User?, origin: Origin) -> HTTPHeaders {
    let dropped = HopByHop(connection: request.headers[values: .connection])
    var headers = HTTPHeaders()
    headers.reserveCapacity(request.headers.count + 8)
    headers.add(name: "Host", value: map.junction.preservesHost ? origin.authority : map.upstream.authority)
    for field in request.headers {
      let name = FieldNames.normalized(field.name.canonicalName)
      if dropped.contains(name) || FieldNames.isAboutTheRequest(name) || identity.claims(name) { continue }
      if name == "cookie" {
        if let line = cookies.withoutOwn(field.value) { headers.add(name: "Cookie", value: line) }
        continue
      }
      headers.add(name: field.name.rawName, value: field.value)
    }
    headers.add(name: HTTPField.Name.xForwardedFor.rawName, value: request.clientAddress)
    headers.add(name: HTTPField.Name.xForwardedProto.rawName, value: origin.scheme)
    headers.add(name: HTTPField.Name.xForwardedHost.rawName, value: origin.authority)
    if map.junction.path != "/" { headers.add(name: HTTPField.Name.xForwardedPrefix.rawName, value: map.junction.path) }
    if let user {
      for field in identity.fields(of: user) { headers.add(name: field.name.rawName, value: field.value) }
    }
    return headers
  }

  /// - Throws: `Problem`.
  private func answer(
    _ response: HTTPClientResponse, to method: HTTPRequest.Method, _ map: JunctionMap, _ pump: Pump?
  ) async throws -> DoorResponse {
    let head = try UpstreamHead(
      HTTPResponseHead(version: response.version, status: response.status, headers: response.headers))
    var answer = DoorResponse(status: head.status)
    answer.isRelayed = true
    for field in head.fields {
      switch field.name {
      case .location: answer.headers.append(HTTPField(name: field.name, value: map.location(field.value)))
      case .setCookie:
        // An upstream must not set cookies of this server's sessions.
        guard cookies.allowsUpstream(setting: field.value) else { continue }
        answer.headers.append(HTTPField(name: field.name, value: map.cookie(field.value)))
      default: answer.headers.append(field)
      }
    }
    if pump == nil, method != .head, let size = head.size, (1...Self.mostWhole).contains(size) {
      await fill(&answer, from: response.body, size: size)
      return answer
    }
    answer.stream = ResponseStream(size: head.size) { write in
      do {
        for try await piece in response.body { try await write(piece) }
      } catch {
        await pump?.stop()
        throw error
      }
      // An upstream may have answered before it had the whole body.
      await pump?.stop()
    }
    return answer
  }

  /// The longest body that is waited for, in bytes: it leaves in one piece with its head, where each piece by itself costs as much as
  /// an answer.
  static let mostWhole = 32 << 10

  /// Waits for a body whose size is known.
  private func fill(_ answer: inout DoorResponse, from body: HTTPClientResponse.Body, size: Int) async {
    var whole = ByteBuffer()
    var failure: (any Error)?
    do {
      for try await var piece in body {
        if whole.readableBytes == 0 { whole = piece } else { whole.writeBuffer(&piece) }
      }
    } catch {
      failure = error
    }
    guard failure != nil || whole.readableBytes != size else { return answer.relayedBody = whole }
    // As if it had been handed on as it came. There is none where the status has none.
    answer.stream = ResponseStream(size: size) { [whole, failure] write in
      if whole.readableBytes > 0 { try await write(whole) }
      if let failure { throw failure }
    }
  }

  /// Reads a request's body while the sender takes it. The reader must have ended before the connection is used for
  /// another request.
  private struct Pump: Sendable {
    let relay = BodyRelay()
    private let task: Task<BodyProblem?, Never>

    init(_ body: BodyStream) {
      task = Task { [relay] in
        do {
          try await body.read(upTo: .max) { try await relay.send($0) }
          relay.finish()
          return nil
        } catch {
          relay.fail(error)
          // A body that the sender no longer takes ends early, too; that is no fault of the client.
          return Task.isCancelled ? nil : error as? BodyProblem
        }
      }
    }

    /// - Returns: The problem with the body, if the client caused it.
    @discardableResult
    func stop() async -> BodyProblem? {
      relay.fail(BodyRelay.Closed())
      task.cancel()
      return await task.value
    }
  }
}
