internal import Foundation

/// The one question that asks a user for a stronger sign-in, as a value: inputs in, actions out.
///
/// | State | Input | Action |
/// |---|---|---|
/// | no question | demanded | ask; or wake at once: the sign-in is another by now, or a question has failed since the request was sent |
/// | a question | demanded | the caller waits for its outcome |
/// | a question about a sign-in that is over | demanded by a request of the next one | withdraw, wake all who wait, ask |
/// | a question | left | that caller waits no more; the question goes on |
/// | a question | answered, failed | wake all who wait |
/// | a question | withdrawn | withdraw it, and wake all who wait |
struct StepUpMachine: Sendable, Hashable {
  /// The question that is being asked.
  struct Question: Sendable, Hashable {
    /// Tells it from earlier ones: what comes of those is late.
    let number: UInt64
    /// The sign-in that is to be replaced by a stronger one.
    let lineage: UUID
    var callers: Set<UInt64>
  }

  enum Input: Sendable {
    /// A request met a demand.
    /// - shown: the sign-in that it carried.
    /// - current: the one that there is now.
    /// - failures: how many questions had failed when the request was sent.
    case demanded(caller: UInt64, shown: UUID, current: UUID?, failures: UInt64)
    /// A caller's task was cancelled.
    case left(caller: UInt64)
    /// A stronger sign-in has taken the session's place.
    case answered(number: UInt64)
    case failed(number: UInt64, OstiaryError)
    /// The app, the time that there was, or a sign-out has ended the question.
    case withdrawn(OstiaryError)
  }

  enum Action: Sendable, Hashable {
    case ask(number: UInt64, lineage: UUID)
    case withdraw(number: UInt64)
    case wake([UInt64], Result<Bool, OstiaryError>)
  }

  private(set) var question: Question?
  /// How many questions have failed. A request that was sent before one failed has had its question.
  private(set) var failures: UInt64 = 0
  private var last: OstiaryError?
  private var lastNumber: UInt64 = 0

  mutating func step(_ input: Input) -> [Action] {
    switch input {
    case .demanded(let caller, let shown, let current, let failures):
      return withdrawn(unlessAbout: shown, current) + demanded(caller, shown, current, failures)
    case .left(let caller):
      question?.callers.remove(caller)
      return []
    case .answered(let number):
      guard let question, question.number == number else { return [] }
      self.question = nil
      return [wake(question, .success(true))]
    case .failed(let number, let error):
      guard let question, question.number == number else { return [] }
      return [fail(question, error)]
    case .withdrawn(let error):
      guard let question else { return [] }
      return [.withdraw(number: question.number), fail(question, error)]
    }
  }

  private mutating func demanded(
    _ caller: UInt64, _ shown: UUID, _ current: UUID?, _ failures: UInt64
  ) -> [Action] {
    // A stronger sign-in may have come since the request was sent. The server tells whether it is strong enough.
    guard current == shown else { return [.wake([caller], .success(true))] }
    if failures != self.failures, let last { return [.wake([caller], .failure(last))] }
    guard question == nil else {
      question?.callers.insert(caller)
      return []
    }
    lastNumber &+= 1
    question = Question(number: lastNumber, lineage: shown, callers: [caller])
    return [.ask(number: lastNumber, lineage: shown)]
  }

  /// The sign-in that a question was about may be over, and the user have signed in again: those who wait look at that one.
  private mutating func withdrawn(unlessAbout shown: UUID, _ current: UUID?) -> [Action] {
    guard let question, current == shown, question.lineage != shown else { return [] }
    self.question = nil
    return [.withdraw(number: question.number), wake(question, .success(true))]
  }

  private mutating func fail(_ question: Question, _ error: OstiaryError) -> Action {
    self.question = nil
    failures &+= 1
    last = error
    return wake(question, .failure(error))
  }

  private func wake(_ question: Question, _ result: Result<Bool, OstiaryError>) -> Action {
    .wake(question.callers.sorted(), result)
  }
}
