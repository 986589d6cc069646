package import Foundation
import OstiaryCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

/// Kills or stops this very process at a step of its work.
package final class StepTrap: Sendable {
  /// Where, and what happens.
  package struct Trap: Codable, Sendable {
    package enum Place: Codable, Sendable {
      /// At this step, the first time that it is come to, or the first time after another one.
      case step(String, after: String? = nil)
      /// At this step, when it is come to so many times since the trap was set.
      case occurrence(String, Int)
      /// At the step of this number since the trap was set, whichever it is; the first has the number 1.
      case number(Int)
    }

    package var place: Place
    /// `SIGKILL` or `SIGSTOP`.
    package var signal: Int32
    /// A file that is there once one of several processes has gone into the trap; the others go free.
    package var token: String?

    package init(_ place: Place, signal: Int32, token: String? = nil) {
      self.place = place
      self.signal = signal
      self.token = token
    }
  }

  private struct State: Sendable {
    var trap: Trap?
    var steps: [String] = []
    /// Store operations that have begun and not ended.
    var operations = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Locked(State())
  /// Where each step is written before it is passed, for those who outlive this process.
  private let log: FileHandle?

  /// - Parameter log: a file that is there, and gets a line a step.
  package init(log: URL? = nil) throws {
    self.log = try log.map { try FileHandle(forWritingTo: $0) }
  }

  /// The steps since the trap was set.
  package var steps: [String] { state.withLock { $0.steps } }

  /// Sets a trap, or takes it away, and forgets the steps.
  package func arm(_ trap: Trap?) {
    state.withLock { state in
      state.trap = trap
      state.steps = []
    }
  }

  /// Runs an operation of the store. ``waitForQuiet()`` waits until it has ended.
  package func during<Result: Sendable>(_ operation: () async throws -> Result) async rethrows -> Result {
    state.withLock { $0.operations += 1 }
    defer {
      let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
        state.operations -= 1
        guard state.operations == 0 else { return [] }
        defer { state.waiting = [] }
        return state.waiting
      }
      for continuation in waiting { continuation.resume() }
    }
    return try await operation()
  }

  /// Waits until no store operation is under way. Exclusive access is let go after callers have their answer.
  package func waitForQuiet() async {
    await withCheckedContinuation { continuation in
      let isQuiet = state.withLock { state in
        guard state.operations > 0 else { return true }
        state.waiting.append(continuation)
        return false
      }
      if isQuiet { continuation.resume() }
    }
  }

  /// Passes a step, or does not.
  package func pass(_ step: String) {
    let trap = state.withLock { state -> Trap? in
      state.steps.append(step)
      try? log?.write(contentsOf: Data("\(step)\n".utf8))
      guard let trap = state.trap else { return nil }
      let isHere =
        switch trap.place {
        case .step(let name, let earlier): name == step && (earlier.map { state.steps.contains($0) } ?? true)
        case .occurrence(let name, let count): name == step && state.steps.count { $0 == name } == count
        case .number(let number): state.steps.count == number
        }
      guard isHere else { return nil }
      state.trap = nil
      return trap
    }
    guard let trap else { return }
    if let token = trap.token {
      let descriptor = open(token, O_WRONLY | O_CREAT | O_EXCL, 0o600)
      guard descriptor >= 0 else { return }
      close(descriptor)
    }
    // To this very thread: sent to the process, it would let this one go on until another has taken it.
    raise(trap.signal)
  }
}
