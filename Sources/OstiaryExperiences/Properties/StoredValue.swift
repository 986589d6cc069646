internal import Foundation
internal import OstiaryCore

/// A value that rests in a store and can be read and changed by many tasks at once.
///
/// Changes made before the store could be read are made again on what it held, so that an app need not wait for it and
/// nothing is overwritten. What is damaged or of a later version is taken for nothing; what can't be read *now* is waited
/// for. One process at a time uses a key.
final class StoredValue<Value: Codable & Sendable>: Sendable {
  private struct State {
    var value: Value
    /// What has been changed before the store was read; `nil` afterwards.
    var unread: [@Sendable (inout Value) -> Void]? = []
    /// How many changes there were, and how many of them rest in the store.
    var changes: UInt64 = 0
    var saved: UInt64 = 0
    var writing: SharedWork<Void>?
    /// How often in a row the store could not be written.
    var failures = 0
    var waitsToWrite = false
  }

  private let state: Locked<State>
  private let reading = SharedWork<Void>()
  private let rest: ValueRest<Value>

  /// - Parameter value: what there is while the store holds nothing.
  init(_ value: Value, in rest: ValueRest<Value>) {
    state = Locked(State(value: value))
    self.rest = rest
    reading.launch { [weak self, rest] in
      let stored = try await rest.load()
      self?.take(stored)
    }
  }

  deinit {
    reading.abandon(with: CancellationError())
  }

  /// The value as far as is known.
  var value: Value { state.withLock { $0.value } }

  /// Waits until the store has been read.
  /// - Throws: `CancellationError`.
  func restore() async throws {
    try await reading.value()
  }

  /// Changes the value, now and where it rests. Before the store has been read the change is made twice: on what there is
  /// and on what was there. What the second time gives is thrown away.
  @discardableResult
  func update<Result: Sendable>(_ change: @escaping @Sendable (inout Value) -> Result) -> Result {
    let (result, work) = state.withLock { state in
      let result = change(&state.value)
      state.unread?.append { _ = change(&$0) }
      state.changes += 1
      return (result, state.unread == nil ? beginWriting(&state) : nil)
    }
    work.map(write)
    return result
  }

  /// Looks at the value, now; and, if the store has not been read yet, at what it turns out to be at this point between the
  /// changes before and after.
  func look(_ look: @escaping @Sendable (Value) -> Void) {
    state.withLock { state in
      look(state.value)
      state.unread?.append { look($0) }
    }
  }

  /// Waits until what has been changed so far rests in the store.
  /// - Throws: ``OstiaryError`` when it can't be written now; it is tried again later.
  func persist() async throws {
    try await restore()
    let changes = state.withLock { $0.changes }
    while true {
      let (work, isNew) = state.withLock { state -> (SharedWork<Void>?, Bool) in
        if state.saved >= changes { return (nil, false) }
        if let writing = state.writing { return (writing, false) }
        return (beginWriting(&state), true)
      }
      guard let work else { return }
      if isNew { write(work) }
      try await work.value()
    }
  }

  // MARK: Reading and writing

  private func take(_ stored: Value?) {
    let work = state.withLock { state -> SharedWork<Void>? in
      // With nothing in the store, all has been done already to what there is.
      var value = stored ?? state.value
      if stored != nil {
        for change in state.unread ?? [] { change(&value) }
      }
      state.unread = nil
      state.value = value
      return state.changes > 0 ? beginWriting(&state) : nil
    }
    work.map(write)
  }

  /// One writer at a time, which goes on until nothing has changed since it last wrote.
  private func beginWriting(_ state: inout State) -> SharedWork<Void>? {
    guard state.writing == nil else { return nil }
    let work = SharedWork<Void>()
    state.writing = work
    return work
  }

  private func write(_ work: SharedWork<Void>) {
    work.launch { [self] in
      do {
        while let (value, change) = next() {
          try await rest.save(value)
          state.withLock { state in
            state.saved = max(state.saved, change)
            state.failures = 0
          }
        }
      } catch {
        tryAgainLater()
        throw error
      }
    }
  }

  /// A value that a full disk or a locked store did not take is written again later, for as long as this object is in
  /// use. There is one timer, however often other tasks try meanwhile.
  private func tryAgainLater() {
    let failures = state.withLock { state -> Int? in
      state.writing = nil
      state.failures += 1
      guard !state.waitsToWrite else { return nil }
      state.waitsToWrite = true
      return state.failures
    }
    guard let failures else { return }
    Task { [weak self, rest] in
      try await rest.clock.sleep(for: rest.retry.delay(afterFailures: failures))
      self?.tryAgain()
    }
  }

  private func tryAgain() {
    let work = state.withLock { state in
      state.waitsToWrite = false
      return state.saved < state.changes ? beginWriting(&state) : nil
    }
    work.map(write)
  }

  /// What has to be written; ends the writer in the same step when there is nothing.
  private func next() -> (value: Value, change: UInt64)? {
    state.withLock { state in
      guard state.saved < state.changes else {
        state.writing = nil
        return nil
      }
      return (state.value, state.changes)
    }
  }
}

/// Where a value rests: a key of a store.
struct ValueRest<Value: Codable & Sendable>: Sendable {
  /// What a format's number stands before.
  private struct Envelope: Codable {
    var format: Int
    var content: Value
  }

  let store: any SessionStore
  let key: SessionKey
  let clock: any SessionClock
  let retry: RetryPolicy

  private static var format: Int { 1 }

  /// What rests there, if it is anything that can be used. A store that can't tell is asked again until it can.
  /// - Throws: `CancellationError`.
  func load() async throws -> Value? {
    var failures = 0
    while true {
      switch await store.load(key) {
      case .absent: return nil
      case .present(let data):
        guard let envelope = try? JSONDecoder().decode(Envelope.self, from: data) else { return nil }
        return envelope.format == Self.format ? envelope.content : nil
      // Kept aside by the store, which holds nothing now.
      case .unavailable(let error) where error.code == .storeCorrupt: return nil
      case .unavailable:
        failures += 1
        try await clock.sleep(for: retry.delay(afterFailures: failures))
      }
    }
  }

  func save(_ value: Value) async throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let data: Data
    do {
      data = try encoder.encode(Envelope(format: Self.format, content: value))
    } catch {
      throw OstiaryError(.internalError, "What is known of the user could not be encoded.", underlying: error)
    }
    try await store.save(data, for: key, replacing: .anything)
  }
}
