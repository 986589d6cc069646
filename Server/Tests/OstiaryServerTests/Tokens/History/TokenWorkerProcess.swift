import Foundation
import NetworkTestSupport
import OstiaryCore
import Testing
import TokenTestSupport

@testable import OstiaryServer

/// A token core in a process of its own. It is killed when the value is gone.
final class TokenWorkerProcess: Sendable {
  private struct State: Sendable {
    var hasEnded = false
    var waiters: [Int: CheckedContinuation<TokenAnswer?, Never>] = [:]
  }

  private let process: LineProcess
  private let state: Locked<State>

  init(folder: URL, clientID: String) throws {
    let state = Locked(State())
    self.state = state
    var arguments = [folder.path(percentEncoded: false), clientID]
    if case .postgreSQL(let database) = try TestDatabase.place(.folder(folder)) {
      arguments.append(database.connection.reveal())
    }
    process = try LineProcess("TokenWorker", arguments) { line in
      guard let line else { return Self.end(state) }
      guard let answer = try? JSONDecoder().decode(TokenAnswer.self, from: line) else { return }
      state.withLock { $0.waiters.removeValue(forKey: answer.id) }?.resume(returning: answer)
    }
  }

  /// Ends it in the middle of its work.
  func kill() async { await process.kill() }

  /// Tells it to do something and waits for its answer; nothing if it ends before that.
  func tell(_ command: TokenCommand) async -> TokenAnswer? {
    guard let data = try? JSONEncoder().encode(command) else { return nil }
    // One that gives no answer is ended, and its end is the answer.
    let patience = Task { [process] in
      try await Task.sleep(for: .seconds(120))
      Issue.record("a token core has not answered within two minutes")
      process.killAtOnce()
    }
    defer { patience.cancel() }
    return await withCheckedContinuation { continuation in
      let hasEnded = state.withLock { state in
        if !state.hasEnded { state.waiters[command.id] = continuation }
        return state.hasEnded
      }
      if hasEnded { continuation.resume(returning: nil) } else { process.write(data) }
    }
  }

  private static func end(_ state: Locked<State>) {
    let waiters = state.withLock { state in
      state.hasEnded = true
      defer { state.waiters = [:] }
      return Array(state.waiters.values)
    }
    for waiter in waiters { waiter.resume(returning: nil) }
  }
}
