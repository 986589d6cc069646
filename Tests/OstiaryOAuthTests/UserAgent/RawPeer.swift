import Foundation
import OstiaryCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A connection to a port of this machine that sends what it is told, byte for byte.
final class RawPeer: Sendable {
  private let descriptor: Int32

  init(port: Int) throws {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
    #if canImport(Glibc)
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    let descriptor = descriptor
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected else { throw OstiaryError(.cannotConnect, "Nobody listens there.") }
  }

  deinit { close(descriptor) }

  func send(_ data: Data) {
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    let descriptor = descriptor
    _ = data.withUnsafeBytes { bytes in systemSend(descriptor, bytes, flags) }
  }

  /// Everything until the other side ends.
  func readToEnd() async throws -> String {
    let descriptor = descriptor
    return await withCheckedContinuation { continuation in
      Thread {
        var all = Data()
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = recv(descriptor, &buffer, buffer.count, 0), count > 0 { all += buffer[..<count] }
        continuation.resume(returning: String(decoding: all, as: UTF8.self))
      }.start()
    }
  }

  static func exchange(port: Int, _ data: Data) async throws -> String {
    let peer = try RawPeer(port: port)
    peer.send(data)
    return try await peer.readToEnd()
  }
}

private func systemSend(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, _ flags: Int32) -> Int {
  send(descriptor, bytes.baseAddress, bytes.count, flags)
}
