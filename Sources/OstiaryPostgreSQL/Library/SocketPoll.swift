#if PostgreSQL
  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// Waits for a socket on the calling thread.
  enum SocketPoll {
    /// The longest single wait: a deadline may be further away than `poll` can count.
    private static let longest = Duration.seconds(3600)

    /// Waits until there is something to read, or room to write if that is wanted, at most until `deadline`.
    /// - Returns: whether it came to that in time. Also when the socket is broken, which its next use tells.
    static func wait(_ socket: CInt, writing: Bool, until deadline: ContinuousClock.Instant) -> Bool {
      wait([pollfd(fd: socket, events: Int16(POLLIN) | (writing ? Int16(POLLOUT) : 0), revents: 0)], until: deadline)
    }

    /// Waits until there is something to read from one of several, at most until `deadline`.
    /// - Returns: whether it came to that in time, or one is broken.
    static func wait(_ sockets: [CInt], until deadline: ContinuousClock.Instant) -> Bool {
      wait(sockets.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }, until: deadline)
    }

    private static func wait(_ entries: [pollfd], until deadline: ContinuousClock.Instant) -> Bool {
      var watched = entries
      while true {
        let left = ContinuousClock.now.duration(to: deadline)
        guard left > .zero else { return false }
        let milliseconds = CInt((min(left, longest) / .milliseconds(1)).rounded(.up))
        let ready = poll(&watched, nfds_t(watched.count), milliseconds)
        if ready > 0 { return true }
        if ready < 0, errno != EINTR { return true }
      }
    }
  }
#endif
