internal import OstiaryCore

/// Ports of this machine, for tests that start servers which have to be told one.
public enum LoopbackPort {
  /// What this process was given: another test may be about to listen there.
  private static let given = Locked<Set<Int>>([])

  /// A port of `127.0.0.1` that is free, below those that the system gives to connections: between choosing one of those
  /// and the server's start another test might get it. Of a process no caller soon gets
  /// one that another has got.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `internalError` when none was found.
  public static func free() throws -> Int {
    for _ in 0..<200 {
      let port = Int.random(in: 15_000..<30_000)
      let isNew = given.withLock { given in
        // Those of long ago are free again, or not free.
        if given.count > 5_000 { given = [] }
        return given.insert(port).inserted
      }
      if isNew, let listener = try? LoopbackSocket.listen(host: "127.0.0.1", port: UInt16(port), backlog: 1) {
        LoopbackSocket.close(listener.descriptor)
        return port
      }
    }
    throw OstiaryError(.internalError, "No free port was found.")
  }

  /// Whether a program listens on a port of `127.0.0.1`.
  public static func isListening(_ port: Int) -> Bool {
    guard let port = UInt16(exactly: port), let descriptor = try? LoopbackSocket.connect(port: port) else {
      return false
    }
    LoopbackSocket.close(descriptor)
    return true
  }
}
