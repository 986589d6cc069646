#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The socket on which a service manager hears how a service is (sd_notify(3)): a Unix socket for datagrams, in the file system or, where
/// the name begins with `@`, in Linux's abstract name space.
struct NotifySocket: Sendable {
  /// The bytes of the address; those of an abstract one begin with a zero.
  private let path: [UInt8]

  /// - Returns: nil for a name that is no Unix socket's, or is too long for one.
  init?(name: String) {
    guard name.hasPrefix("/") || name.hasPrefix("@"), name.utf8.count > 1 else { return nil }
    var path = Array(name.utf8)
    guard path.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path) else { return nil }
    if path[0] == UInt8(ascii: "@") { path[0] = 0 }
    self.path = path
  }

  /// Sends lines of `NAME=value` in one datagram. A manager that does not read holds it up for a second at most.
  /// - Returns: the number of the error; nil if it was sent.
  func send(_ lines: [String]) -> Int32? {
    #if canImport(Glibc)
      let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    #elseif canImport(Musl)
      let descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)
    #else
      let descriptor = socket(AF_UNIX, SOCK_DGRAM, 0)
    #endif
    guard descriptor >= 0 else { return errno }
    defer { close(descriptor) }
    var patience = timeval(tv_sec: 1, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    // An abstract name ends with its length, not with a zero.
    let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? MemoryLayout<sa_family_t>.size
    let length = socklen_t(start + path.count)
    let bytes = Array(lines.joined(separator: "\n").utf8)
    let sent = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(descriptor, bytes, bytes.count, 0, $0, length)
      }
    }
    return sent == bytes.count ? nil : errno
  }
}
