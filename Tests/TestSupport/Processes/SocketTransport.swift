import Foundation
import HTTPTypes
package import OstiaryCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

/// HTTP/1.1 to a loopback address over blocking sockets, each with a thread of its own.
///
/// In a debug build it costs a fraction of what a real client does, and the processes here send tens of thousands of
/// requests. It takes what the loopback server answers, and nothing else.
package final class SocketTransport: Transport {
  private let lanes: [SocketLane]
  private let next = Locked(0)

  package init(connections: Int = 8) {
    lanes = (0..<connections).map { _ in SocketLane() }
    for lane in lanes { Thread.detachNewThread { lane.run() } }
  }

  deinit {
    for lane in lanes { lane.end() }
  }

  package func send(_ request: TransportRequest) async throws -> TransportResponse {
    let lane = next.withLock { next in
      next = (next + 1) % lanes.count
      return lanes[next]
    }
    return try await withCheckedThrowingContinuation { continuation in
      lane.add { socket in continuation.resume(with: Result { try socket.exchange(request) }) }
    }
  }

  package func stream(_ request: TransportRequest) async throws -> StreamingResponse {
    let response = try await send(request)
    return StreamingResponse(response.head, body: ResponseBody([response.body]), url: response.url)
  }
}

/// Work for one thread.
private final class SocketLane: Sendable {
  typealias Job = @Sendable (HTTPSocket) -> Void

  private struct State: Sendable {
    var jobs: [Job] = []
    var hasEnded = false
  }

  private let state = Locked(State())
  private let wake = DispatchSemaphore(value: 0)

  func add(_ job: @escaping Job) {
    state.withLock { $0.jobs.append(job) }
    wake.signal()
  }

  func end() {
    state.withLock { $0.hasEnded = true }
    wake.signal()
  }

  func run() {
    let socket = HTTPSocket()
    while true {
      wake.wait()
      let job = state.withLock { $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }
      guard let job else { return }
      job(socket)
    }
  }
}

/// A connection, made when it is needed. Used by one thread.
private final class HTTPSocket {
  private var descriptor: CInt = -1
  private var input: [UInt8] = []
  /// Where it leads.
  private var authority: String?

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  func exchange(_ request: TransportRequest) throws -> TransportResponse {
    do {
      if descriptor >= 0, authority != request.head.authority {
        close(descriptor)
        descriptor = -1
        input = []
      }
      authority = request.head.authority
      if descriptor < 0 { try connect(to: request) }
      try write(request)
      return try response(to: request)
    } catch {
      if descriptor >= 0 { close(descriptor) }
      descriptor = -1
      input = []
      throw error
    }
  }

  private func connect(to request: TransportRequest) throws {
    let authority = (request.head.authority ?? "").split(separator: ":")
    guard authority.count == 2, let port = UInt16(authority[1]) else {
      throw OstiaryError(.cannotConnect, "There is no port.", request: request.head)
    }
    do {
      descriptor = try LoopbackSocket.connect(host: String(authority[0]), port: port)
    } catch {
      throw OstiaryError(
        .cannotConnect, "Cannot connect: \(error).", request: request.head, requestMayHaveExecuted: false)
    }
  }

  private func write(_ request: TransportRequest) throws {
    let body = request.body ?? Data()
    var head =
      "\(request.head.method) \(request.head.path ?? "/") HTTP/1.1\r\nHost: \(request.head.authority ?? "")\r\n"
    for field in request.head.headerFields { head += "\(field.name.rawName): \(field.value)\r\n" }
    head += "Content-Length: \(body.count)\r\n\r\n"
    guard SocketWriter.write(Data(head.utf8) + body, to: descriptor) else { throw lost(request) }
  }

  private func response(to request: TransportRequest) throws -> TransportResponse {
    var searched = 0
    while true {
      if let end = headEnd(from: &searched) {
        return try response(String(decoding: input[..<end], as: UTF8.self), bodyAt: end + 4, to: request)
      }
      try receive(request)
    }
  }

  private func headEnd(from start: inout Int) -> Int? {
    while start + 4 <= input.count {
      if input[start] == 13, input[start + 1] == 10, input[start + 2] == 13, input[start + 3] == 10 { return start }
      start += 1
    }
    return nil
  }

  private func response(_ text: String, bodyAt start: Int, to request: TransportRequest) throws -> TransportResponse {
    let lines = text.split(separator: "\r\n")
    let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    guard let status else { throw lost(request) }
    var head = HTTPResponse(status: .init(code: status))
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":"), let name = HTTPField.Name(String(line[..<colon])) else { continue }
      head.headerFields.append(HTTPField(name: name, value: String(line[line.index(colon, offsetBy: 2)...])))
    }
    let length = head.headerFields[.contentLength].flatMap { Int($0) } ?? 0
    while input.count < start + length { try receive(request) }
    let body = Data(input[start..<(start + length)])
    input.removeFirst(start + length)
    return TransportResponse(head, body: body, url: request.head.url)
  }

  private func receive(_ request: TransportRequest) throws {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &bytes, bytes.count)
    if count < 0, errno == EINTR { return }
    guard count > 0 else { throw lost(request) }
    input += bytes[..<count]
  }

  private func lost(_ request: TransportRequest) -> OstiaryError {
    OstiaryError(.connectionLost, "The connection was lost.", request: request.head)
  }
}
