import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTPTypes
import OstiaryCore
import Tracing

/// Handles every request from the network: reads its body within limits, finds its route, and turns every outcome into
/// an answer.
struct Dispatcher: HTTPResponder {
  struct Context: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The address of the connection's peer.
    let clientAddress: String
    let channel: any Channel

    /// The request's id in the log. Hummingbird's own `id` traps if a log handler keeps no metadata.
    var requestID: String { logger[metadataKey: "hb.request.id"]?.description ?? UUID().uuidString }

    init(source: ApplicationRequestContextSource) {
      coreContext = .init(source: source)
      clientAddress = source.channel.remoteAddress?.ipAddress ?? "unknown"
      channel = source.channel
    }
  }

  /// Known once the port is known.
  let routes: Locked<RouteTable?>
  let limits: HTTPLimits
  let proxies: TrustedProxies
  let journal: RequestJournal?
  let underWay: RequestsUnderWay
  let connections: Connections
  let hosts: ServedHosts
  let cookies: ServerCookieNames
  /// Nil where requests are not measured.
  let metrics: RequestMetrics?
  /// Nil where requests are not traced.
  let tracer: (any Tracer)?

  func respond(to request: Request, context: Context) async throws -> Response {
    var context = context
    // A proxy's own log has that name, too, if the proxy sets it and passes on none of its client's. Of others it would be forged.
    if proxies.trust(context.clientAddress), let id = RequestID.given(in: request.headers) {
      context.logger[metadataKey: "hb.request.id"] = "\(id)"
    }
    let client = proxies.client(peer: context.clientAddress, headers: request.headers)
    let address = ClientAddress(client)
    guard underWay.begin(address) else { return tooMany(request, client, context) }
    defer { underWay.end(address) }
    guard let tracer else { return await answer(request, client, context) }
    return await traced(request, by: tracer, context) { [context] in await answer(request, client, context) }
  }

  /// The answer to a client that has too many requests under way: the body of this request is not read.
  private func tooMany(_ request: Request, _ client: String, _ context: Context) -> Response {
    let door = DoorRequest(
      method: request.method, path: Self.target(of: request).path, query: .none, headers: request.headers, body: [],
      parameters: [:], clientAddress: client, id: context.requestID)
    var answer = DoorResponse.failure(.tooManyRequests, .tooManyRequests, for: door)
      .retrying(after: .seconds(1))
    answer.headers[.connection] = "close"
    metrics?.answered(nil, answer.status, in: .zero)
    return Self.response(from: answer, to: request.method, door.id)
  }

  private func answer(_ request: Request, _ client: String, _ context: Context) async -> Response {
    let started = ContinuousClock.now
    let (path, query) = Self.target(of: request)
    let known = FormFields(encoded: query)
    var door = DoorRequest(
      method: request.method, path: path, query: known ?? .none, headers: request.headers, body: [], parameters: [:],
      clientAddress: client, id: context.requestID)
    door.target = query.isEmpty ? path : path + "?" + String(decoding: query, as: UTF8.self)
    door.authority = request.head.authority
    door.isFromTrustedProxy = proxies.trust(context.clientAddress)
    var pattern = "-"
    var answer: DoorResponse
    var isRead = !Self.announcesBody(request)
    let table = routes.withLock { $0 }
    let match = table?.match(request.method, path)
    let misplaced = hosts.problem(authority: request.head.authority, others: request.headers)
    switch match {
    case _ where misplaced != nil:
      answer = .failure(misplaced?.status ?? .badRequest, misplaced?.text ?? .requestMalformed, for: door)
    case nil:
      answer = .unavailable(for: door)
    case _ where known == nil && match?.isRelayed != true:
      answer = .failure(.badRequest, .requestMalformed, for: door)
    case .unknown?:
      answer = .failure(.notFound, .nothingHere, for: door)
    case .otherMethods(let allowed)?:
      answer = .failure(.methodNotAllowed, .methodUnknown, for: door)
      answer.headers[.allow] = allowed.joined(separator: ", ")
    case .found(let receiver, let parameters, let matched)?:
      pattern = matched
      let origin = AuditOrigin(request: door, route: matched, door: table?.doors[matched] ?? "server")
      do {
        switch receiver {
        case .whole(let handler):
          door = try await withBody(of: request, door)
          isRead = true
          door.parameters = parameters
          answer = try await AuditOrigin.$current.withValue(origin) { [door] in try await handler(door) }
        case .abandonable(let handler):
          door = try await withBody(of: request, door)
          isRead = true
          door.parameters = parameters
          answer = try await AuditOrigin.$current.withValue(origin) { [door] in
            try await connections.whileOpen(context.channel) { [door] in try await handler(door) }
          }
        case .streamed(let time, let handler):
          let stream = try bodyStream(of: request, time: time, context)
          defer { isRead = stream.isAtEnd }
          door.parameters = parameters
          answer = try await AuditOrigin.$current.withValue(origin) { [door] in try await handler(door, stream) }
        case .relayed(let handler):
          let stream = try bodyStream(of: request, time: Self.relayTime, context)
          defer { isRead = stream.isAtEnd }
          answer = try await AuditOrigin.$current.withValue(origin) { [door] in try await handler(door, stream) }
        }
      } catch let problem as BodyProblem {
        if let resource = HTTPResource(problem) { connections.note(resource) }
        answer = .failure(problem.status, problem.text, for: door)
      } catch is CancellationError {
        // The client has disconnected, or the server stops.
        answer = .unavailable(for: door)
      } catch {
        answer = failure(error, of: door, context.logger)
      }
    }
    if !answer.isRelayed { dropUnknownCookies(of: &answer, context.logger) }
    // A client could send an unread body for ever.
    if !isRead || Self.endsConnection(request) { answer.headers[.connection] = "close" }
    let time = started.duration(to: .now)
    metrics?.answered(table?.doors[pattern], answer.status, in: time)
    // An error's own text is never logged: it may quote the input.
    context.logger.debug(
      "answered",
      metadata: [
        "method": "\(request.method.rawValue)", "route": "\(pattern)", "status": "\(answer.status.code)",
        "took": "\(time)",
      ])
    if let journal {
      // A segment of that name is a proof, and is not written to the journal.
      let isSecret = pattern.byteParts(at: "/").contains { $0.hasSameBytes(as: ":secret") }
      journal.record(door, path: isSecret ? pattern : path, status: answer.status.code)
    }
    return Self.response(from: answer, to: request.method, door.id)
  }

  /// A cookie that is not on the list would reach the servers behind the gateway.
  private func dropUnknownCookies(of answer: inout DoorResponse, _ logger: Logger) {
    let lines = answer.headers[values: .setCookie]
    let known = lines.filter { cookies.contains(ServerCookieNames.name(setting: $0)) }
    guard known.count < lines.count else { return }
    logger.error("A cookie was not set: its name is not on the list of the server's cookies.")
    answer.headers[values: .setCookie] = known
  }

  private func failure(_ error: any Error, of request: DoorRequest, _ logger: Logger) -> DoorResponse {
    metrics?.failed(error)
    if let error = error as? ServerError {
      logger.error("request failed", metadata: ["error": "\(error.code)"])
      if error.isStorageFault || error.retryAfter != nil {
        return .unavailable(for: request).retrying(after: error.retryAfter ?? .seconds(5))
      }
    } else {
      logger.error("request failed", metadata: ["error": "\(type(of: error))"])
    }
    return .failure(.internalServerError, .somethingWrong, for: request)
  }

  /// The path and the query of a request target in origin or absolute form (RFC 9112 §3.2). Any other target has a path
  /// that no route matches.
  static func target(of request: Request) -> (path: String, query: ArraySlice<UInt8>) {
    let whole = request.head.path ?? ""
    // As most are sent: all of it is the path.
    if whole.utf8.first == UInt8(ascii: "/"),
      !whole.utf8.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") })
    {
      return (whole, [])
    }
    var target = Array(whole.utf8)[...]
    for scheme in ["http://", "https://"] where target.starts(with: scheme.utf8) {
      target = target.dropFirst(scheme.utf8.count).drop { $0 != UInt8(ascii: "/") }
    }
    target = target.prefix { $0 != UInt8(ascii: "#") }
    let path = target.prefix { $0 != UInt8(ascii: "?") }
    return (String(decoding: path, as: UTF8.self), target[path.endIndex...].dropFirst())
  }

  private static func response(from answer: DoorResponse, to method: HTTPRequest.Method, _ id: String) -> Response {
    var headers = answer.headers
    if answer.isRelayed {
      headers[ResponsePolicyHandler.relayed] = "1"
    } else if let field = RequestID.field {
      headers[field] = id
    }
    if let stream = answer.stream {
      if let size = stream.size { headers[.contentLength] = String(size) }
      // The encoder would write chunks, but an answer to HEAD has no body.
      if method == .head, stream.size == nil { headers[.contentLength] = "0" }
      let body = ResponseBody(contentLength: stream.size) { writer in
        if method != .head { try await stream.produce { try await writer.write($0) } }
        try await writer.finish(nil)
      }
      return Response(status: answer.status, headers: headers, body: body)
    }
    let size = answer.relayedBody?.readableBytes ?? answer.body.count
    if answer.status != .noContent { headers[.contentLength] = String(size) }
    if size == 0 || method == .head { return Response(status: answer.status, headers: headers, body: ResponseBody()) }
    let body = ResponseBody(byteBuffer: answer.relayedBody ?? ByteBuffer(bytes: answer.body))
    return Response(status: answer.status, headers: headers, body: body)
  }

  // MARK: The body

  /// A connection that stays silent is closed long before this.
  private static let relayTime = Duration.seconds(7 * 24 * 3600)

  /// The body for a handler that reads the body itself, or leaves it unread.
  private func bodyStream(
    of request: Request, time: Duration, _ context: Context
  ) throws(BodyProblem) -> BodyStream {
    let length = request.headers[.contentLength]
    let announced = length.flatMap { Int($0) }
    guard length == nil || announced != nil else { throw .tooLarge }
    let waits = request.headers[.expect]?.lowercasedASCII == "100-continue"
    return BodyStream(
      request.body, announcedSize: announced, isPresent: Self.announcesBody(request), time: time
    ) {
      // RFC 9110 §10.1.1: a client that is refused need not send the body.
      guard waits else { return }
      try await context.channel.writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: .continue)))
    }
  }

  /// Whether the server can read no further request from the client: the client closes, in words that Hummingbird does not
  /// understand, or it wants to continue in another protocol. No door speaks one, and the parser reads nothing after such a
  /// request: a connection that was kept open would answer no more.
  private static func endsConnection(_ request: Request) -> Bool {
    let fields = request.headers[values: .connection]
    guard !fields.isEmpty, fields != ["close"] else { return false }
    let options = fields.flatMap(\.listElements).map(\.lowercasedASCII)
    return options.contains("close") || (options.contains("upgrade") && request.headers.contains(.upgrade))
  }

  private static func announcesBody(_ request: Request) -> Bool {
    request.headers.contains(.transferEncoding) || (request.headers[.contentLength] ?? "0") != "0"
  }

  /// The request with its whole body, which must arrive within the limits of size and time.
  private func withBody(of request: Request, _ door: DoorRequest) async throws -> DoorRequest {
    guard Self.announcesBody(request) else { return door }
    if let announced = request.headers[.contentLength] {
      guard let announced = Int(announced), announced <= limits.bodySize else { throw BodyProblem.tooLarge }
    }
    let (body, limits) = (request.body, limits)
    let bytes = try await withThrowingTaskGroup(of: [UInt8]?.self) { group in
      group.addTask {
        var bytes: [UInt8] = []
        var parts = body.makeAsyncIterator()
        do {
          while let part = try await parts.next(), bytes.count <= limits.bodySize {
            bytes.append(contentsOf: part.readableBytesView)
          }
        } catch {
          throw BodyProblem.malformed
        }
        guard bytes.count <= limits.bodySize else { throw BodyProblem.tooLarge }
        return bytes
      }
      group.addTask {
        try await Task.sleep(for: limits.bodyTime)
        return nil
      }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
    guard let bytes else { throw BodyProblem.tooSlow }
    return DoorRequest(
      method: door.method, path: door.path, query: door.query, headers: door.headers, body: bytes,
      parameters: door.parameters, clientAddress: door.clientAddress, id: door.id, target: door.target,
      authority: door.authority, isFromTrustedProxy: door.isFromTrustedProxy)
  }
}
