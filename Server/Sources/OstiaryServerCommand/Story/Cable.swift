internal import Foundation
internal import HTTPTypes
internal import OstiaryClientCommand
internal import OstiaryCore

/// The network cable of a demonstration. While it is pulled, requests go to a port without a listener, and fail as they
/// do without a network.
struct Cable: Transport {
  private let transport: any Transport
  private let deadPort: DeadPort
  private let isPulled = Locked(false)

  /// - Throws: ``OstiaryError`` `internalError` if this machine has no free port.
  init(_ transport: any Transport) throws {
    self.transport = transport
    deadPort = try DeadPort()
  }

  /// Interrupts the connection to the server.
  func pull() { isPulled.withLock { $0 = true } }

  /// Restores it.
  func plugIn() { isPulled.withLock { $0 = false } }

  func stream(_ request: TransportRequest) async throws -> StreamingResponse {
    try await transport.stream(routed(request))
  }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    try await transport.send(routed(request))
  }

  private func routed(_ request: TransportRequest) -> TransportRequest {
    guard isPulled.withLock({ $0 }) else { return request }
    var request = request
    request.head.authority = "127.0.0.1:\(deadPort.number)"
    return request
  }
}

/// A port of this machine that is bound and never listens: connections to it are refused.
private final class DeadPort: Sendable {
  let number: Int
  private let descriptor: Int32

  init() throws {
    #if canImport(Darwin)
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #else
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { [descriptor] pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(descriptor, pointer, length) == 0 && getsockname(descriptor, pointer, &length) == 0
      }
    }
    number = Int(UInt16(bigEndian: address.sin_port))
    if !isBound { throw OstiaryError(.internalError, DemoMessage.noFreePort) }
  }

  deinit { close(descriptor) }
}
