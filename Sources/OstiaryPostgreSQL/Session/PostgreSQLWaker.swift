#if PostgreSQL
  import OstiaryCore

  /// Wakes a thread that waits in ``PostgreSQLSession/waitForNews(until:waker:)``.
  public final class PostgreSQLWaker: Sendable {
    private let ends: (read: Int32, write: Int32)

    /// Makes one.
    /// - Throws: `cannotConnect` if the process has no room for more files.
    public init() throws(PostgreSQLFailure) {
      do {
        ends = try LoopbackSocket.pipe()
      } catch {
        throw PostgreSQLFailure(.cannotConnect, message: error.description)
      }
    }

    deinit {
      LoopbackSocket.close(ends.read)
      LoopbackSocket.close(ends.write)
    }

    /// Wakes the thread, or the next one that waits. Never blocks.
    public func wake() { LoopbackSocket.signal(ends.write) }

    /// Waits until it is woken.
    public func wait(until deadline: ContinuousClock.Instant) {
      if SocketPoll.wait(ends.read, writing: false, until: deadline) { LoopbackSocket.drain(ends.read) }
    }

    /// Waits for a socket to become readable as well, and forgets that it was woken.
    /// - Returns: whether something came in time.
    func wait(for socket: CInt, until deadline: ContinuousClock.Instant) -> Bool {
      let isReady = SocketPoll.wait([socket, ends.read], until: deadline)
      LoopbackSocket.drain(ends.read)
      return isReady
    }
  }
#endif
