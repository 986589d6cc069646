#if PostgreSQL
  import Foundation
  import OstiaryCore

  /// Hears what others change in the table (`LISTEN`), so that a stamp can be told without asking the server.
  ///
  /// A stamp must never say "unchanged" of what has changed. So it says so only while the connection is known to be
  /// good (it is asked every few seconds), while nothing has arrived that has not been looked at, and, because news
  /// travels slower than the answer to the writer, while this listener holds a lock for which a remover waits: shared
  /// by all listeners, let go for as long as a removal is under way.
  final class PostgreSQLListener: Sendable {
    /// How long a removal counts as under way at most: longer than a remover waits.
    private static let removal = Duration.seconds(4)
    /// How many keys are remembered.
    private static let capacity = 10_000
    private static let longestPause = Duration.seconds(30)
    /// How long a save waits until it has been heard of.
    private static let patience = Duration.milliseconds(100)

    private enum Phase: Sendable {
      /// No caller has asked.
      case idle
      /// Before the first connection, or right after one was lost.
      case starting
      case listening(PostgreSQLSocket)
      /// There was no connection to be had.
      case failed
    }

    private struct State: Sendable {
      var phase = Phase.idle
      /// Raised whenever something may have been missed.
      var generation = UInt64.random(in: 1..<(1 << 62))
      /// How many changes of a key are known of. Counted, not compared: what is stored may become what it was, after a
      /// reader has read another value in between.
      var changes: [PostgreSQLPlace: UInt64] = [:]
      /// The saves of this store that are under way, and those of them that have been heard of: as which change.
      var saving: [UInt64: UInt64?] = [:]
      /// The saves of this store that are done, counted, and still to be heard of.
      var counted: Set<UInt64> = []
      /// Who waits to hear of them.
      var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
      /// Whether something has been taken from the connection and is not counted yet.
      var isBusy = false
      /// Whether removers wait for this listener.
      var isHoldingLock = false
      var goodUntil = ContinuousClock.now
      var unique: UInt64 = 0
      var hasEnded = false

      mutating func forget() {
        generation &+= 1
        changes = [:]
        saving = [:]
        counted = []
        for waiter in waiting.values { waiter.resume() }
        waiting = [:]
      }

      /// Counts a change.
      /// - Returns: which it is.
      @discardableResult
      mutating func count(_ place: PostgreSQLPlace) -> UInt64 {
        let change = (changes[place] ?? 0) + 1
        changes[place] = change
        return change
      }

      /// Whether what has been heard is all that there is to hear.
      func isSure() -> Bool {
        guard case .listening(let socket) = phase, !isBusy, isHoldingLock else { return false }
        return ContinuousClock.now < goodUntil && !socket.hasInput
      }
    }

    private let state = Locked(State())
    private let connect: @Sendable () async throws(OstiaryError) -> PostgreSQLConnection
    private let statements: PostgreSQLStatements
    private let pulse: Duration
    /// How long it is taken for good after it has answered.
    private var validity: Duration { pulse * 2.5 }

    /// Makes a listener. It does nothing before it is asked for a stamp.
    /// - Parameter pulse: how often the connection is asked whether it is good.
    init(
      _ statements: PostgreSQLStatements, pulse: Duration,
      _ connect: @escaping @Sendable () async throws(OstiaryError) -> PostgreSQLConnection
    ) {
      self.statements = statements
      self.pulse = pulse
      self.connect = connect
    }

    /// Closes the connection.
    func end() {
      state.withLock { state in
        state.hasEnded = true
        if case .listening(let socket) = state.phase { socket.hangUp() }
      }
    }

    // MARK: Stamps

    /// Whether a caller has asked for a stamp.
    var isWanted: Bool {
      state.withLock { state in if case .idle = state.phase { false } else { true } }
    }

    /// What stands for the present content of a key; equal to no other as long as that can't be told, and `nil` when
    /// there is no connection to be had.
    func stamp(of place: PostgreSQLPlace) -> StoreStamp? {
      let (stamp, isFirst) = state.withLock { state -> (StoreStamp?, Bool) in
        if state.isSure() { return (Self.stamp(state.changes[place] ?? 0, state), false) }
        switch state.phase {
        case .failed: return (nil, false)
        case .idle:
          state.phase = .starting
          return (Self.unique(&state), true)
        case .starting, .listening: return (Self.unique(&state), false)
        }
      }
      if isFirst { Task.detached { [self] in await run() } }
      return stamp
    }

    private static func stamp(_ change: UInt64, _ state: State) -> StoreStamp {
      StoreStamp(state.generation, change)
    }

    private static func unique(_ state: inout State) -> StoreStamp {
      state.unique &+= 1
      return StoreStamp(state.unique, 0, 1)
    }

    // MARK: Saves of this store's own

    /// Says that this store is about to save something, which it will also hear of.
    func begin(_ save: UInt64) {
      state.withLock { $0.saving[save] = .some(nil) }
    }

    /// Says that it has been saved, or not. News comes in the order of the changes: where this one has not been heard of
    /// yet, nothing later has been.
    /// - Returns: the stamp for it.
    @discardableResult
    func end(_ save: UInt64, at place: PostgreSQLPlace, isSaved: Bool) -> StoreStamp? {
      state.withLock { state in
        guard let heard = state.saving.removeValue(forKey: save), isSaved, case .listening = state.phase else {
          return nil
        }
        if let heard { return Self.stamp(heard, state) }
        state.counted.insert(save)
        return Self.stamp(state.count(place), state)
      }
    }

    /// Waits until one of these saves has been heard of, but not long: it only spares the next request a look.
    func hear(_ save: UInt64) async {
      guard state.withLock({ $0.counted.contains(save) }) else { return }
      let timer = Locked<Task<Void, any Error>?>(nil)
      await withCheckedContinuation { continuation in
        let isHeard = state.withLock { state in
          if state.counted.contains(save) { state.waiting[save] = continuation }
          return state.waiting[save] == nil
        }
        guard !isHeard else { return continuation.resume() }
        timer.withLock { timer in
          timer = Task { [self] in
            try await Task.sleep(for: Self.patience)
            state.withLock { $0.waiting.removeValue(forKey: save) }?.resume()
          }
        }
      }
      timer.withLock { $0?.cancel() }
    }

    // MARK: Listening

    private func run() async {
      var pause = Duration.seconds(1)
      while !state.withLock({ $0.hasEnded }) {
        var hasListened = false
        do {
          try await listen(&hasListened)
        } catch {}
        let isLost = hasListened
        state.withLock { state in
          state.forget()
          state.isHoldingLock = false
          state.isBusy = false
          // After a loss the next attempt follows at once; what it brings decides.
          state.phase = isLost ? .starting : .failed
        }
        if isLost {
          pause = .seconds(1)
        } else {
          try? await Task.sleep(for: pause)
          pause = min(pause * 2, Self.longestPause)
        }
      }
    }

    /// Listens until the connection breaks.
    /// - Parameter hasListened: whether it came to that.
    private func listen(_ hasListened: inout Bool) async throws(OstiaryError) {
      let connection = try await connect()
      let socket = try PostgreSQLSocket(of: connection)
      try await connection.send(statements.listen)
      // When it was last asked something that it has answered.
      var proof = ContinuousClock.now
      try await connection.send(statements.lockNews)
      hasListened = true
      state.withLock { state in
        state.forget()
        state.phase = .listening(socket)
        state.isHoldingLock = true
        state.goodUntil = proof + validity
      }
      // The removals whose removers wait until they are heard of, and when they are given up.
      var removals: [UInt64: ContinuousClock.Instant] = [:]
      var isHoldingLock = true
      while !state.withLock({ $0.hasEnded }) {
        // Otherwise there is an answer to give to what has just been heard.
        if isHoldingLock == removals.isEmpty, !socket.hasInput {
          _ = await SocketReadiness.wait(socket.descriptor, writing: false, limit: pulse)
        }
        state.withLock { $0.isBusy = true }
        note(try connection.news(), &removals)
        let start = ContinuousClock.now
        removals = removals.filter { $0.value > start }
        if isHoldingLock, !removals.isEmpty {
          isHoldingLock = false
          state.withLock { $0.isHoldingLock = false }
          try await connection.send(statements.unlockNews)
          proof = start
        } else if !isHoldingLock, removals.isEmpty {
          // What was removed before the lock is given arrives before the answer that says so.
          try await connection.send(statements.lockNews)
          proof = start
          isHoldingLock = true
        } else if start > proof + pulse {
          try await connection.send("SELECT 1")
          proof = start
        }
        note(try connection.news(), &removals)
        let (isHolding, good) = (isHoldingLock, proof + validity)
        state.withLock { state in
          state.isHoldingLock = isHolding
          state.isBusy = false
          state.goodUntil = good
        }
      }
    }

    private func note(_ news: [PostgreSQLNews?], _ removals: inout [UInt64: ContinuousClock.Instant]) {
      let end = ContinuousClock.now + Self.removal
      for case let item? in news {
        switch item {
        case .removed(_, let id), .removedAll(let id): removals[id] = end
        case .heard(let id): removals[id] = nil
        case .saved: break
        }
      }
      state.withLock { state in
        for item in news {
          switch item {
          case .saved(let place, let id):
            if state.counted.remove(id) != nil {
              state.waiting.removeValue(forKey: id)?.resume()
              continue
            }
            let change = state.count(place)
            if state.saving[id] != nil { state.saving[id] = .some(change) }
          case .removed(let place, _): state.count(place)
          case .heard: break
          // Also what a newer version says.
          case .removedAll, nil: state.forget()
          }
        }
        if state.changes.count > Self.capacity { state.forget() }
      }
    }
  }
#endif
