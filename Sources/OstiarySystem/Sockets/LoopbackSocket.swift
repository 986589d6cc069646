package import Foundation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The system's socket calls that a server or a client on this machine needs. It owns nothing: the caller that gets a
/// descriptor closes it.
package enum LoopbackSocket {
  /// What came of reading or writing.
  package enum Outcome: Sendable, Equatable {
    case bytes(Int)
    case wouldBlock
    /// The peer has closed its side, or the connection is broken.
    case ended
  }

  /// What could not be done, and the system's reason.
  package struct Failure: Error, CustomStringConvertible {
    package let action: String
    package let code: Int32
    /// The system's reason in words.
    package var reason: String { String(cString: strerror(code)) }
    package var description: String { "could not \(action): \(reason)" }

    fileprivate init(_ action: String, code: Int32 = errno) {
      self.action = action
      self.code = code
    }
  }

  // MARK: Making

  /// Listens on one address, so that no network reaches it.
  /// - Parameters:
  ///   - host: an IPv4 or IPv6 address in its usual notation: `127.0.0.1`, `::1`.
  ///   - port: 0 lets the system choose a free one.
  package static func listen(
    host: String, port: UInt16, backlog: Int32
  ) throws(Failure) -> (descriptor: Int32, port: Int) {
    let address = try Address(host, port)
    let descriptor = try make(address)
    // A fixed port can be had again at once. (Without this on Darwin another's socket could share it; there, too, only
    // one that is in the same state, so it is set on both.)
    set(descriptor, SOL_SOCKET, SO_REUSEADDR, Int32(1))
    let isReady =
      address.withPointer { systemBind(descriptor, $0, $1) } == 0 && systemListen(descriptor, backlog) == 0
    guard isReady, let port = Address.port(of: descriptor), configure(descriptor) else {
      let failure = Failure("listen on \(host)")
      close(descriptor)
      throw failure
    }
    return (descriptor, port)
  }

  /// Listens, with a pipe to wake the thread that waits for connections.
  package static func listenWithPipe(
    host: String, port: UInt16, backlog: Int32
  ) throws(Failure) -> (listener: (descriptor: Int32, port: Int), wake: (read: Int32, write: Int32)) {
    let listener = try listen(host: host, port: port, backlog: backlog)
    do throws(Failure) {
      return (listener, try pipe())
    } catch {
      close(listener.descriptor)
      throw error
    }
  }

  /// Connects, and stays as it is: calls on the descriptor wait.
  package static func connect(host: String = "127.0.0.1", port: UInt16) throws(Failure) -> Int32 {
    let address = try Address(host, port)
    let descriptor = try make(address)
    guard address.withPointer({ systemConnect(descriptor, $0, $1) }) == 0,
      fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
    else {
      let failure = Failure("connect to \(host)")
      close(descriptor)
      throw failure
    }
    silence(descriptor)
    return descriptor
  }

  /// The next waiting connection, or `nil` when there is none that can be had.
  package static func accept(_ listener: Int32) -> Int32? {
    let descriptor = systemAccept(listener)
    guard descriptor >= 0 else { return nil }
    guard configure(descriptor) else {
      close(descriptor)
      return nil
    }
    set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, Int32(1))
    silence(descriptor)
    return descriptor
  }

  package static func pipe() throws(Failure) -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    guard systemPipe(&ends) == 0 else { throw Failure("make a pipe") }
    guard configure(ends[0]), configure(ends[1]) else {
      let failure = Failure("configure a pipe")
      ends.forEach(close)
      throw failure
    }
    return (ends[0], ends[1])
  }

  // MARK: Using

  /// Wakes the thread that waits at the other end of a pipe. A full pipe wakes as well.
  package static func signal(_ descriptor: Int32) {
    var byte: UInt8 = 1
    _ = write(descriptor, &byte, 1)
  }

  /// Empties a pipe.
  package static func drain(_ descriptor: Int32) {
    var bytes = [UInt8](repeating: 0, count: 512)
    while read(descriptor, &bytes, bytes.count) > 0 {}
  }

  /// Waits until one of the descriptors is ready, and says which are.
  /// - Parameter milliseconds: how long at most; -1 waits as long as it takes.
  package static func wait(_ entries: [(descriptor: Int32, forOutput: Bool)], milliseconds: Int32) -> Set<Int32> {
    var polled = entries.map {
      pollfd(fd: $0.descriptor, events: Int16($0.forOutput ? POLLOUT : POLLIN), revents: 0)
    }
    guard poll(&polled, nfds_t(polled.count), milliseconds) > 0 else { return [] }
    return Set(polled.lazy.filter { $0.revents != 0 }.map(\.fd))
  }

  package static func receive(_ descriptor: Int32, into buffer: inout [UInt8]) -> Outcome {
    outcome(recv(descriptor, &buffer, buffer.count, 0))
  }

  package static func send(_ descriptor: Int32, _ bytes: some ContiguousBytes) -> Outcome {
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    return outcome(bytes.withUnsafeBytes { systemSend(descriptor, $0, flags) })
  }

  // MARK: Ending

  /// Says that nothing more will be sent, so that the peer reads to the end.
  package static func finish(_ descriptor: Int32) {
    _ = shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Closes a connection so that its peer sees a reset.
  package static func reset(_ descriptor: Int32) {
    set(descriptor, SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0))
    close(descriptor)
  }

  package static func close(_ descriptor: Int32) {
    _ = systemClose(descriptor)
  }

  // MARK: Inside

  private static func make(_ address: Address) throws(Failure) -> Int32 {
    #if canImport(Glibc)
      let descriptor = socket(address.family, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let descriptor = socket(address.family, SOCK_STREAM, 0)
    #endif
    guard descriptor >= 0 else { throw Failure("make a socket") }
    return descriptor
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

  /// Lets writing to a peer that has gone fail instead of ending the program.
  private static func silence(_ descriptor: Int32) {
    #if canImport(Darwin)
      set(descriptor, SOL_SOCKET, SO_NOSIGPIPE, Int32(1))
    #endif
  }

  private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: some BitwiseCopyable) {
    withUnsafeBytes(of: value) {
      _ = setsockopt(descriptor, level, option, $0.baseAddress, socklen_t($0.count))
    }
  }

  /// An address as the system takes it.
  private struct Address {
    let family: Int32
    private let bytes: [UInt8]

    init(_ host: String, _ port: UInt16) throws(Failure) {
      var four = sockaddr_in()
      var six = sockaddr_in6()
      if inet_pton(AF_INET, host, &four.sin_addr) == 1 {
        four.sin_family = sa_family_t(AF_INET)
        four.sin_port = port.bigEndian
        #if canImport(Darwin)
          four.sin_len = UInt8(MemoryLayout<sockaddr_in>.size)
        #endif
        family = AF_INET
        bytes = withUnsafeBytes(of: four) { Array($0) }
      } else if inet_pton(AF_INET6, host, &six.sin6_addr) == 1 {
        six.sin6_family = sa_family_t(AF_INET6)
        six.sin6_port = port.bigEndian
        #if canImport(Darwin)
          six.sin6_len = UInt8(MemoryLayout<sockaddr_in6>.size)
        #endif
        family = AF_INET6
        bytes = withUnsafeBytes(of: six) { Array($0) }
      } else {
        throw Failure("understand the address \"\(host)\"", code: EINVAL)
      }
    }

    func withPointer(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
      // Room for any address, so that it is aligned as each of them has to be.
      var storage = sockaddr_storage()
      withUnsafeMutableBytes(of: &storage) { $0.copyBytes(from: bytes) }
      return withUnsafePointer(to: storage) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(bytes.count)) }
      }
    }

    /// The port that a socket is bound to.
    static func port(of descriptor: Int32) -> Int? {
      var storage = sockaddr_storage()
      var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
      let result = withUnsafeMutablePointer(to: &storage) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
      }
      guard result == 0 else { return nil }
      return withUnsafeBytes(of: storage) { bytes in
        Int32(storage.ss_family) == AF_INET6
          ? Int(UInt16(bigEndian: bytes.loadUnaligned(as: sockaddr_in6.self).sin6_port))
          : Int(UInt16(bigEndian: bytes.loadUnaligned(as: sockaddr_in.self).sin_port))
      }
    }
  }
}

// The system's calls whose names the methods above hide.
private func systemBind(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
  bind(descriptor, address, length)
}
private func systemConnect(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
  connect(descriptor, address, length)
}
private func systemListen(_ descriptor: Int32, _ backlog: Int32) -> Int32 { listen(descriptor, backlog) }
private func systemAccept(_ descriptor: Int32) -> Int32 { accept(descriptor, nil, nil) }
private func systemPipe(_ ends: UnsafeMutablePointer<Int32>) -> Int32 { pipe(ends) }
private func systemSend(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, _ flags: Int32) -> Int {
  send(descriptor, bytes.baseAddress, bytes.count, flags)
}
private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }
