import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// Connections that say what a test wants and then nothing, and never read.
public final class IdleSockets: Sendable {
  private let descriptors: [Int32]

  /// Connects to a port of this machine.
  /// - Parameters:
  ///   - count: how many times; fewer where the system refuses.
  ///   - text: what each sends.
  ///   - receiveBuffer: the size of each one's receive buffer in bytes; `nil` for the system's own.
  ///
  /// Connecting to a server that accepts none waits for seconds: a thread of its own does it, and other tests go on.
  public init(_ count: Int, port: Int, sending text: String = "", receiveBuffer: Int32? = nil) async {
    #if canImport(Glibc)
      Self.raiseLimit()
      descriptors = await withCheckedContinuation { done in
        Thread.detachNewThread {
          done.resume(returning: (0..<count).compactMap { _ in Self.connect(port: port, text, receiveBuffer) })
        }
      }
    #else
      descriptors = []
    #endif
  }

  /// How many are connected, as far as this side knows.
  public var count: Int { descriptors.count }

  /// Closes them all.
  public func close() {
    #if canImport(Glibc)
      for descriptor in descriptors { _ = Glibc.close(descriptor) }
    #endif
  }

  #if canImport(Glibc)
    private static func raiseLimit() {
      var limit = rlimit()
      let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      guard getrlimit(files, &limit) == 0 else { return }
      limit.rlim_cur = min(limit.rlim_max, 65_536)
      _ = setrlimit(files, &limit)
    }

    private static func connect(port: Int, _ text: String, _ receiveBuffer: Int32?) -> Int32? {
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      guard descriptor >= 0 else { return nil }
      if var size = receiveBuffer {
        setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
      }
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = in_port_t(port).bigEndian
      address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
      let isConnected = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
      }
      guard isConnected else {
        _ = Glibc.close(descriptor)
        return nil
      }
      let bytes = Array(text.utf8)
      if !bytes.isEmpty { _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }
      return descriptor
    }
  #endif
}
