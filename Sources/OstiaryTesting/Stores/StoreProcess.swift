#if os(macOS) || os(Linux)
  public import Foundation
  public import OstiaryCore

  /// A handle on a store in another process, for ``StoreCheck/run(within:outage:otherProcess:_:)``.
  ///
  /// The program opens the same place and calls ``serve(_:)``. Each call here is made there; a stamp can't travel, so there is
  /// none.
  public final class StoreProcess: StoreOfOtherProcess {
    private typealias Waiter = CheckedContinuation<StoreMessage, any Error>

    private struct State: Sendable {
      var last = 0
      var waiters: [Int: Waiter] = [:]
      var hasEnded = false
    }

    private let process: ChildProcess
    private let input: FileHandle
    private let state = Locked(State())
    private let writing = Locked(())

    /// Starts a program that serves the store.
    /// - Throws: what starting it throws.
    public init(_ executable: URL, _ arguments: [String] = [], environment: [String: String]? = nil) throws {
      process = try ChildProcess(executable, arguments, environment: environment, input: .pipe, output: .pipe)
      guard let input = process.input, let output = process.output else {
        throw StoreCheckFailure("The other process has no pipes.")
      }
      self.input = input
      Thread.detachNewThread { [weak self] in
        StoreMessage.readLines(output) { self?.take($0) }
        self?.end()
      }
    }

    deinit {
      process.kill()
    }

    /// Kills the process, and waits until it is gone.
    package func kill() async {
      process.kill()
      _ = await process.status()
    }

    /// Serves a store to the process that has started this one, until its input ends.
    public static func serve(_ store: any SessionStore) async {
      await StoreServer(store).run()
    }

    // MARK: Messages

    private func take(_ answer: StoreMessage) {
      state.withLock { $0.waiters.removeValue(forKey: answer.id) }?.resume(returning: answer)
    }

    private func end() {
      let waiters = state.withLock { state in
        defer { state.waiters = [:] }
        state.hasEnded = true
        return state.waiters.values
      }
      for waiter in waiters { waiter.resume(throwing: Self.gone) }
    }

    private static var gone: OstiaryError { OstiaryError(.storeUnavailable, "The other process has ended.") }

    private func send(_ message: StoreMessage) {
      writing.withLock { _ in try? input.write(contentsOf: message.line) }
    }

    private func call(_ message: StoreMessage) async throws -> StoreMessage {
      let id = state.withLock { state in
        state.last += 1
        return state.last
      }
      var message = message
      message.id = id
      let request = message
      // An operation is done also in a cancelled task; only waiting for exclusive access can be given up.
      let answer = try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { (waiter: Waiter) in
          let isOpen = state.withLock { state in
            if !state.hasEnded { state.waiters[id] = waiter }
            return !state.hasEnded
          }
          guard isOpen else { return waiter.resume(throwing: Self.gone) }
          send(request)
          if request.action == .enter, Task.isCancelled { send(StoreMessage(.cancel, access: id)) }
        }
      } onCancel: {
        if request.action == .enter { send(StoreMessage(.cancel, access: id)) }
      }
      if let error = answer.error { throw error.restored }
      return answer
    }

    // MARK: SessionStore

    public func load(_ key: SessionKey) async -> StoreReading {
      do {
        let answer = try await call(StoreMessage(.load, key))
        return answer.data.map(StoreReading.present) ?? .absent
      } catch {
        return .unavailable(error as? OstiaryError ?? Self.gone)
      }
    }

    public func save(_ data: Data, for key: SessionKey, replacing expected: StoreExpectation) async throws {
      _ = try await call(StoreMessage(.save, key, data, expected))
    }

    public func remove(_ key: SessionKey, ifHolding expected: StoreExpectation) async throws {
      _ = try await call(StoreMessage(.remove, key, nil, expected))
    }

    public func end(_ key: SessionKey, with entry: Data, ifHolding expected: StoreExpectation) async throws {
      _ = try await call(StoreMessage(.end, key, entry, expected))
    }

    public func accounts() async throws -> [SessionKey] {
      try await call(StoreMessage(.accounts)).keys?.map { SessionKey($0) } ?? []
    }

    public func removeAll() async throws {
      _ = try await call(StoreMessage(.removeAll))
    }

    public func withExclusiveAccess<Result: Sendable>(
      to key: SessionKey, patience: Duration, _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
      var message = StoreMessage(.enter, key)
      message.patience = patience.seconds
      let entered = try await call(message)
      let result: Swift.Result<Result, any Error>
      do { result = .success(try await body()) } catch { result = .failure(error) }
      _ = try? await call(StoreMessage(.leave, access: entered.id))
      return try result.get()
    }
  }

  /// The other end of a ``StoreProcess``.
  private final class StoreServer: Sendable {
    private struct Access: Sendable {
      let task: Task<Void, Never>
      let leaving: Gate
      let left: Gate
    }

    private let store: any SessionStore
    private let accesses = Locked<[Int: Access]>([:])
    private let writing = Locked(())

    init(_ store: any SessionStore) {
      self.store = store
    }

    func run() async {
      let requests = AsyncStream<StoreMessage> { continuation in
        Thread.detachNewThread {
          StoreMessage.readLines(.standardInput) { continuation.yield($0) }
          continuation.finish()
        }
      }
      for await request in requests {
        switch request.action {
        case .enter: enter(request)
        case .cancel: accesses.withLock { $0[request.access ?? 0] }?.task.cancel()
        case .leave: Task { await leave(request) }
        default: Task { await answer(request) }
        }
      }
    }

    private func reply(_ message: StoreMessage) {
      writing.withLock { _ in try? FileHandle.standardOutput.write(contentsOf: message.line) }
    }

    private func enter(_ request: StoreMessage) {
      let (leaving, left) = (Gate(), Gate())
      accesses.withLock { accesses in
        let task = Task { [self] in
          var answer = StoreMessage(.enter, id: request.id)
          do {
            try await store.withExclusiveAccess(
              to: SessionKey(request.key ?? ""), patience: .seconds(request.patience ?? 0)
            ) {
              reply(StoreMessage(.enter, id: request.id))
              // Leaving is said also where the task was cancelled too late.
              await Task.detached { try? await leaving.pass() }.value
            }
          } catch {
            answer.error = StoreMessage.Failure(error)
            reply(answer)
          }
          left.open()
        }
        accesses[request.id] = Access(task: task, leaving: leaving, left: left)
      }
    }

    private func leave(_ request: StoreMessage) async {
      let access = accesses.withLock { $0.removeValue(forKey: request.access ?? 0) }
      access?.leaving.open()
      try? await access?.left.pass()
      reply(StoreMessage(.leave, id: request.id))
    }

    private func answer(_ request: StoreMessage) async {
      var answer = StoreMessage(request.action, id: request.id)
      let key = SessionKey(request.key ?? "")
      do {
        switch request.action {
        case .load:
          switch await store.load(key) {
          case .absent: break
          case .present(let data): answer.data = data
          case .unavailable(let error): throw error
          }
        case .save: try await store.save(request.data ?? Data(), for: key, replacing: request.expectation)
        case .remove: try await store.remove(key, ifHolding: request.expectation)
        case .end: try await store.end(key, with: request.data ?? Data(), ifHolding: request.expectation)
        case .accounts: answer.keys = try await store.accounts().map(\.name)
        case .removeAll: try await store.removeAll()
        case .enter, .leave, .cancel: break
        }
      } catch {
        answer.error = StoreMessage.Failure(error)
      }
      reply(answer)
    }
  }
#endif
