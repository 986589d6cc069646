internal import Foundation
internal import OstiaryCore

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The system's socket calls, as far as the loopback server needs them.
enum LoopbackSocket {
  /// What came of reading or writing.
  enum Outcome {
    case bytes(Int)
    case wouldBlock
    /// The peer has closed its side, or the connection is broken.
    case ended
  }

  static func listen(host: String, port: UInt16) throws -> (descriptor: Int32, port: Int) {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    guard inet_pton(AF_INET, host, &address.sin_addr) == 1 else {
      throw OstiaryError(.invalidInput, "\"\(host)\" is not an IPv4 address.")
    }
    #if canImport(Darwin)
      address.sin_len = UInt8(MemoryLayout<sockaddr_in>.size)
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #elseif canImport(Musl)
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #else
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    guard descriptor >= 0 else { throw failure("make a socket") }
    set(descriptor, SOL_SOCKET, SO_REUSEADDR, Int32(1))
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let ready = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        bind(descriptor, generic, length) == 0 && systemListen(descriptor, 4096) == 0
          && getsockname(descriptor, generic, &length) == 0
      }
    }
    guard ready, configure(descriptor) else {
      let error = failure("listen on \(host)")
      close(descriptor)
      throw error
    }
    return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
  }

  /// The next waiting connection, or `nil` when there is none.
  static func accept(_ listener: Int32) -> Int32? {
    let descriptor = systemAccept(listener)
    guard descriptor >= 0 else { return nil }
    guard configure(descriptor) else {
      close(descriptor)
      return nil
    }
    set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, Int32(1))
    #if canImport(Darwin)
      set(descriptor, SOL_SOCKET, SO_NOSIGPIPE, Int32(1))
    #endif
    return descriptor
  }

  static func pipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    guard systemPipe(&ends) == 0 else { throw failure("make a pipe") }
    guard configure(ends[0]), configure(ends[1]) else {
      let error = failure("configure a pipe")
      ends.forEach(close)
      throw error
    }
    return (ends[0], ends[1])
  }

  /// Wakes whoever polls the other end of a pipe. A full pipe wakes as well.
  static func signal(_ descriptor: Int32) {
    var byte: UInt8 = 1
    _ = write(descriptor, &byte, 1)
  }

  /// Empties a pipe.
  static func drain(_ descriptor: Int32) {
    var bytes = [UInt8](repeating: 0, count: 512)
    while read(descriptor, &bytes, bytes.count) > 0 {}
  }

  static func receive(_ descriptor: Int32, into buffer: inout [UInt8]) -> Outcome {
    outcome(recv(descriptor, &buffer, buffer.count, 0))
  }

  static func send(_ descriptor: Int32, _ bytes: Data) -> Outcome {
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    return outcome(bytes.withUnsafeBytes { systemSend(descriptor, $0, flags) })
  }

  /// Closes a connection so that its peer sees a reset.
  static func reset(_ descriptor: Int32) {
    set(descriptor, SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0))
    close(descriptor)
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

  private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: some BitwiseCopyable) {
    withUnsafeBytes(of: value) {
      _ = setsockopt(descriptor, level, option, $0.baseAddress, socklen_t($0.count))
    }
  }

  private static func failure(_ what: String) -> OstiaryError {
    OstiaryError(.internalError, "The loopback server could not \(what): \(String(cString: strerror(errno))).")
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
