internal import OstiaryCore

/// A question's completion was let go without a call: its answer can't come any more.
public struct CompletionAbandoned: Error, Sendable, Hashable {
  /// Makes the error.
  public init() {}
}

/// An answer that is given by calling something once, for apps that were written with completion handlers.
///
/// The first call counts; later ones are ignored. Dropping the last reference without a call abandons it, which ends
/// the wait as well. Calls may come from any thread, and before ``answer(to:)`` begins to wait.
///
/// ```swift
/// func logIn(with fields: [String: FieldValue]) async throws -> UserValidation {
///   try await Completion.answer { completion in oldCode.logIn(fields) { id in completion(.accepted(id)) } }
/// }
/// ```
public final class Completion<Value: Sendable>: Sendable {
  private let work: SharedWork<Value>

  private init(_ work: SharedWork<Value>) {
    self.work = work
  }

  deinit {
    work.finish(.failure(CompletionAbandoned()))
  }

  /// Gives the answer.
  /// - Returns: Whether it is the first, and a task may still wait for it.
  @discardableResult
  public func callAsFunction(_ value: Value) -> Bool {
    work.finish(.success(value))
  }

  /// Asks, and waits for the answer.
  /// - Parameter question: is called at once, with what to answer with.
  /// - Throws: ``CompletionAbandoned`` when that was dropped unused; `CancellationError`.
  public static func answer(to question: (Completion<Value>) -> Void) async throws -> Value {
    let work = SharedWork<Value>()
    question(Completion(work))
    return try await work.value()
  }
}
