internal import Foundation
internal import OstiaryCore

/// A runner's machine and what carries out what the machine decides. Guarded by the runner's lock; nothing here runs the
/// app's code, which is what tasks do.
struct RunnerState: Sendable {
  var machine: RunnerMachine
  /// How many steps the machine has taken.
  var steps: UInt64 = 0
  var observers: [UInt64: AsyncStream<ExperienceSnapshot>.Continuation] = [:]
  private var delegate: (any ExperienceDelegate)?
  private let ending: SharedWork<ExperienceOutcome>
  private var nextObserver: UInt64 = 0
  private var questions: [UInt64: Task<Void, Never>] = [:]
  /// The last notice to the app. What comes later waits for it, so that all come in their order.
  private var lastNotice: NoticeInProgress?
  /// The last event for statistics. Only later ones and the outcome wait for it.
  private var lastEvent: NoticeInProgress?

  init(machine: RunnerMachine, delegate: (any ExperienceDelegate)?, ending: SharedWork<ExperienceOutcome>) {
    self.machine = machine
    self.delegate = delegate
    self.ending = ending
  }

  mutating func observe(_ continuation: AsyncStream<ExperienceSnapshot>.Continuation) -> UInt64 {
    let snapshot = machine.snapshot()
    continuation.yield(snapshot)
    nextObserver += 1
    if snapshot.outcome == nil { observers[nextObserver] = continuation } else { continuation.finish() }
    return nextObserver
  }

  /// Carries out what the machine has decided since the last time.
  /// - Returns: What is to be let go once the lock is free: both may run code of the app's.
  mutating func carryOut(_ inputs: Inputs) -> Leftovers {
    var leftovers = Leftovers()
    let outputs = machine.takeOutputs()
    guard !outputs.isEmpty else { return leftovers }
    for output in outputs {
      switch output {
      case .ask(let ticket, let question): ask(question, ticket, inputs)
      case .cancel(let ticket): questions.removeValue(forKey: ticket)?.cancel()
      case .answered(let ticket): questions[ticket] = nil
      case .tell(let notice): tell(notice)
      case .finish(let outcome):
        leftovers.delegate = delegate
        finish(outcome)
      case .draw: break
      }
    }
    guard !observers.isEmpty else { return leftovers }
    let snapshot = machine.snapshot()
    for observer in observers.values { observer.yield(snapshot) }
    if snapshot.outcome != nil {
      leftovers.observers = Array(observers.values)
      observers = [:]
    }
    return leftovers
  }

  /// What a question needs of the machine.
  struct Inputs: Sendable {
    /// Whether it may be asked now.
    let mayAsk: @Sendable (UInt64) -> Bool
    /// Takes its answer.
    let receive: @Sendable (UInt64, RunnerAnswer) -> Void
  }

  /// What the runner has no use for any more.
  struct Leftovers: Sendable {
    var observers: [AsyncStream<ExperienceSnapshot>.Continuation] = []
    var delegate: (any ExperienceDelegate)?
  }

  private mutating func ask(_ question: RunnerQuestion, _ ticket: UInt64, _ inputs: Inputs) {
    let (delegate, before) = (delegate, lastNotice)
    questions[ticket] = Task {
      await before?.waitUntilTold()
      // The experience may have been closed, or the user logged out, while notices were delivered.
      guard inputs.mayAsk(ticket) else { return }
      inputs.receive(ticket, await question.answer(from: delegate))
    }
  }

  private mutating func tell(_ notice: RunnerNotice) {
    guard let delegate else { return }
    let told = NoticeInProgress()
    var before = [lastNotice]
    if case .event = notice {
      before.append(lastEvent)
      lastEvent = told
    } else {
      lastNotice = told
    }
    Task { [before] in
      for notice in before { await notice?.waitUntilTold() }
      await told.deliver { await notice.tell(delegate) }
    }
  }

  private mutating func finish(_ outcome: ExperienceOutcome) {
    let (before, ending) = ([lastNotice, lastEvent], ending)
    delegate = nil
    lastNotice = nil
    lastEvent = nil
    Task {
      for notice in before { await notice?.waitUntilTold() }
      ending.finish(.success(outcome))
    }
  }

  /// The runner is gone.
  mutating func abandon() {
    for task in questions.values { task.cancel() }
    for observer in observers.values { observer.finish() }
    questions = [:]
    observers = [:]
  }
}
