import Foundation
import OstiaryCore
import TokenTestSupport

/// Some token cores on one folder, each in a process of its own; any may be killed, and is started anew.
actor TokenWorkers {
  private let folder: URL
  private let clientID: String
  private var workers: [TokenWorkerProcess]
  private(set) var kills = 0

  init(_ count: Int, folder: URL, clientID: String) throws {
    (self.folder, self.clientID) = (folder, clientID)
    workers = try (0..<count).map { _ in try TokenWorkerProcess(folder: folder, clientID: clientID) }
  }

  /// Tells one of them; nothing if it is killed meanwhile.
  nonisolated func tell(_ command: TokenCommand) async -> TokenAnswer? {
    await worker(command.id).tell(command)
  }

  private func worker(_ number: Int) -> TokenWorkerProcess { workers[number % workers.count] }

  /// Kills one in the middle of its work, and starts another.
  func kill(_ number: Int) async throws {
    let index = number % workers.count
    let old = workers[index]
    await old.kill()
    kills += 1
    workers[index] = try TokenWorkerProcess(folder: folder, clientID: clientID)
  }

  func stop() async {
    for worker in workers { await worker.kill() }
  }
}
