import Foundation
import OstiaryCore
import OstiaryTesting

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A blocking socket with a time limit, for looking at a server byte by byte.
final class RawClient {
  private struct Failure: Error {
    let code: Int32
  }

  private var descriptor: Int32

  init(_ server: LoopbackServer, patience: Int = 20) throws {
    descriptor = try LoopbackSocket.connect(host: server.host, port: UInt16(server.port))
    var limit = timeval(tv_sec: patience, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close() }

  func send(_ text: String) {
    let bytes = Array(text.utf8)
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress?.advanced(by: sent), $0.count - sent) }
      guard count > 0 else { return }
      sent += count
    }
  }

  /// Reads so many bytes, or what there is until the end.
  func receive(_ count: Int = .max) throws -> String {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    while all.count < count {
      let received = read(descriptor, &buffer, min(buffer.count, count - all.count))
      guard received >= 0 else { throw Failure(code: errno) }
      if received == 0 { break }
      all += buffer[..<received]
    }
    return String(decoding: all, as: UTF8.self)
  }

  /// The system's error when reading, 0 when it works or the connection has ended.
  func errorWhenReading() -> Int32 {
    do {
      _ = try receive()
      return 0
    } catch let failure as Failure {
      return failure.code
    } catch {
      return -1
    }
  }

  func close() {
    if descriptor >= 0 { LoopbackSocket.close(descriptor) }
    descriptor = -1
  }
}
