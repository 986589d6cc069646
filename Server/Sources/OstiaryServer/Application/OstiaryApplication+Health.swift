import NIOCore
import NIOPosix

extension OstiaryApplication {
  /// Whether the server itself works, for a supervisor that would start it again: it listens, each of the threads of its connections
  /// takes work, and the storage in this process answers.
  ///
  /// An error of the storage is an answer, and a server that is alive may not be ready: a full disk, or a database that is away, is
  /// not mended by another start. While a thread or the storage hangs, there is no result.
  package var isAlive: Bool {
    get async {
      guard let listener, !listener.isLost, listener.channel?.isActive == true else { return false }
      for loop in Self.loops {
        guard (try? await loop.submit {}.get()) != nil else { return false }
      }
      // PostgreSQL may be on another machine, and a call of it that gets no answer waits for as long as the network lets it: a restart
      // of this server mends neither.
      if storage.isShared { return true }
      _ = try? await identity.user(id: "")
      return true
    }
  }

  /// The threads of the connections.
  private static var loops: [any EventLoop] {
    var loops: [any EventLoop] = []
    for loop in MultiThreadedEventLoopGroup.singleton.makeIterator() { loops.append(loop) }
    return loops
  }
}
