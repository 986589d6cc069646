internal import Foundation
internal import OstiaryCore

/// Holds the documents of several places, and carries out what their machines decide. A document that is held and fresh costs one
/// lock; all who wait for one share its fetch, which no caller's cancellation disturbs.
final class DocumentShelf<Place: Hashable & Sendable, Document: Sendable>: Sendable {
  typealias Machine = DocumentMachine<Document>

  private struct Entry: Sendable {
    var machine = Machine()
    var work: SharedWork<Machine.Delivery>?
  }

  private enum Step: Sendable {
    case use(Machine.Delivery)
    case join(SharedWork<Machine.Delivery>)
    case fetch(SharedWork<Machine.Delivery>, Machine.Copy?)
  }

  private let entries = Locked<[Place: Entry]>([:])
  private let clock: any SessionClock
  /// How many places are kept; the one that was confirmed longest ago goes first.
  private let capacity: Int

  init(clock: any SessionClock, capacity: Int = 256) {
    self.clock = clock
    self.capacity = capacity
  }

  /// The document of a place, as fresh as it is wanted.
  /// - Parameter fetch: asks the server; gets what is held.
  /// - Throws: what `fetch` failed with, when nothing is held; `CancellationError` when the caller is cancelled.
  func document(
    at place: Place, _ want: Machine.Want,
    fetch: @escaping @Sendable (Machine.Copy?) async -> Machine.Outcome
  ) async throws -> Machine.Delivery {
    switch step(place, want) {
    case .use(let delivery): return delivery
    case .join(let work): return try await work.value()
    case .fetch(let work, let copy):
      work.launch { [self] in
        let outcome = await fetch(copy)
        return try finish(place, outcome).get()
      }
      return try await work.value()
    }
  }

  /// What is held of a place, fresh or not; `nil` for nothing and for what is too old.
  func held(at place: Place) -> Document? {
    let now = clock.moment
    return entries.withLock { entries in
      guard let copy = entries[place]?.machine.copy,
        now.seconds(since: copy.confirmed) <= DocumentLifetime.kept
      else { return nil }
      return copy.document
    }
  }

  /// What is held of a place and fresh: one lock, and nothing to wait for.
  func fresh(at place: Place) -> Document? {
    let now = clock.moment
    return entries.withLock { $0[place]?.machine.fresh(at: now) }
  }

  private func step(_ place: Place, _ want: Machine.Want) -> Step {
    let now = clock.moment
    return entries.withLock { entries in
      switch entries[place, default: Entry()].machine.want(want, at: now) {
      case .use(let delivery): return .use(delivery)
      case .join:
        // What is under way has its work.
        if let work = entries[place]?.work { return .join(work) }
        return Self.begin(&entries, place, nil)
      case .fetch(let copy): return Self.begin(&entries, place, copy)
      }
    }
  }

  private static func begin(_ entries: inout [Place: Entry], _ place: Place, _ copy: Machine.Copy?) -> Step {
    let work = SharedWork<Machine.Delivery>()
    entries[place]?.work = work
    return .fetch(work, copy)
  }

  private func finish(_ place: Place, _ outcome: Machine.Outcome) -> Result<Machine.Delivery, any Error> {
    let now = clock.moment
    return entries.withLock { entries in
      let result = entries[place, default: Entry()].machine.finish(outcome, at: now)
      entries[place]?.work = nil
      Self.shrink(&entries, to: capacity)
      return result
    }
  }

  private static func shrink(_ entries: inout [Place: Entry], to capacity: Int) {
    while entries.count > capacity {
      let idle = entries.filter { $0.value.work == nil }
      let oldest = idle.min { age($0.value) < age($1.value) }
      guard let oldest else { return }
      entries[oldest.key] = nil
    }
  }

  /// When an entry was confirmed; one that holds nothing goes first.
  private static func age(_ entry: Entry) -> Date { entry.machine.copy?.confirmed.wall ?? .distantPast }
}
