package import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

/// Writes to sockets whose readers may be gone, which must not end this process with a signal.
package enum SocketWriter {
  /// Writes all of `data`; on Darwin the socket has to have `SO_NOSIGPIPE`.
  /// - Returns: whether it was taken.
  package static func write(_ data: Data, to descriptor: CInt) -> Bool {
    #if canImport(Darwin)
      let flags: CInt = 0
    #else
      let flags = CInt(MSG_NOSIGNAL)
    #endif
    var rest = data
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, flags) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = Data(rest.dropFirst(count))
    }
    return true
  }
}
