#if PostgreSQL
  import Dispatch
  import OstiaryCore

  /// Waits for a socket without blocking a thread.
  enum SocketReadiness {
    /// Waits until there is something to read, or room to write if that is wanted, at most `limit`.
    /// - Returns: whether it came to that in time.
    static func wait(_ socket: CInt, writing: Bool, limit: Duration) async -> Bool {
      let queue = DispatchQueue(label: "ostiary.socket")
      let read = DispatchSource.makeReadSource(fileDescriptor: socket, queue: queue)
      let write = writing ? DispatchSource.makeWriteSource(fileDescriptor: socket, queue: queue) : nil
      let timer = DispatchSource.makeTimerSource(queue: queue)
      timer.schedule(deadline: .now() + max(0, limit.seconds))
      let sources: [any DispatchSourceProtocol] = [read, timer] + (write.map { [$0] } ?? [])

      let isReady = Locked(false)
      // The socket may be closed only when no source watches it any more.
      let watching = DispatchGroup()
      return await withCheckedContinuation { continuation in
        for source in sources {
          watching.enter()
          source.setCancelHandler { watching.leave() }
          source.setEventHandler {
            isReady.withLock { $0 = true }
            for source in sources { source.cancel() }
          }
        }
        timer.setEventHandler { for source in sources { source.cancel() } }
        watching.notify(queue: queue) { continuation.resume(returning: isReady.withLock { $0 }) }
        for source in sources { source.activate() }
      }
    }
  }
#endif
