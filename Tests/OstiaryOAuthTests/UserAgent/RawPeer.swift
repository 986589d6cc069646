import Foundation
import OstiaryCore

/// A connection to a port of this machine that sends what it is told, byte for byte.
final class RawPeer: Sendable {
  private let descriptor: Int32

  init(host: String = "127.0.0.1", port: Int) throws {
    descriptor = try LoopbackSocket.connect(host: host, port: UInt16(port))
  }

  deinit { LoopbackSocket.close(descriptor) }

  func send(_ data: Data) { _ = LoopbackSocket.send(descriptor, data) }

  /// Everything until the other side ends.
  func readToEnd() async throws -> String {
    let descriptor = descriptor
    return await withCheckedContinuation { continuation in
      Thread {
        var all = Data()
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case .bytes(let count) = LoopbackSocket.receive(descriptor, into: &buffer) { all += buffer[..<count] }
        continuation.resume(returning: String(decoding: all, as: UTF8.self))
      }.start()
    }
  }

  static func exchange(host: String = "127.0.0.1", port: Int, _ data: Data) async throws -> String {
    let peer = try RawPeer(host: host, port: port)
    peer.send(data)
    return try await peer.readToEnd()
  }
}
