#if PostgreSQL
  extension PostgreSQLSession {
    /// What has been announced on the channels that this session listens to (`LISTEN`), in order, since the last
    /// call. Takes what has arrived and does not wait. Announcements reach a session between transactions only.
    public func takeNews() -> [PostgreSQLNotification] {
      guard !isOver else { return [] }
      // A connection that is broken may have brought some before that; its next use tells that it is broken.
      _ = handle.consume()
      return handle.notifications()
    }

    /// Waits until something has been announced.
    /// - Parameter waker: ends the wait before, if it is woken.
    /// - Returns: what; nothing when the deadline has passed, or the waker was woken.
    /// - Throws: `lost`.
    public func waitForNews(
      until deadline: ContinuousClock.Instant, waker: PostgreSQLWaker? = nil
    ) throws(PostgreSQLFailure) -> [PostgreSQLNotification] {
      try begin()
      while true {
        let isOpen = handle.consume()
        let news = handle.notifications()
        if !news.isEmpty { return news }
        guard isOpen else { throw lost() }
        if let waker {
          guard waker.wait(for: handle.socket, until: deadline) else { return [] }
          // Once more than it may have been needed: who is woken looks around anyway.
          return handle.consume() ? handle.notifications() : []
        }
        guard SocketPoll.wait(handle.socket, writing: false, until: deadline) else { return [] }
      }
    }
  }
#endif
