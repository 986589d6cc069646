#if PostgreSQL
  import CPQ

  /// Interrupts a session from another thread.
  public final class PostgreSQLInterrupter: Sendable {
    /// The address of libpq's `PGcancel`, as a number because pointers can't be sent between threads. `PQcancel` only
    /// reads it.
    private let address: UInt

    init(_ handle: PostgreSQLHandle) {
      address = UInt(bitPattern: handle.canceller())
    }

    deinit {
      PQfreeCancel(OpaquePointer(bitPattern: address))
    }

    /// Asks the server to give up the statement that the session is at (`57014`); between statements nothing happens.
    /// It may come too late, and so reach the next statement. Blocks while it connects to the server.
    /// - Returns: whether the server has been asked.
    @discardableResult
    public func interrupt() -> Bool {
      var message = [CChar](repeating: 0, count: 256)
      return PQcancel(OpaquePointer(bitPattern: address), &message, CInt(message.count)) == 1
    }
  }
#endif
