#if PostgreSQL
  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif
  import OstiaryCore

  /// A second descriptor of a connection's socket. It stays the same socket when libpq changes its own, so that any
  /// thread may use it.
  final class PostgreSQLSocket: Sendable {
    let descriptor: CInt

    /// - Throws: ``OstiaryError`` `storeUnavailable` when there is none, or no room for another.
    init(of connection: PostgreSQLConnection) throws(OstiaryError) {
      descriptor = fcntl(connection.socket, F_DUPFD_CLOEXEC, 0)
      guard descriptor >= 0 else { throw .postgreSQLLost("no descriptor is free") }
    }

    deinit {
      close(descriptor)
    }

    /// Whether something has arrived that libpq has not taken.
    var hasInput: Bool {
      var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      return poll(&watched, 1, 0) != 0
    }

    /// Ends the connection. A task that waits for something to arrive sees its end.
    func hangUp() {
      _ = shutdown(descriptor, CInt(SHUT_RDWR))
    }
  }
#endif
