internal import Foundation
internal import OstiaryCore

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The system's calls, as far as a listener for callbacks needs them.
enum CallbackSocket {
  enum Outcome {
    case bytes(Int)
    case wouldBlock
    case ended
  }

  /// Listens on 127.0.0.1 alone, so that nobody else's network gets near it.
  static func listen(port: UInt16) throws -> (descriptor: Int32, port: Int) {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
    #if canImport(Darwin)
      address.sin_len = UInt8(MemoryLayout<sockaddr_in>.size)
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #elseif canImport(Musl)
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #else
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    guard descriptor >= 0 else { throw failure() }
    // A fixed port can be had again at once. (Without this on Darwin another's socket could share it; there, too, only
    // one that is in the same state, so it is set on both.)
    set(descriptor, SOL_SOCKET, SO_REUSEADDR, Int32(1))
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isReady = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        bind(descriptor, generic, length) == 0 && systemListen(descriptor, 64) == 0
          && getsockname(descriptor, generic, &length) == 0
      }
    }
    guard isReady, configure(descriptor) else {
      let error = failure()
      close(descriptor)
      throw error
    }
    return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
  }

  /// The next waiting connection, or `nil` when there is none that can be had.
  static func accept(_ listener: Int32) -> Int32? {
    let descriptor = systemAccept(listener)
    guard descriptor >= 0 else { return nil }
    guard configure(descriptor) else {
      close(descriptor)
      return nil
    }
    #if canImport(Darwin)
      set(descriptor, SOL_SOCKET, SO_NOSIGPIPE, Int32(1))
    #endif
    return descriptor
  }

  static func pipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    guard systemPipe(&ends) == 0 else { throw failure() }
    guard configure(ends[0]), configure(ends[1]) else {
      let error = failure()
      ends.forEach(close)
      throw error
    }
    return (ends[0], ends[1])
  }

  /// Wakes whoever waits at the other end of a pipe.
  static func signal(_ descriptor: Int32) {
    var byte: UInt8 = 1
    _ = write(descriptor, &byte, 1)
  }

  /// Waits until one of the descriptors is ready, and says which are.
  static func wait(_ entries: [(descriptor: Int32, forOutput: Bool)], milliseconds: Int32) -> Set<Int32> {
    var polled = entries.map {
      pollfd(fd: $0.descriptor, events: Int16($0.forOutput ? POLLOUT : POLLIN), revents: 0)
    }
    guard poll(&polled, nfds_t(polled.count), milliseconds) > 0 else { return [] }
    return Set(polled.lazy.filter { $0.revents != 0 }.map(\.fd))
  }

  static func receive(_ descriptor: Int32, into buffer: inout [UInt8]) -> Outcome {
    outcome(recv(descriptor, &buffer, buffer.count, 0))
  }

  static func send(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Outcome {
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    return outcome(bytes.withUnsafeBytes { systemSend(descriptor, $0, flags) })
  }

  /// Says that nothing more will be sent, so that the peer reads to the end.
  static func finish(_ descriptor: Int32) {
    _ = shutdown(descriptor, Int32(SHUT_WR))
  }

  static func close(_ descriptor: Int32) {
    _ = systemClose(descriptor)
  }

  private static func outcome(_ count: Int) -> Outcome {
    if count > 0 { return .bytes(count) }
    if count == 0 { return .ended }
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? .wouldBlock : .ended
  }

  private static func configure(_ descriptor: Int32) -> Bool {
    fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0
      && fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
  }

  private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
    withUnsafeBytes(of: value) {
      _ = setsockopt(descriptor, level, option, $0.baseAddress, socklen_t($0.count))
    }
  }

  private static func failure() -> OstiaryError {
    OstiaryError(
      .browserUnavailable, "No callback can be waited for on this machine: \(String(cString: strerror(errno))).",
      advice: "Free the port of the redirect URI, or leave the port out if the server allows any.",
      disposition: .transient(retryAfter: nil), requestMayHaveExecuted: false)
  }
}

// The system's calls whose names the methods above hide.
private func systemListen(_ descriptor: Int32, _ backlog: Int32) -> Int32 { listen(descriptor, backlog) }
private func systemAccept(_ descriptor: Int32) -> Int32 { accept(descriptor, nil, nil) }
private func systemPipe(_ ends: UnsafeMutablePointer<Int32>) -> Int32 { pipe(ends) }
private func systemSend(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, _ flags: Int32) -> Int {
  send(descriptor, bytes.baseAddress, bytes.count, flags)
}
private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }
