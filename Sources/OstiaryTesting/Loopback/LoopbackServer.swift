public import Foundation
internal import OstiaryCore

/// A small HTTP/1.1 server on a loopback address whose answers are scripted to the byte.
///
/// For tests of code that sends requests: a handler sees each request and says what happens on its connection: exact
/// bytes, a pause until the test says so, a close or a reset in the middle, an endless body, no answer at all. It is
/// made of sockets and one thread, knows no HTTP library that it could share a fault with, and is not for production.
///
/// ```swift
/// let server = try LoopbackServer { request in
///   request.path == "/slow" ? [.hold] : [.response(200, body: "hello")]
/// }
/// defer { server.stop() }
/// ```
public final class LoopbackServer: Sendable {
  /// Decides what happens after a request. Called on the server's thread, one call at a time: it should be quick, and
  /// must not call ``LoopbackServer/stop()``.
  public typealias Handler = @Sendable (Request) -> [Action]

  /// The address that the server listens on.
  public let host: String
  /// The port that the server listens on.
  public let port: Int

  private let record: LoopbackServerRecord
  private let thread = DispatchGroup()

  /// Starts a server.
  /// - Parameters:
  ///   - host: a loopback address, IPv4 or IPv6 (`::1`). Linux answers on all of `127.0.0.0/8`, so that `127.0.0.2` is another
  ///     host.
  ///   - port: the port to listen on; 0 lets the system choose a free one.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `invalidInput` for a host that is no address, `internalError` when the address
  ///   can't be listened on.
  public init(host: String = "127.0.0.1", port: UInt16 = 0, handler: @escaping Handler) throws {
    let (listener, wake) = try Self.listen(host, port)
    self.host = host
    self.port = listener.port
    let record = LoopbackServerRecord(wake: wake.write)
    self.record = record
    let group = thread
    group.enter()
    let thread = Thread {
      LoopbackServerLoop(listener: listener.descriptor, wake: wake.read, record: record, handler: handler).run()
      group.leave()
    }
    thread.name = "LoopbackServer"
    thread.start()
  }

  private static func listen(
    _ host: String, _ port: UInt16
  ) throws -> ((descriptor: Int32, port: Int), (read: Int32, write: Int32)) {
    do {
      return try LoopbackSocket.listenWithPipe(host: host, port: port, backlog: 4096)
    } catch {
      throw OstiaryError(
        error.code == EINVAL ? .invalidInput : .internalError, "The loopback server \(error).")
    }
  }

  deinit {
    stop()
  }

  /// Starts a server that gives every request the same answer.
  public convenience init(host: String = "127.0.0.1", answering actions: [Action]) throws {
    try self.init(host: host) { _ in actions }
  }

  /// Stops listening, closes every connection and waits until the server's thread is done. Harmless when repeated.
  public func stop() {
    record.stop()
    thread.wait()
  }

  /// The address of a path, which may have a query; `/` when it is no path of a URL.
  public func url(_ path: String = "/") -> URL {
    var base = URLComponents()
    base.scheme = "http"
    base.host = host.contains(":") ? "[\(host)]" : host
    base.port = port
    base.path = "/"
    let root = base.url ?? URL(fileURLWithPath: "/")
    return URL(string: path, relativeTo: root)?.absoluteURL ?? root
  }

  /// What has been received so far, in order.
  public var requests: [Request] { record.snapshot.requests }

  /// How many connections have been accepted so far.
  public var connectionCount: Int { record.snapshot.connections }

  /// How many clients have closed or reset their connection before their answer was complete.
  public var disconnections: Int { record.snapshot.disconnections }

  /// How many connections are open now.
  public var openConnections: Int { record.snapshot.open }

  /// Waits until so many requests have been received in all, and returns them.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `timedOut`, or `CancellationError`.
  @discardableResult
  public func waitForRequests(_ count: Int, timeout: Duration = .seconds(120)) async throws -> [Request] {
    try await record.wait(timeout, for: "\(count) requests") { $0.requests.count >= count }.requests
  }

  /// Waits until so many clients in all have left before their answer was complete.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `timedOut`, or `CancellationError`.
  public func waitForDisconnections(_ count: Int, timeout: Duration = .seconds(120)) async throws {
    _ = try await record.wait(timeout, for: "\(count) disconnections") { $0.disconnections >= count }
  }

  /// Waits until no connection is open.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `timedOut`, or `CancellationError`.
  public func waitForNoConnections(timeout: Duration = .seconds(120)) async throws {
    _ = try await record.wait(timeout, for: "the last connection to end") { $0.open == 0 }
  }
}
