#if os(Linux)
  import Foundation

  /// This process's sockets that listen.
  public enum ListeningSocket {
    /// Shuts the one on `port` down, as an administrator's tool may do to a process from outside.
    /// - Returns: whether there was one.
    public static func shutDown(port: Int) -> Bool {
      for descriptor in 3..<Int32(4096) {
        var listens: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0, listens != 0 else { continue }
        var address = sockaddr_in()
        size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isKnown = withUnsafeMutablePointer(to: &address) { pointer in
          pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) == 0 }
        }
        guard isKnown, Int(UInt16(bigEndian: address.sin_port)) == port else { continue }
        return shutdown(descriptor, Int32(SHUT_RDWR)) == 0
      }
      return false
    }
  }
#endif
