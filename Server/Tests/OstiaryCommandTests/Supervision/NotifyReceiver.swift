#if os(Linux)
  import Dispatch
  import Foundation
  import Glibc

  /// A service manager's socket: it takes datagrams, and hands them over one by one.
  final class NotifyReceiver: Sendable {
    /// What a service is told in `NOTIFY_SOCKET`.
    let name: String
    private let descriptor: Int32

    struct Failed: Error, CustomStringConvertible {
      let description: String
    }

    /// - Parameter name: an absolute path, or a name of the abstract name space after `@`.
    init(_ name: String) throws {
      self.name = name
      descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      var bytes = Array(name.utf8)
      if name.hasPrefix("@") { bytes[0] = 0 }
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
      let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
      let isBound = withUnsafePointer(to: &address) { address in
        address.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) == 0 }
      }
      guard isBound else { throw Failed(description: "\(name) can't be bound: \(errno)") }
      // What is broken fails its test instead of hanging it.
      var patience = timeval(tv_sec: 60, tv_usec: 0)
      setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// The lines of the next datagram.
    func next() async throws -> [String] {
      try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async { [descriptor] in
          var buffer = [UInt8](repeating: 0, count: 4096)
          let count = recv(descriptor, &buffer, buffer.count, 0)
          guard count >= 0 else { return continuation.resume(throwing: Failed(description: "Nothing was told.")) }
          let text = String(decoding: buffer[..<count], as: UTF8.self)
          continuation.resume(returning: text.split(separator: "\n").map(String.init))
        }
      }
    }

    /// The datagrams that are there already.
    func waiting() -> [[String]] {
      var found: [[String]] = []
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        guard count >= 0 else { return found }
        found.append(String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n").map(String.init))
      }
    }
  }
#endif
