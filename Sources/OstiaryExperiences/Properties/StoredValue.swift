internal import Foundation
internal import OstiaryCore

/// What rests in a store, perhaps with parts that don't.
protocol StoredContent: Codable, Sendable {
  /// The person whom it is about; `nil` where it is about none.
  var person: String? { get }
  /// Whether it is about another person than what was done since.
  var isOfAnother: Bool { get }
  /// Takes what does not rest in a store from the value that this one, another process's, replaces. What was done since is
  /// done again afterwards.
  /// - Parameter person: whom what the store held before was about.
  mutating func takeOver(from former: Self, about person: String?)
  /// What was done since has been done again.
  mutating func endTakeOver()
}

extension StoredContent {
  var person: String? { nil }
  var isOfAnother: Bool { false }
  mutating func takeOver(from former: Self, about person: String?) {}
  mutating func endTakeOver() {}
}

/// A value that rests in a store and can be read and changed by many tasks and processes at once.
///
/// Changes made before the store could be read are made again on what it held, so that an app need not wait for it and
/// nothing is overwritten. So are those that don't rest in the store yet when another process has written there. What is
/// damaged or of a later version is taken for nothing; what can't be read *now* is waited for. What other processes have
/// written is seen when this one writes.
final class StoredValue<Value: StoredContent>: Sendable {
  private struct State {
    var value: Value
    var hasRead = false
    /// What was done since the store held what it is believed to hold, oldest first.
    var steps: [Step] = []
    /// How many of the steps may be forgotten if there are many.
    var passing = 0
    /// What the store is believed to hold.
    var expected = StoreExpectation.nothing
    /// Whom that is about.
    var person: String?
    /// What was last tried to be written. A write that has failed may have been done all the same.
    var attempted: Attempted?
    /// How many changes there were, and how many of them rest in the store.
    var changes: UInt64 = 0
    var saved: UInt64 = 0
    var writing: SharedWork<Void>?
    /// How often in a row the store could not be written.
    var failures = 0
    var waitsToWrite = false
  }

  private struct Attempted: Sendable {
    let data: Data
    let change: UInt64
    let person: String?
  }

  private struct Step: Sendable {
    enum Kind: Sendable {
      case change, passingChange, personalChange, look
    }
    let kind: Kind
    /// The number of the change; of a look, the number of the change before it.
    let number: UInt64
    let body: @Sendable (inout Value) -> Void
  }

  private let state: Locked<State>
  private let reading = SharedWork<Void>()
  private let rest: ValueRest<Value>
  private let replaced = Locked<ReplacementObserver>({ _, _, _ in })

  /// Is told the former value and the new one, and whether the store has been read for the first time.
  typealias ReplacementObserver = @Sendable (_ former: Value, _ value: Value, _ isFirst: Bool) -> Void

  /// How often in a row another process may be faster before the write is put off.
  private static var mostConflicts: Int { 100 }

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

  /// Sets what is told when what the store held has replaced the value, with the changes of this process made again.
  func onReplacement(_ observer: @escaping ReplacementObserver) {
    replaced.withLock { $0 = observer }
  }

  /// Waits until the store has been read.
  /// - Throws: `CancellationError`.
  func restore() async throws {
    try await reading.value()
  }

  /// Changes the value, now and where it rests. The change is made again on what the store turns out to hold, when it is
  /// first read and when another process was faster. What it returns then is thrown away.
  /// - Parameters:
  ///   - most: how many changes of this kind are kept for that, while the store can't be read or written; `nil` for all, also
  ///     where they are many.
  ///   - isPersonal: whether it is about the person who is there alone. It is not made again where another process has put
  ///     another person in their place.
  @discardableResult
  func update<Result: Sendable>(
    keeping most: Int? = nil, isPersonal: Bool = false, _ change: @escaping @Sendable (inout Value) -> Result
  ) -> Result {
    let (result, work) = state.withLock { state in
      let result = change(&state.value)
      state.changes += 1
      let kind: Step.Kind = isPersonal ? .personalChange : most == nil ? .change : .passingChange
      state.steps.append(Step(kind: kind, number: state.changes) { _ = change(&$0) })
      if let most {
        state.passing += 1
        Self.trim(&state, to: max(most, 1))
      }
      return (result, state.hasRead ? beginWriting(&state) : nil)
    }
    work.map(write)
    return result
  }

  private static func trim(_ state: inout State, to most: Int) {
    guard state.passing / 2 > most else { return }
    var superfluous = state.passing - most
    state.steps.removeAll { step in
      guard step.kind == .passingChange, superfluous > 0 else { return false }
      superfluous -= 1
      return true
    }
    state.passing = most
  }

  /// Looks at the value, now; and, if the store has not been read yet, at what it turns out to be at this point between the
  /// changes before and after.
  func look(_ look: @escaping @Sendable (Value) -> Void) {
    state.withLock { state in
      look(state.value)
      guard !state.hasRead else { return }
      state.steps.append(Step(kind: .look, number: state.changes) { look($0) })
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

  // MARK: Reading

  private func take(_ stored: StoredReading<Value>) {
    let (former, value, work) = state.withLock { state -> (Value, Value, SharedWork<Void>?) in
      let former = state.value
      // With nothing in the store, all has been done already to what there is.
      if let value = stored.value { Self.replay(&state, on: value) }
      state.hasRead = true
      state.steps.removeAll { $0.kind == .look }
      state.expected = stored.expectation
      state.person = stored.value?.person
      return (former, state.value, state.changes > 0 ? beginWriting(&state) : nil)
    }
    work.map(write)
    replaced.withLock { $0 }(former, value, true)
  }

  private static func replay(_ state: inout State, on stored: Value) {
    var value = stored
    state.steps.removeAll { step in
      if step.kind == .personalChange, value.isOfAnother { return true }
      step.body(&value)
      return false
    }
    value.endTakeOver()
    state.value = value
  }

  /// Another process has written: what it wrote is taken, and what was done here since is done to it.
  private func rebase() async throws {
    let stored = try await rest.read()
    let replacement = state.withLock { state -> (former: Value, value: Value)? in
      if let attempted = state.attempted, attempted.data == stored.data {
        Self.note(&state, attempted)
        return nil
      }
      let person = state.person
      state.expected = stored.expectation
      state.person = stored.value?.person
      guard var value = stored.value else { return nil }
      let former = state.value
      value.takeOver(from: former, about: person)
      Self.replay(&state, on: value)
      return (former, state.value)
    }
    if let replacement { replaced.withLock { $0 }(replacement.former, replacement.value, false) }
  }

  // MARK: Writing

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
        var conflicts = 0
        while let attempt = next() {
          let attempted = Attempted(
            data: try rest.encoded(attempt.value), change: attempt.change, person: attempt.value.person)
          state.withLock { $0.attempted = attempted }
          do {
            try await rest.save(attempted.data, replacing: attempt.expected)
            state.withLock { Self.note(&$0, attempted) }
            conflicts = 0
          } catch let error as OstiaryError where error.code == .storeConflict {
            conflicts += 1
            guard conflicts < Self.mostConflicts else {
              throw OstiaryError(
                .storeUnavailable, "Other processes write all the time.", advice: "It is tried again later.",
                requestMayHaveExecuted: false, underlying: error)
            }
            try await rebase()
          }
        }
      } catch {
        tryAgainLater()
        throw error
      }
    }
  }

  /// Notes that what was tried to be written rests in the store.
  private static func note(_ state: inout State, _ done: Attempted) {
    state.saved = max(state.saved, done.change)
    state.failures = 0
    state.expected = .exactly(done.data)
    state.person = done.person
    state.attempted = nil
    let saved = state.saved
    state.steps.removeAll { $0.number <= saved }
    state.passing = state.steps.count { $0.kind == .passingChange }
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

  private struct Attempt {
    let value: Value
    let change: UInt64
    let expected: StoreExpectation
  }

  /// What has to be written; ends the writer in the same step when there is nothing.
  private func next() -> Attempt? {
    state.withLock { state in
      guard state.saved < state.changes else {
        state.writing = nil
        return nil
      }
      return Attempt(value: state.value, change: state.changes, expected: state.expected)
    }
  }
}
